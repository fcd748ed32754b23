"""What the other engines share: which machines they can be given, when they sample, how their runs are judged.

A peer is a function ``simulate(model, dt) -> (times [T], platform positions [T, 3], seconds)``. Model and settings are
the best its user could choose; seconds are integration and sampling, without building the model and without files.
Samples lie on multiples of SAMPLE_EVERY, where the reference has its own: nothing is interpolated. The error is the
largest distance of the platform's origin from the reference [m].
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from taut.model import Model
from taut.model.enums import ClosureKind, JointKind, LawKind

SAMPLE_EVERY = Fraction(1, 100)  # interval between samples [s]
GRID = 1e-6  # a time this close to the grid of samples counts as on it [s]
ENOUGH = 2.0  # a run is not repeated once its repeats took this long [s]

Run = tuple[np.ndarray, np.ndarray, float]

# motions of each kind of joint in order: (whether it is a rotation, axis in the joint's frame)
MOTIONS = {
    JointKind.BEND_XY: ((True, 0), (True, 1)),
    JointKind.BEND_YX: ((True, 1), (True, 0)),
    JointKind.STRETCH: ((False, 2),),
    JointKind.DRIVEN: ((False, 0), (False, 1), (False, 2)),
}


class Reference(NamedTuple):
    """A converged solution, sampled every SAMPLE_EVERY or oftener."""

    times: np.ndarray  # times of the samples [s], shape [T]
    positions: np.ndarray  # positions of the platform's origin [m], shape [T, 3]


def check_supported(model: Model) -> None:
    """Raise a ValueError if the peers have no twin of something in the model."""
    t: Any = model.tables
    nodes, closures, columns = t.nodes[1:], t.closures, t.columns
    is_free = nodes.kind == JointKind.FREE
    is_plain = (columns.signal < 0) & (columns.coulomb == 0) & (columns.viscous == 0)
    is_held = closures.point_rows.all(axis=1) & (closures.signal < 0).all(axis=1)
    needs = {
        "one free body on the world": is_free.sum() == 1 and nodes.parent[is_free].max() == 0,
        "cables of elements in space, with the transverse exit joint": np.isin(
            nodes.kind[~is_free], list(MOTIONS)
        ).all(),
        "linear springs and dampers": is_plain.all() and np.isin(columns.law, [LawKind.NONE, LawKind.LINEAR]).all(),
        "anchors that are points": is_held.all() and (closures.kind == ClosureKind.POINT).all(),
        "no applied forces": len(t.wrenches) == 0,
        "a start at rest": not model.start_velocities.any(),
    }
    missing = [need for need, is_met in needs.items() if not is_met]
    if missing:
        raise ValueError("Exudyn and MuJoCo are given machines with " + ", ".join(missing) + " only")


def platform_node(model: Model) -> int:
    """Number of the node of the platform, the only free body."""
    return int(np.flatnonzero(model.tables.nodes.kind == JointKind.FREE)[0])


def trees(model: Model) -> list[list[int]]:
    """Nodes of every tree, parents first."""
    members: dict[int, list[int]] = {}
    root: dict[int, int] = {}
    for i in range(1, len(model.tables.nodes)):
        parent = int(model.tables.nodes[i].parent)
        root[i] = root.get(parent, i)
        members.setdefault(root[i], []).append(i)
    return list(members.values())


def inertia_matrix(node: Any) -> np.ndarray:
    """Inertia of a node's body about its centre of mass [kg m^2], shape [3, 3]."""
    upper = np.zeros((3, 3))
    upper[np.triu_indices(3)] = node.inertia
    return upper + np.triu(upper, 1).T


def step_count(model: Model, dt: float) -> int:
    """Steps of the run; the step must divide its duration."""
    duration = model.scenario.run.duration
    steps = round(duration / dt)
    if abs(steps * dt - duration) > GRID * dt:
        raise ValueError(f"a step of {dt} s does not divide the duration of {duration} s")
    return steps


def sample_period(dt: float) -> float:
    """The shortest time that is a multiple of the step and of SAMPLE_EVERY [s]."""
    step = Fraction(dt).limit_denominator(10**6)
    # least common multiple of two fractions in lowest terms: that of the numerators over the divisor of the
    # denominators
    top = math.lcm(step.numerator, SAMPLE_EVERY.numerator)
    return float(Fraction(top, math.gcd(step.denominator, SAMPLE_EVERY.denominator)))


def position_error(times: np.ndarray, positions: np.ndarray, reference: Reference) -> float:
    """Largest distance from the reference at the sampled times [m]."""
    nearest = np.abs(reference.times[:, None] - times).argmin(axis=0)
    if np.abs(reference.times[nearest] - times).max() > GRID:
        raise ValueError("the reference has no sample at some of the times")
    return float(np.linalg.norm(positions - reference.positions[nearest], axis=1).max())


def work_precision(
    simulate: Callable[[Model, float], Run], model: Model, steps: tuple[int, ...], reference: Reference
) -> list[dict[str, Any]]:
    """Rows of dt [s], steps, seconds and error [m], the best time of up to three repeats each."""
    rows = []
    for count in steps:
        dt = model.scenario.run.duration / count
        best, spent, repeats = math.inf, 0.0, 0
        while repeats < 3 and spent < ENOUGH:
            times, positions, seconds = simulate(model, dt)
            best, spent, repeats = min(best, seconds), spent + seconds, repeats + 1
        rows.append({"dt": dt, "steps": count, "seconds": best, "error": position_error(times, positions, reference)})
    return rows
