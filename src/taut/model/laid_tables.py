"""Tables of ropes laid over guides, as ``kernels/routes.py`` reads them; the caller chooses the numbers of nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.model import tables
from taut.model.routes import Wheel


@dataclass(frozen=True)
class LaidGuide:
    """An end of a rope, or what it runs over."""

    node: int  # number of the body that carries the guide
    point: Any  # hole or end, centre of a sheave, or inlet of a pulley, in the axes of that body [m]
    wheel: Wheel | None = None  # the wheel that the rope runs over; None: the rope runs through a point
    axis: Any = None  # axis of the wheel, in the axes of that body


def laid_tables(ropes: Sequence[Sequence[LaidGuide]]) -> dict[str, Any]:
    """Routes, guides and sheaves of ropes, each a row of guides from end to end; references of arcs are left out."""
    guides = [guide for rope in ropes for guide in rope]
    wheels = [guide for guide in guides if guide.wheel is not None]
    found = {
        "routes": tables.new_table(tables.ROUTES, len(ropes)),
        "guides": tables.new_table(tables.GUIDES, len(guides)),
        "sheaves": tables.new_table(tables.SHEAVES, len(wheels)),
    }
    counts = np.array([len(rope) for rope in ropes], int)
    found["routes"]["count"], found["routes"]["guide"] = counts, np.cumsum(counts) - counts
    found["routes"]["has_sheaves"] = [any(guide.wheel is not None for guide in rope) for rope in ropes]
    found["guides"]["sheave"], found["guides"]["column"] = -1, -1
    count = 0
    for row, guide in zip(found["guides"], guides, strict=True):
        row.node, row.point = guide.node, guide.point
        if guide.wheel is not None:
            wheel, sheave = guide.wheel, found["sheaves"][count]
            sheave.kind, sheave.radius, sheave.side, sheave.wrap = wheel.kind, wheel.radius, wheel.side, wheel.wrap
            sheave.axis = guide.axis if guide.axis is not None else (0.0, 0.0, 1.0)
            row.sheave, count = count, count + 1
    return found
