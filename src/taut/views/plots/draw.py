"""Sheets to matplotlib figures: a row for each panel, a column for each result, legends beside the axes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.views.plots.sheet import TIME, Curve, Panel, Sheet
from taut.views.plots.style import FINE_LINE, LIMIT_COLOUR, POINTS, SCREEN, STEPS, Style, line_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEGEND_ROWS = 11  # most entries of a legend that fit beside a panel


def draw_sheets(sheets: Sequence[Sheet], names: Sequence[str], style: Style = SCREEN) -> "Figure":
    """Draw the same sheet of one or more results side by side, with common vertical axes.

    Args:
        sheets: One per result.
        names: What to write above each column; one result needs none.
        style: Letters, lines and sizes.
    """
    import matplotlib
    from matplotlib.figure import Figure

    labels = list(dict.fromkeys(panel.label for sheet in sheets for panel in sheet.panels))
    with matplotlib.rc_context(style.settings):
        width = style.panel_width * len(sheets) ** 0.75 + style.legend_width
        figure = Figure(
            figsize=(width, style.panel_height * len(labels) + 0.35 * style.panel_height), layout="constrained"
        )
        if style.has_title:
            figure.suptitle(sheets[0].title)
        axes = figure.subplots(len(labels), len(sheets), sharex="col", sharey="row", squeeze=False)
        rows = [
            _draw_row(row, [_panel(sheet, label) for sheet in sheets]) for row, label in zip(axes, labels, strict=True)
        ]
        _add_legends(axes[:, -1], rows)
        for axis, name in zip(axes[0], names, strict=True):
            axis.set_title(name if len(sheets) > 1 else "")
        for axis in axes[-1]:
            axis.set_xlabel(TIME)
        figure.align_ylabels(axes[:, 0])
    return figure


def save_figure(figure: "Figure", path: Any, style: Style = SCREEN) -> None:
    """Write a figure in the format of the path's suffix, without the date, so that equal results give equal files."""
    import matplotlib

    with matplotlib.rc_context(style.settings):
        undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
        figure.savefig(path, metadata=undated.get(path.suffix))


def _panel(sheet: Sheet, label: str) -> Panel:
    found = [panel for panel in sheet.panels if panel.label == label]
    return found[0] if found else Panel(label, [])


def _draw_row(row: Any, panels: Sequence[Panel]) -> dict[str, Any]:
    """Draw one quantity for all results, equal names with equal lines; return the lines by name."""
    names = list(dict.fromkeys(curve.label for panel in panels for curve in panel.curves))
    handles: dict[str, Any] = {}
    for axis, panel in zip(row, panels, strict=True):
        for curve in panel.curves:
            handles.setdefault(curve.label, _draw_curve(axis, curve, names.index(curve.label), panel))
        if panel.limit is not None:
            line = axis.axhline(panel.limit, color=LIMIT_COLOUR, linestyle=(0, (6, 3)), linewidth=0.9)
            handles.setdefault("limit", line)
        if not panel.curves:
            axis.text(0.5, 0.5, "none", transform=axis.transAxes, ha="center", va="center", color=LIMIT_COLOUR)
    _set_scale(row, panels)
    row[0].set_ylabel(panels[0].label)
    return handles


def _add_legends(axes: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Put legends beside the axes, where they cover nothing; one curve needs none, nor does a repetition."""
    shown: list[str] = []
    for axis, handles in zip(axes, rows, strict=True):
        names = list(handles)
        if len(names) > 1 and names != shown:
            place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.03), "borderaxespad": 0.0}
            axis.legend(list(handles.values()), names, ncols=-(-len(names) // LEGEND_ROWS), **place)
            shown = names


def _draw_curve(axis: Any, curve: Curve, index: int, panel: Panel) -> Any:
    y = np.where(curve.y > 0.0, curve.y, np.nan) if panel.is_logarithmic else curve.y
    kinds = {"line": FINE_LINE if panel.is_logarithmic else {}, "steps": STEPS, "points": POINTS}
    style = line_style(index) | kinds[curve.kind]
    (line,) = axis.plot(curve.x, y, label=curve.label, **style)
    return line


def _set_scale(row: Any, panels: Sequence[Panel]) -> None:
    is_logarithmic = any(panel.is_logarithmic for panel in panels)
    # a logarithmic axis needs a positive value: without any, the axis stays linear
    values = [curve.y for panel in panels for curve in panel.curves]
    if is_logarithmic and any(np.any(y > 0.0) for y in values):
        row[0].set_yscale("log")
        return
    if any(panel.is_integer for panel in panels):
        row[0].yaxis.get_major_locator().set_params(integer=True)
    low, high = row[0].get_ylim()
    span = max(panel.smallest_span for panel in panels)
    if high - low < span:
        middle = 0.5 * (low + high)
        row[0].set_ylim(middle - 0.5 * span, middle + 0.5 * span)
