"""A machine to look at: the bodies' meshes, the cables' radii, what stands still, and how large it all is."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.results.result import Result
from taut.views.scene.bodies import ROD, SMALL, body_mesh
from taut.views.scene.colours import BODY, FIXTURE, PLATFORM
from taut.views.scene.frames import Frame, Frames
from taut.views.scene.meshes import Mesh, box, rod, rotation_matrix
from taut.views.scene.said import attachments, is_vector, joint_of, part, read_said, said_bodies, said_cables

LOOKS = 32  # moments looked at for extents and limits
CABLE = 0.003  # smallest radius to draw, of the machine's size
HINGES = ("revolute", "universal", "spherical", "cylindrical", "planar")


@dataclass(frozen=True)
class Part:
    """A mesh of one colour: of a body, in its frame, or of what stands still, in the world."""

    name: str
    mesh: Mesh
    colour: np.ndarray


@dataclass(frozen=True)
class Machine:
    """What can be drawn of a result at every moment."""

    frames: Frames
    low: np.ndarray  # corner of all that moves [m]
    high: np.ndarray
    bodies: list[Part] = field(default_factory=list)  # in the order of the result
    fixtures: list[Part] = field(default_factory=list)
    cable_radius: np.ndarray = field(default_factory=lambda: np.zeros(0))  # to draw [m]
    tension_limits: tuple[float, float] = (0.0, 1.0)  # for colours [N]
    ground: float = 0.0  # height of the floor to draw [m]
    force_scale: float = 1.0  # length of an arrow [m] per newton
    centres: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # of mass, in the bodies' frames [m]

    @property
    def size(self) -> float:
        """Largest side of all that moves [m]."""
        return float(np.max(self.high - self.low))

    @property
    def centre(self) -> np.ndarray:
        """Middle of all that moves [m]."""
        return 0.5 * (self.low + self.high)

    @property
    def main_body(self) -> str:
        """The body whose place is told: the platform, or else the last one."""
        bodies = self.frames.bodies
        return "platform" if "platform" in bodies else (bodies[-1] if bodies else "")

    def place(self, frame: Frame, body: str) -> np.ndarray:
        """Where a body's centre of mass is [m]."""
        k = self.frames.bodies.index(body)
        return frame.position[k] + rotation_matrix(frame.quaternion[k]) @ self.centres[k]

    def path(self, body: str, most: int) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] and places [m] of a body's centre of mass, at about so many samples."""
        result, k = self.frames.result, self.frames.bodies.index(body)
        step = max(1, len(self.frames) // most)
        places = result["body_position"][::step, k].values
        if self.centres[k].any() and "body_quaternion" in result:
            places = places + rotation_matrix(result["body_quaternion"][::step, k].values) @ self.centres[k]
        return self.frames.time[::step], places


def read_machine(result: Result) -> Machine:
    """Find the shapes in the scenario that the result carries, and extents and limits in its samples."""
    frames, said = Frames(result), read_said(result)
    looks = frames.spread(LOOKS)
    points = attachments(said)
    low, high = _extent(looks, frames.bodies, points)
    size = float(np.max(high - low))
    known = said_bodies(said)
    bodies = [_body_part(name, known.get(name, {}), points.get(name, []), size) for name in frames.bodies]
    low, high = _with_bodies(low, high, bodies, looks)
    ground = part(said, "ground").get("height", 0.0) if isinstance(said.get("ground"), dict) else None
    return Machine(
        frames,
        low,
        high,
        bodies,
        _fixtures(known, looks, frames, size),
        _radii(frames.cables, said_cables(said), size),
        _tension_limits(result, looks),
        float(ground) if ground is not None else float(low[2] - 0.08 * size),
        _force_scale(looks, size),
        np.array([_com(known.get(name, {})) for name in frames.bodies]).reshape(-1, 3),
    )


def _com(body: dict[str, Any]) -> list[float]:
    com = body.get("com")
    return [float(x) for x in com] if isinstance(com, list) and is_vector(com) else [0.0, 0.0, 0.0]


def _body_part(name: str, body: dict[str, Any], points: list[np.ndarray], size: float) -> Part:
    return Part(name, body_mesh(body, points, size), PLATFORM if name in ("platform", "payload") else BODY)


def _extent(
    looks: list[Frame], bodies: list[str], points: dict[str, list[np.ndarray]]
) -> tuple[np.ndarray, np.ndarray]:
    """Corners of the box around bodies, their points of attachment, and cables [m]."""
    cloud = [frame.nodes.reshape(-1, 3) for frame in looks] + [frame.position for frame in looks]
    for frame in looks:
        turns = rotation_matrix(frame.quaternion) if len(frame.quaternion) == len(bodies) else []
        for name, position, turn in zip(bodies, frame.position, turns, strict=False):
            cloud += [position + point[None] @ turn.T for point in points.get(name, [])]
    cloud.append(np.array(points.get("world", [])).reshape(-1, 3))
    everything = np.concatenate(cloud)
    everything = everything[np.all(np.isfinite(everything), axis=1)]
    if not len(everything):
        return np.full(3, -0.5), np.full(3, 0.5)
    low, high = everything.min(axis=0), everything.max(axis=0)
    # a machine of one point still needs a size
    short = max(1e-3, 0.02 * float(np.max(high - low)))
    return np.minimum(low, 0.5 * (low + high) - short), np.maximum(high, 0.5 * (low + high) + short)


def _with_bodies(
    low: np.ndarray, high: np.ndarray, bodies: list[Part], looks: list[Frame]
) -> tuple[np.ndarray, np.ndarray]:
    """The box widened by the bodies' meshes wherever they go [m]."""
    for frame in looks:
        if len(frame.quaternion) != len(bodies):
            continue
        turns = rotation_matrix(frame.quaternion)
        for body, position, turn in zip(bodies, frame.position, turns, strict=True):
            corners = position + body.mesh.vertices @ turn.T
            if np.all(np.isfinite(corners)):
                low, high = np.minimum(low, corners.min(axis=0)), np.maximum(high, corners.max(axis=0))
    return low, high


def _fixtures(known: dict[str, dict[str, Any]], looks: list[Frame], frames: Frames, size: float) -> list[Part]:
    """Hinges and rails in the world."""
    found = []
    for name, body in known.items():
        joint = joint_of(body)
        if joint["parent"] != "world":
            continue
        origin = joint.get("origin", [0.0, 0.0, 0.0])
        if joint["kind"] == "prismatic" and name in frames.bodies:
            found.append(Part(f"rail of {name}", _rail(name, joint, looks, frames, size), FIXTURE))
        elif joint["kind"] in HINGES and joint["kind"] != "planar" and is_vector(origin):
            found.append(Part(f"hinge of {name}", box([0.8 * SMALL * size] * 3).moved(np.asarray(origin)), FIXTURE))
    return found


def _rail(name: str, joint: dict[str, Any], looks: list[Frame], frames: Frames, size: float) -> Mesh:
    """A rod through all places where the body was, and a bit beyond."""
    places = np.array([frame.position[frames.bodies.index(name)] for frame in looks])
    ends = places[[0, int(np.argmax(np.linalg.norm(places - places[0], axis=1)))]]
    along = ends[1] - ends[0]
    if np.linalg.norm(along) < 1e-9 * size:
        axis = joint.get("axis", (0.0, 0.0, 1.0))
        along = np.asarray(axis if is_vector(axis) else (0.0, 0.0, 1.0), float)
    along = 0.08 * size * along / np.linalg.norm(along)
    low, high = min(ends @ along), max(ends @ along)
    first, last = (ends[0], ends[1]) if ends[0] @ along == low or low == high else (ends[1], ends[0])
    return rod(first - along, last + along, ROD * size)


def _radii(names: list[str], cables: dict[str, dict[str, Any]], size: float) -> np.ndarray:
    said = [cables.get(name, {}).get("radius", 0.0) for name in names]
    return np.array([max(float(r) if isinstance(r, int | float) else 0.0, CABLE * size) for r in said])


def _tension_limits(result: Result, looks: list[Frame]) -> tuple[float, float]:
    """From zero to what is rarely exceeded, so that one shock does not make all else one colour."""
    tensions = np.concatenate([frame.tension.ravel() for frame in looks]) if looks else np.zeros(0)
    tensions = tensions[np.isfinite(tensions) & (tensions > 0.0)]
    if len(tensions):
        low, high = np.percentile(tensions, [2, 98])
        return (float(low), float(high)) if high - low > 0.02 * high else (0.0, float(high))
    return 0.0, 1.0


def _force_scale(looks: list[Frame], size: float) -> float:
    forces = np.concatenate([np.linalg.norm(frame.anchor_force, axis=-1).ravel() for frame in looks])
    usual = np.percentile(forces[np.isfinite(forces)], 95) if np.isfinite(forces).any() else 0.0
    return float(0.22 * size / usual) if usual > 0.0 else 0.0
