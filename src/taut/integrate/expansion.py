"""States of a reduced machine in the coordinates of the full one."""

from typing import Any

import numpy as np

from taut.build.ritz_shapes import ReducedRitz
from taut.integrate.samples import Samples, new_samples
from taut.model import Model
from taut.model.enums import JointKind

STEP = 1e-4  # of the differences in time that give rates [s]


def expand_samples(full: Model, reduced: Model, arrays: dict[str, np.ndarray]) -> Samples:
    """Samples of the full machine from channels of the reduced one; the cables element by element."""
    samples = new_samples(full, arrays["time"])
    q, v, a = arrays["joint_position"], arrays["joint_velocity"], arrays["joint_acceleration"]
    numbers = {name: i for i, name in enumerate(reduced.names.nodes)}
    other = {reduced.names.cables[cable][0] for cable in reduced.reduced}
    for i, name in enumerate(full.names.nodes):
        if name not in numbers or numbers[name] in other:
            continue
        here, there = full.tables.nodes[i], reduced.tables.nodes[numbers[name]]
        count = coordinate_count(full, i)
        samples.q[:, here.coordinate : here.coordinate + count] = q[:, there.coordinate : there.coordinate + count]
        for target, source in ((samples.v, v), (samples.a, a)):
            count = int(here.column_count)
            target[:, here.column : here.column + count] = source[:, there.column : there.column + count]
    for cable in reduced.reduced:
        fill = fill_modes if isinstance(reduced.reduced[cable], ReducedRitz) else fill_cable
        fill(full, reduced, cable, (q, v, a), samples)
    samples.lam[:] = arrays["multiplier"]
    samples.work[:, 0], samples.work[:, 1] = arrays["work_input"], arrays["work_dissipated"]
    return samples


def coordinate_count(model: Model, node: int) -> int:
    """Entries of a node in q."""
    here = model.tables.nodes[node]
    return int(here.column_count) + (here.kind in (JointKind.SPHERICAL, JointKind.FREE))


def fill_modes(full: Model, reduced: Model, cable: str, state: tuple[np.ndarray, ...], samples: Samples) -> None:
    """Coordinates of a Ritz cable's modes."""
    there = reduced.tables.nodes[reduced.names.cables[cable][0]]
    here = full.tables.nodes[full.names.cables[cable][0]]
    V = reduced.reduced[cable].shapes.matrix()
    starts = ((there.coordinate, here.coordinate), *[(there.column, here.column)] * 2)
    for source, target, (i, j) in zip(state, (samples.q, samples.v, samples.a), starts, strict=True):
        target[:, j : j + len(V)] = source[:, i : i + V.shape[1]] @ V.T


def fill_cable(full: Model, reduced: Model, cable: str, state: tuple[np.ndarray, ...], samples: Samples) -> None:
    """Coordinates of one cable's elements, and their rates by differences along the motion of the shapes."""
    node = reduced.tables.nodes[reduced.names.cables[cable][0]]
    n = int(node.column_count)
    z = state[0][:, node.coordinate : node.coordinate + n]
    rate, second = (part[:, node.column : node.column + n] for part in state[1:])
    before, here, after = (
        chain_coordinates(full, cable, reduced.reduced[cable].shapes, z + s * rate + 0.5 * s * s * second)
        for s in (-STEP, 0.0, STEP)
    )
    for k in here:
        column = full.tables.columns["coordinate"].searchsorted(k)
        samples.q[:, k] = here[k]
        samples.v[:, column] = (after[k] - before[k]) / (2 * STEP)
        samples.a[:, column] = (after[k] - 2 * here[k] + before[k]) / STEP**2


def chain_coordinates(full: Model, cable: str, shapes: Any, z: np.ndarray) -> dict[int, np.ndarray]:
    """Coordinates of the elements of a cable, by their place in q, at coordinates of the shapes [time, shape]."""
    fields = shapes.fields(z)
    t, nodes, found = shapes.directions_of(fields), full.tables.nodes, {}
    R = np.broadcast_to(np.eye(3), (len(z), 3, 3))
    for k, stretch in enumerate(full.names.cables[cable]):
        bend: Any = nodes[nodes[stretch].parent]
        R = R @ bend.rotation.reshape(3, 3)
        angles, R = bent(JointKind(int(bend.kind)), R, np.einsum("tji,tj->ti", R, t[:, k]))
        for j, angle in enumerate(angles):
            found[int(bend.coordinate) + j] = angle
        found[int(nodes[stretch].coordinate)] = fields[:, 2, k]
    return found


def bent(kind: JointKind, R: np.ndarray, d: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Angles of a bend that turns the frames' z to directions d [time, 3], and the turned frames."""
    x, y, z = d.T
    if kind == JointKind.REVOLUTE:
        angle = np.arctan2(-x, z)
        return [angle], R @ turn(1, -angle)
    if kind == JointKind.BEND_XY:
        first, second = np.arctan2(-y, z), np.arctan2(x, np.hypot(y, z))
        return [first, second], R @ turn(0, first) @ turn(1, second)
    first, second = np.arctan2(x, z), np.arctan2(-y, np.hypot(x, z))
    return [first, second], R @ turn(1, first) @ turn(0, second)


def turn(axis: int, angle: np.ndarray) -> np.ndarray:
    """Rotations about x (0) or y (1) [time, 3, 3]."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.zeros((len(angle), 3, 3))
    i, j = (1, 2) if axis == 0 else (2, 0)
    R[:, axis, axis] = 1.0
    R[:, i, i], R[:, j, j], R[:, j, i], R[:, i, j] = c, c, s, -s
    return R
