"""Forces on the ends of the cables, by component (as [Mamidi2024, Figs. 12 and 13])."""

from taut.results.result import Result
from taut.views.plots.sheet import Panel, Sheet, curves_of

SMALLEST = 1e-6  # smallest span of a vertical axis [N]
ENDS = {"anchor_force": "anchors", "exit_force": "exits"}


def force_sheets(result: Result) -> list[Sheet]:
    """A sheet for the anchors and one for the exits, a panel for each component."""
    return [_sheet(result, name, ends) for name, ends in ENDS.items() if name in result]


def _sheet(result: Result, name: str, ends: str) -> Sheet:
    panels = [
        Panel(f"force along {axis} [N]", curves_of(result[name].sel(xyz=axis), "cable"), smallest_span=SMALLEST)
        for axis in "xyz"
    ]
    return Sheet(name.replace("_", "-"), f"Force on the cables at their {ends}", panels)
