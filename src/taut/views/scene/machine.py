"""A machine to look at: the bodies' meshes, the cables' radii, what stands still, and how large it all is."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from taut.results.result import Result
from taut.views.scene.bodies import ROD
from taut.views.scene.colours import FIXTURE
from taut.views.scene.frames import Frame, Frames
from taut.views.scene.heads import Heads, read_heads
from taut.views.scene.meshes import Mesh, joined, rotation_matrix
from taut.views.scene.rails import Ways
from taut.views.scene.said import attachments, is_vector, part, read_said, said_bodies, said_cables
from taut.views.scene.shaping import Shaping, main_body_of
from taut.views.scene.sheaves import read_sheaves
from taut.views.scene.ties import Tie, read_ties

LOOKS = 32  # number of samples from which extents and colour limits are read
CABLE = 0.003  # smallest radius at which a cable is drawn, relative to the machine's size
TIE = 0.5 * ROD  # radius of a rod of changing length, relative to the machine's size


@dataclass(frozen=True)
class Part:
    """A mesh of one colour: of a body, in its frame, or of what stands still, in the world."""

    name: str
    mesh: Mesh
    colour: np.ndarray


@dataclass(frozen=True)
class Machine:
    """Shapes and poses of a result's machine that can be drawn at any moment."""

    frames: Frames
    low: np.ndarray  # lower corner of the box around all that moves [m]
    high: np.ndarray
    bodies: list[Part] = field(default_factory=list)  # meshes of the bodies, in the order of the result
    fixtures: list[Part] = field(default_factory=list)
    cable_radius: np.ndarray = field(default_factory=lambda: np.zeros(0))  # radius at which each cable is drawn [m]
    tension_limits: tuple[float, float] = (0.0, 1.0)  # tensions at both ends of the colour scale [N]
    ground: float = 0.0  # height at which the floor is drawn [m]
    force_scale: float = 1.0  # length of a force's arrow [m] per newton
    centres: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # centres of mass, in the bodies' frames [m]
    heads: list[Heads] = field(default_factory=list)  # pulleys, winches and blocks at which the cables begin
    ties: list[Tie] = field(default_factory=list)  # rods of changing length
    main_body: str = ""  # the body whose position is displayed

    @property
    def size(self) -> float:
        """Largest side of all that moves [m]."""
        return float(np.max(self.high - self.low))

    @property
    def centre(self) -> np.ndarray:
        """Middle of all that moves [m]."""
        return 0.5 * (self.low + self.high)

    @property
    def tie_radius(self) -> float:
        """Radius of the rods of changing length [m]."""
        return TIE * self.size

    def box_at(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        """Corners of the box around everything that moves, at one moment [m]."""
        cloud = np.concatenate([frame.nodes.reshape(-1, 3), frame.position])
        cloud = cloud[np.isfinite(cloud).all(axis=1)]
        low, high = (cloud.min(axis=0), cloud.max(axis=0)) if len(cloud) else (self.low, self.high)
        return _with_bodies(low, high, self.bodies, [frame])

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
    ways, main = Ways(known, frames, looks, size), main_body_of(frames, said)
    shaping = Shaping(said, known, frames, looks[0], size)
    bodies = [Part(name, *shaping.part(name, points.get(name, []), ways.mesh(name), main)) for name in frames.bodies]
    sheaves = read_sheaves(said)
    bodies = [replace(body, mesh=joined([body.mesh, sheaves[body.name]])) if body.name in sheaves else body
              for body in bodies]  # fmt: skip
    wheels = [Part("sheaves", sheaves["world"], FIXTURE)] if "world" in sheaves else []
    low, high = _with_bodies(low, high, bodies, looks)
    ground = part(said, "ground").get("height", 0.0) if isinstance(said.get("ground"), dict) else None
    return Machine(
        frames,
        low,
        high,
        bodies,
        [*_fixtures(known, ways), *wheels],
        _radii(frames.cables, said_cables(said), size),
        _tension_limits(result, looks),
        float(ground) if ground is not None else float(low[2] - 0.08 * size),
        _force_scale(looks, size),
        np.array([_com(known.get(name, {})) for name in frames.bodies]).reshape(-1, 3),
        read_heads(frames.cables, said_cables(said), said, looks[0], size) if len(looks[0].nodes) else [],
        read_ties(known, frames.bodies, ways.carriages),
        main,
    )


def _com(body: dict[str, Any]) -> list[float]:
    com = body.get("com")
    return [float(x) for x in com] if isinstance(com, list) and is_vector(com) else [0.0, 0.0, 0.0]


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
    # give a machine that is a single point a size other than zero
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


def _fixtures(known: dict[str, dict[str, Any]], ways: Ways) -> list[Part]:
    """Hinges and rails in the world."""
    found = []
    for name in known:
        for word, mesh in (("rail", ways.rail(name)), ("hinge", ways.hinge(name))):
            if mesh is not None:
                found.append(Part(f"{word} of {name}", mesh, FIXTURE))
    return found


def _radii(names: list[str], cables: dict[str, dict[str, Any]], size: float) -> np.ndarray:
    said = [cables.get(name, {}).get("radius", 0.0) for name in names]
    return np.array([max(float(r) if isinstance(r, int | float) else 0.0, CABLE * size) for r in said])


def _tension_limits(result: Result, looks: list[Frame]) -> tuple[float, float]:
    """Limits of the colours: zero, and what is rarely exceeded, so that one shock does not make all else one colour."""
    tensions = np.concatenate([frame.tension.ravel() for frame in looks]) if looks else np.zeros(0)
    tensions = tensions[np.isfinite(tensions) & (tensions > 0.0)]
    if len(tensions):
        low, high = np.percentile(tensions, [2, 98])
        low = low if low > 0.05 * high else 0.0
        return (float(low), float(high)) if high - low > 0.02 * high else (0.0, float(high))
    return 0.0, 1.0


def _force_scale(looks: list[Frame], size: float) -> float:
    forces = np.concatenate([np.linalg.norm(frame.anchor_force, axis=-1).ravel() for frame in looks])
    usual = np.percentile(forces[np.isfinite(forces)], 95) if np.isfinite(forces).any() else 0.0
    return float(0.22 * size / usual) if usual > 0.0 else 0.0
