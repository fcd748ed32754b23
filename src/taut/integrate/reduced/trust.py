"""Where a reduced model can be trusted: how far its coordinates are from those of its training runs.

For every shape, the distance from the middle of the range in training, in halves of that range, and the speed against
the largest in training; the largest of all, each against its limit, is the number ``rom_trust``: up to 1 the model is
where it was trained or a little beyond it. Ranges that are small against the largest of their cable count as a share of
that one, since what hardly moves does not matter.
"""

from typing import Any

import numpy as np

from taut.model import Model

RANGE_LIMIT = 1.5  # limit of the distance from the middle of the training range, in half ranges
RATE_LIMIT = 2.0  # limit of the speed, relative to the largest speed in training
SMALL = 0.05  # smaller ranges are widened to this share of the cable's largest range
MESSAGE = "the reduced model leaves the range of its training at t = {:.6g} s; results after that are not to be trusted"


def trust(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray | None:
    """The channel ``rom_trust`` at samples q, v [time, ...]; none if no reduced cable knows its training."""
    found = [
        distance(cable.valid, cable.groups(), *own(model, name, q, v))
        for name, cable in model.reduced.items()
        if cable.valid is not None
    ]
    if model.points is not None:
        # the distance is measured in coordinates and speeds
        place = model.points.place(q, v)
        found.append(distance(model.points.valid, [slice(None)], place, np.zeros_like(place)))
    return np.max(found, axis=0) if found else None


def own(model: Model, cable: str, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and speeds of one cable."""
    node = model.tables.nodes[model.names.cables[cable][0]]
    n = int(node.column_count)
    return q[:, node.coordinate : node.coordinate + n], v[:, node.column : node.column + n]


def distance(valid: Any, groups: list[slice], q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Largest distance of one cable's coordinates and speeds, in their limits [time]."""
    middle, half = (valid.high + valid.low) / 2, (valid.high - valid.low) / 2
    found = np.zeros(len(q))
    for part in groups:
        ranges = np.maximum(half[part], SMALL * half[part].max(initial=1e-12))
        rates = np.maximum(valid.rate[part], SMALL * valid.rate[part].max(initial=1e-12))
        away = np.abs(q[:, part] - middle[part]) / ranges / RANGE_LIMIT
        fast = np.abs(v[:, part]) / rates / RATE_LIMIT
        found = np.maximum(found, np.maximum(away.max(axis=1), fast.max(axis=1)))
    return found


def first_outside(time: np.ndarray, values: np.ndarray) -> float | None:
    """Time of the first sample that is outside [s]; none if all are inside."""
    outside = np.flatnonzero(~(values <= 1.0))
    return float(time[outside[0]]) if len(outside) else None
