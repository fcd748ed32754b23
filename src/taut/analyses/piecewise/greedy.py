"""Linearisation points of a piecewise linear force, chosen where the forces so far are worst.

The first point is the start of the first training run. Of all samples of the training runs the next is the one at which
the linear forces so far would accelerate the machine most wrongly,
    e^2 = df^T x,   M x - J^T mu = df,   J x = 0,   df = f - sum_i w_i (f_i + A_i (q - q_i) + B_i (v - v_i))       (1)
the energy norm of the acceleration that df alone causes within the loops: forces that the loops carry do not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taut.analyses.piecewise.model import Machine, absolute_angles
from taut.analyses.reduction.basis import principal
from taut.build.reduction.piecewise import REACHED, PiecewiseForces
from taut.model import Model
from taut.results.result import Result

MEASURED = 8  # number of directions in which distances are measured
MOST_SAMPLES = 2000  # samples taken from all training runs together


@dataclass(frozen=True)
class Samples:
    """States of the training runs, and the exact forces there."""

    q: np.ndarray  # coordinates of the training samples [sample, column]
    v: np.ndarray
    force: np.ndarray


def training_samples(machine: Machine, results: Sequence[Result]) -> Samples:
    """States of all runs, thinned evenly to a number that can be searched."""
    q = np.concatenate([result["joint_position"].values for result in results])
    v = np.concatenate([result["joint_velocity"].values for result in results])
    every = -(-len(q) // MOST_SAMPLES)
    q, v = q[::every], v[::every]
    return Samples(q, v, np.array([machine.force(a, b) for a, b in zip(q, v, strict=True)]))


def measuring(model: Model, samples: Samples) -> np.ndarray:
    """Directions in which most of the motion lies, among coordinates of the paper and speeds [measured, 2 column].

    Speeds count as much as coordinates: both are scaled to one over all samples.
    """
    angles = absolute_angles(model)
    away, speeds = (samples.q - samples.q[0]) @ angles.T, samples.v @ angles.T
    sizes = [max(float(np.sqrt(np.mean(part**2))), 1e-300) for part in (away, speeds)]
    found = principal(np.hstack([away / sizes[0], speeds / sizes[1]]), MEASURED)
    n = len(angles)
    return np.hstack([found[:, :n] @ angles / sizes[0], found[:, n:] @ angles / sizes[1]])


def weights(measured: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Weights by Eq. (1) of ``dynamics/modal/piecewise.py`` of points for places: shape [sample, point]."""
    apart = np.linalg.norm(points[:, None] - points, axis=-1) + np.where(np.eye(len(points)), np.inf, 0.0)
    least = (REACHED * (apart.min() if len(points) > 1 else 1.0)) ** 2
    squares = np.sum((measured[:, None] - points) ** 2, axis=-1) + least
    found = (squares.min(axis=1, keepdims=True) / squares) ** 16
    return found / found.sum(axis=1, keepdims=True)


def choose_points(model: Model, results: Sequence[Result], count: int) -> tuple[PiecewiseForces, list[float]]:
    """So many points, and the largest estimate of the error with the first 1, 2, ... of them against that of none.

    It ends early when every sample is a point.
    """
    machine = Machine(model)
    samples = training_samples(machine, results)
    P = measuring(model, samples)
    measured = np.hstack([samples.q, samples.v]) @ P.T
    largest = max(machine.size(q, f) for q, f in zip(samples.q, samples.force - samples.force[0], strict=True))
    chosen, linear, slopes, left = [0], [], [], []
    while True:
        at = chosen[-1]
        slopes.append(machine.slopes(samples.q[at], samples.v[at]))
        A, B = slopes[-1]
        linear.append(samples.force[at] + (samples.q - samples.q[at]) @ A + (samples.v - samples.v[at]) @ B)
        mixed = np.einsum("sp,psc->sc", weights(measured, measured[chosen]), np.array(linear))
        sizes = np.array([machine.size(q, f) for q, f in zip(samples.q, samples.force - mixed, strict=True)])
        left.append(float(sizes.max() / max(largest, 1e-300)))
        sizes[chosen] = 0.0
        worst = int(np.argmax(sizes))
        if len(chosen) == count or not sizes[worst] > 0.0:
            break
        chosen.append(worst)
    return PiecewiseForces(
        q=samples.q[chosen],
        v=samples.v[chosen],
        force=samples.force[chosen],
        stiffness=np.array([A for A, _ in slopes]),
        damping=np.array([B for _, B in slopes]),
        measure=P,
        low=measured.min(axis=0),
        high=measured.max(axis=0),
    ), left
