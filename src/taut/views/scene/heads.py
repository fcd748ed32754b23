"""Where cables begin: a small block, the drum of a winch, or a pulley that swivels with its cable.

The first node of a cable of elements over a pulley is the point where it leaves the wheel; cables without mass have
nodes along the arc, from the inlet on. With t the direction of the first element, h across the swivel axis z towards
the anchor, and complex numbers for (h, z), the cable leaves at r n from the centre, n = i t. (1)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.views.scene.frames import Frame
from taut.views.scene.meshes import Mesh, box, cylinder, joined, revolved, rod
from taut.views.scene.said import is_vector, part

EXIT = 0.022  # side of the block drawn at an exit, relative to the machine's size
DRUM = 0.02  # default radius of a drum, relative to the machine's size
UP = np.array([0.0, 0.0, 1.0])
# drivers that are drawn around the exit, which then needs no block of its own
COVERING = ("quadcopter", "trolley", "gantry")
BLOCK, WINCH, PULLEY, LAID = "block", "winch", "pulley", "laid"
INSIDE = 6  # index of a node on the arc of a cable that is laid over its pulley


@dataclass(frozen=True)
class Heads:
    """Drawn first parts (blocks, drums, pulleys) of cables that look alike."""

    kind: str
    mesh: Mesh  # axes: x towards the anchor, z up or along the swivel axis; the cable leaves at the origin
    cables: np.ndarray  # numbers of the cables that begin with this mesh
    radius: float  # radius of the wheel or drum [m]
    turns: np.ndarray  # rotations of the mesh, shape [n, 3, 3]; pulleys swivel, so theirs hold at the start only

    def places(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        """Origins [m], shape [n, 3], and rotation matrices, shape [n, 3, 3]."""
        centre = frame.nodes[self.cables, 0]
        if self.kind not in (PULLEY, LAID):
            return centre, self.turns
        h, t = self._across(frame)
        z = self.turns[:, :, 2]
        n = 1j * t / np.maximum(np.abs(t), 1e-12) if self.kind == PULLEY else -np.ones(len(t))  # Eq. (1)
        centre = centre - self.radius * (n.real[:, None] * h + n.imag[:, None] * z)
        return centre, np.stack([h, np.cross(z, h), z], axis=2)

    def _across(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        """Directions h, and ways along the cable as complex numbers [m]."""
        inside = INSIDE if self.kind == LAID else 1
        way, z = frame.nodes[self.cables, inside] - frame.nodes[self.cables, 0], self.turns[:, :, 2]
        up = np.sum(way * z, axis=1, keepdims=True)
        h = way - up * z
        level = np.linalg.norm(h, axis=1, keepdims=True)
        # a cable along the swivel axis does not define the wheel's side: keep that of the start
        h = np.where(level > 1e-9, h / np.maximum(level, 1e-12), self.turns[:, :, 0])
        return h, level[:, 0] + 1j * up[:, 0]


def read_heads(names: list[str], cables: dict[str, dict[str, Any]], said: dict[str, Any], first: Frame,
               size: float) -> list[Heads]:  # fmt: skip
    """First parts of the cables (block, drum, pulley), grouped by their look."""
    groups: dict[tuple[str, float], list[int]] = {}
    for k, name in enumerate(names):
        look = _look(cables.get(name, {}), said, size)
        if look is not None:
            groups.setdefault(look, []).append(k)
    found = []
    for (kind, radius), numbers in groups.items():
        turns = np.array([_turn(kind, cables.get(names[k], {}), first.nodes[k]) for k in numbers])
        found.append(Heads(kind, _mesh(kind, radius, size), np.array(numbers), radius, turns))
    return found


def _look(cable: dict[str, Any], said: dict[str, Any], size: float) -> tuple[str, float] | None:
    """Kind and radius [m]; a pulley hides the winch behind it, and a body the exit inside it."""
    pulley = cable.get("pulley")
    if isinstance(pulley, dict) and isinstance(pulley.get("radius"), int | float):
        return LAID if cable.get("kind") in ("spring", "ideal") else PULLEY, float(pulley["radius"])
    winch = part(part(said, "drivers"), str(cable.get("winch")))
    if winch:
        radius = part(winch, "drum").get("radius")
        return WINCH, max(float(radius), 0.4 * DRUM * size) if isinstance(radius, int | float) else DRUM * size
    carrier = part(part(said, "drivers"), str(cable.get("driver"))).get("kind")
    return None if carrier in COVERING else (BLOCK, 0.0)


def _turn(kind: str, cable: dict[str, Any], nodes: np.ndarray) -> np.ndarray:
    """Axes as columns: x across the upright axis towards the anchor."""
    if kind == BLOCK:
        return np.eye(3)
    axis = part(cable, "pulley").get("axis")
    z = np.asarray(axis if is_vector(axis) else UP, float)
    z = z / np.linalg.norm(z)
    real = nodes[np.isfinite(nodes).all(axis=1)]
    way = real[-1] - real[0] if len(real) else UP
    h = way - (way @ z) * z
    if np.linalg.norm(h) < 0.02 * max(float(np.linalg.norm(way)), 1e-9):
        h = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    h = h / np.linalg.norm(h)
    return np.column_stack([h, np.cross(z, h), z])


def _mesh(kind: str, radius: float, size: float) -> Mesh:
    if kind in (PULLEY, LAID):
        return _pulley(radius)
    return _drum(radius) if kind == WINCH else box([EXIT * size] * 3)


def _drum(r: float) -> Mesh:
    """A drum with flanges on a stand; the cable leaves at its side."""
    y, long = (0.0, 1.0, 0.0), 2.6 * r
    rim = [cylinder(1.45 * r, 0.18 * r, y).moved([0.0, side, 0.0]) for side in (-0.5 * long, 0.5 * long)]
    stand = [box([0.5 * r, 0.2 * r, 2.0 * r]).moved([-0.1 * r, 1.25 * side, -0.9 * r])
             for side in (-0.5 * long, 0.5 * long)]  # fmt: skip
    base = box([2.6 * r, 1.5 * long, 0.25 * r]).moved([0.0, 0.0, -1.9 * r])
    return joined([cylinder(r, long, y), *rim, *stand, base]).moved([-r, 0.0, 0.0])


def _pulley(r: float) -> Mesh:
    """A grooved wheel between two plates, which hang on a post along the swivel axis; the centre is the origin."""
    rings = [(0.0, -0.5), (1.18 * r, -0.5), (0.92 * r, 0.0), (1.18 * r, 0.5), (0.0, 0.5)]
    # turn the axis of the rings from z to y
    upright = np.column_stack([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    wheel = revolved(rings, 0.4 * r).turned(upright)
    axle = cylinder(0.18 * r, 0.8 * r, (0.0, 1.0, 0.0))
    plates = [box([1.5 * r, 0.06 * r, 0.36 * r]).moved([-0.55 * r, side, 0.0]) for side in (-0.34 * r, 0.34 * r)]
    post = [rod(np.array([-1.25 * r, y, -1.3 * r]), np.array([-1.25 * r, y, 0.3 * r]), 0.1 * r)
            for y in (-0.34 * r, 0.34 * r)]  # fmt: skip
    return joined([wheel, axle, *plates, *post])
