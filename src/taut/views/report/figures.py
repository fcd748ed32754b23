"""The figures of a report: every group that the result has something for, as pictures inside the page."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO

from taut.results.result import Result
from taut.views.plots import ALL_GROUPS
from taut.views.plots.draw import draw_sheets
from taut.views.plots.sheet import Curve, Sheet
from taut.views.plots.style import SETTINGS, Style
from taut.views.thinning import thin

# no mathematical notation at the axes: plain numbers are drawn much quicker
STYLE = Style(SETTINGS | {"axes.formatter.use_mathtext": False, "svg.fonttype": "path", "savefig.dpi": 160})
LEFT_OUT = ("element", "bodies", "joint", "multiplier")
MOST_POINTS = 1200  # most points of a curve; more cannot be told apart in a figure
MOST_CURVES = 40  # most curves of a vector figure (SVG); a figure with more is stored as pixels (PNG)


@dataclass(frozen=True)
class Figure:
    """A picture as text for a page, and where time runs in it."""

    name: str
    title: str
    address: str  # the figure itself as a data: URL
    left: float  # left edge of the axes, relative to the width
    width: float
    low: float  # first time on the axes [s]
    high: float


def report_figures(result: Result) -> Iterator[tuple[str, list[Figure]]]:
    """Groups with their figures, in the order of `taut plot`; the long ones are left to it."""
    for group, sheets_of in ALL_GROUPS.items():
        if group in LEFT_OUT:
            continue
        figures = [make_figure(sheet) for sheet in sheets_of(result)]
        if figures:
            yield group, figures


def make_figure(sheet: Sheet) -> Figure:
    """Draw one sheet; few curves as lines (SVG), many as pixels (PNG)."""
    import matplotlib

    figure = draw_sheets([thin_sheet(sheet)], [""], STYLE)
    curves = sum(len(panel.curves) for panel in sheet.panels)
    kind, mime = ("svg", "image/svg+xml") if curves <= MOST_CURVES else ("png", "image/png")
    memory = BytesIO()
    with matplotlib.rc_context(STYLE.settings):
        # compute the layout once, without drawing; the vector renderer would do it again, and slowly
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        figure.savefig(memory, format=kind, metadata={"Date": None} if kind == "svg" else None)
    box, (low, high) = figure.axes[0].get_position(), figure.axes[0].get_xlim()
    address = f"data:{mime};base64,{base64.b64encode(memory.getvalue()).decode('ascii')}"
    return Figure(sheet.name, sheet.title, address, float(box.x0), float(box.width), float(low), float(high))


def thin_sheet(sheet: Sheet) -> Sheet:
    """The sheet with fewer points, for an equal picture."""
    panels = [replace(panel, curves=[_thin(curve) for curve in panel.curves]) for panel in sheet.panels]
    return replace(sheet, panels=panels)


def _thin(curve: Curve) -> Curve:
    x, y = thin(curve.x, curve.y, MOST_POINTS)
    return replace(curve, x=x, y=y)
