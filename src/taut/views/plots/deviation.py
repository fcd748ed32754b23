"""How far the platform stays behind moving exits (as [Mamidi2024, Figs. 8 and 11, Eq. 22])."""

import numpy as np

from taut.results.result import Result
from taut.views.plots.sheet import Panel, Sheet, curves_of

SMALLEST = 1e-6  # smallest span of a vertical axis [m]
MOVES = 1e-6  # exits that move less than this count as fixed [m]


def deviation_sheets(result: Result) -> list[Sheet]:
    """Mean displacement of the exits, and the platform's displacement less that; nothing if the exits stay."""
    if "cable_nodes" not in result or "platform_position" not in result:
        return []
    exits = result["cable_nodes"].isel(node=0)
    lift = (exits - exits[0]).mean("cable")
    if not np.nanmax(np.abs(lift.values)) > MOVES:
        return []
    position = result["platform_position"]
    deviation = position - position[0] - lift  # Eq. (22) of the source
    panels = [
        Panel("exit displacement [m]", curves_of(lift, "xyz"), smallest_span=SMALLEST),
        Panel("platform deviation [m]", curves_of(deviation, "xyz"), smallest_span=SMALLEST),
    ]
    return [Sheet("deviation", "Deviation of platform from the exits' motion", panels)]
