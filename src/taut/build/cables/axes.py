"""Axes across a cable at its exit, taken from the machine itself: turn the machine, and they turn with it.

The two bends of an element are not quite the same about every pair of axes: their energy differs from that of an
isotropic bend in the fourth power of the angles. So the choice matters, and with axes of the world the equilibrium
of a machine would depend on its heading. With the cable along z and a direction e of the machine,

    y = e x z / |e x z|,    x = y x z                                                                     (1)

where e is the first of these that lies clearly across the cable:
the vertical (against gravity); the lines from the first exit to the other exits and then to the anchors, in the order
of the scenario; the axes of the joints, in the order of the bodies; the axes x and y of the body that the cable is
anchored to, of which one always does. In a planar machine y is the normal of its plane.
"""

import numpy as np

from taut.build.context import Context
from taut.model.joints import JOINTS, KINDS
from taut.scenario.cables.mrfe import CableMrfe
from taut.scenario.start_pose import joint_axes

ALONG = 0.9  # directions with a larger cosine to the cable count as parallel to it
NEAREST = 1e-9  # ends closer than this, relative to the largest distance, define no direction
AXLES = [name for name, kind in KINDS.items() if any(move.axis == "axis_1" for move in JOINTS[kind].moves)]
PLANE_NORMAL = np.array([0.0, 1.0, 0.0])


def machine_lines(context: Context, exits: list[tuple[int, tuple[float, float, float]]]) -> list[np.ndarray]:
    """Directions in the world that turn with the machine, at the start as given; unit vectors."""
    lines = [-np.array(context.scenario.gravity, float), *lines_between(cable_ends(context, exits))]
    lines += axles(context)
    sizes = [float(np.linalg.norm(line)) for line in lines]
    return [line / size for line, size in zip(lines, sizes, strict=True) if size > 0.0]


def cable_ends(context: Context, exits: list[tuple[int, tuple[float, float, float]]]) -> np.ndarray:
    """Exits, then anchors, in the world [m]."""
    places = [context.placements[node] for node, _ in exits]
    tops = [x + R @ np.array(point) for (R, x), (_, point) in zip(places, exits, strict=True)]
    ends = [context.to_world(cable.body, cable.anchor) for cable in context.scenario.cables]
    return np.array([*tops, *ends]).reshape(-1, 3)


def lines_between(points: np.ndarray) -> list[np.ndarray]:
    """Vectors from the first point to the others, without those that coincide with it."""
    vectors = points[1:] - points[:1]
    sizes = np.linalg.norm(vectors, axis=1)
    return list(vectors[sizes > NEAREST * sizes.max(initial=0.0)])


def axles(context: Context) -> list[np.ndarray]:
    """First axis of every joint that has one, in the world."""
    joints = [body.joint for body in context.scenario.all_bodies().values() if body.joint.kind in AXLES]
    frames = [context.placement(joint.parent)[0] for joint in joints]
    turned = [R @ joint.orientation.rotation() if joint.orientation else R
              for joint, R in zip(joints, frames, strict=True)]  # fmt: skip
    return [R @ joint_axes(joint)[0] for joint, R in zip(joints, turned, strict=True)]


def line_across(context: Context, body: str, z: np.ndarray) -> np.ndarray:
    """The first direction of the machine that is not along z; for a cable that is anchored to a body."""
    candidates = [*context.lines, *context.placement(body)[0].T[:2]]
    return next(line for line in candidates if abs(line @ z) < ALONG)


def relaxed_direction(cable: CableMrfe, R_exit: np.ndarray, chord: np.ndarray) -> np.ndarray:
    """Direction in which the exit's clamp is relaxed, in the frame of the node that carries the exit."""
    z = R_exit.T @ chord if cable.clamp_direction is None else np.array(cable.clamp_direction)
    return z / np.linalg.norm(z)


def exit_frame(context: Context, cable: CableMrfe, R_exit: np.ndarray, chord: np.ndarray) -> np.ndarray:
    """Joint frame of the first bend on the node that carries the exit.

    Transverse: z along the relaxed direction, so that both axes lie across it. Azimuth-polar: the frame of the node.
    """
    if cable.exit_joint == "azimuth-polar":
        return np.eye(3)
    z = relaxed_direction(cable, R_exit, chord)
    if context.scenario.planar:
        y = PLANE_NORMAL
    else:
        y = np.cross(R_exit.T @ line_across(context, cable.body, R_exit @ z), z)
    x = np.cross(y, z)  # Eq. (1)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def sag_direction(context: Context, body: str, along: np.ndarray) -> np.ndarray:
    """Unit vector across a chord, as far down as possible; for a cable that is anchored to a body."""
    gravity = np.array(context.scenario.gravity, float)
    down = gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, -1.0])
    across = down - along * (down @ along)
    if np.linalg.norm(across) < 1e-6:
        side = line_across(context, body, along)
        across = side - along * (side @ along)
    if context.scenario.planar:
        across[1] = 0.0
    return across / np.linalg.norm(across)
