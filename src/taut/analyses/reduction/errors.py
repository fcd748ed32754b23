"""How far two runs of one machine are apart, in norms that tell.

The coordinates q are those of the planar model of Tempel et al.: stretch and direction of every element, position and
turn of every body; in space a direction is a unit vector. The paper's norm, the root of the integral of |q|^2, is
dominated by where the machine is, not by how it moves: a machine that never moves has a small error in it. So the norm
of q - q(0) stands beside it.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from taut.results.result import Result


@dataclass(frozen=True)
class Errors:
    """Differences of two runs, relative to the first, until a time."""

    published: float  # error in the norm of q
    moved: float  # error in the norm of q - q(0)
    frozen: float  # error of a machine that never moves, in the norm of q
    body: float  # error of the bodies' positions, in the norm of their displacement from the start
    body_distance: float  # largest distance between a body's positions in both runs [m]

    def as_dict(self) -> dict[str, Any]:
        """The errors as plain data for JSON."""
        return asdict(self)


def coordinates(result: Result) -> np.ndarray:
    """Coordinates by which runs are compared, cables by directions of their elements [time, ...]."""
    parts = []
    if "cable_nodes" in result.dataset:
        elements = np.diff(result["cable_nodes"].values, axis=2)
        p = np.linalg.norm(elements, axis=-1)
        length = result["cable_length"].values / result["cable_element_count"].values
        parts += [p - length[..., None], elements / p[..., None]]
    turns = result["body_quaternion"].values
    parts += [result["body_position"].values, 2 * turns[..., 1:]]
    flat = [part.reshape(len(part), -1) for part in parts]
    return np.nan_to_num(np.concatenate(flat, axis=1))


def compare(full: Result, other: Result, until: float = np.inf) -> Errors:
    """Errors of the second run; both have the same samples."""
    count = int(np.sum(full.time <= until * (1 + 1e-12)))
    count = min(count, len(other.time))
    q, r = coordinates(full)[:count], coordinates(other)[:count]
    x, y = full["body_position"].values[:count], other["body_position"].values[:count]
    way = size(x - x[0])
    return Errors(
        published=size(r - q) / size(q),
        moved=size(r - q) / size(q - q[0]),
        frozen=size(q - q[0]) / size(q),
        body=size(y - x) / way if way > 0 else float(size(y - x) > 0),
        body_distance=float(np.linalg.norm(y - x, axis=-1).max()),
    )


def size(values: np.ndarray) -> float:
    """Root of the sum of squares."""
    return float(np.sqrt(np.sum(values**2)))
