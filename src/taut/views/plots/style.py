"""The look of all figures, in one place.

Colours are those of Okabe and Ito, which stay apart for colour-blind readers; the yellow is left out, as it is too pale
on white. Line styles change with the colours, so that curves stay apart in grey, and one on top of another shows both.
"""

from dataclasses import dataclass
from typing import Any

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 1.5)), (0, (4, 1.5, 1, 1.5)), (0, (1.2, 1.2)))
LIMIT_COLOUR = "#7F7F7F"

DOTS_PER_INCH = 200

SETTINGS: dict[Any, Any] = {
    "agg.path.chunksize": 10000,
    "axes.axisbelow": True,
    "axes.edgecolor": "#444444",
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "axes.formatter.useoffset": False,
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9,
    "axes.xmargin": 0.0,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "figure.titlesize": 10,
    "figure.titleweight": "bold",
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.5,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "lines.linewidth": 1.3,
    "lines.markersize": 2.5,
    "mathtext.fontset": "dejavusans",
    "pdf.fonttype": 42,
    "savefig.dpi": DOTS_PER_INCH,
    "svg.fonttype": "none",
    "svg.hashsalt": "taut",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}


@dataclass(frozen=True)
class Style:
    """Settings of matplotlib, and the sizes of what it draws [inches]."""

    settings: dict[Any, Any]
    panel_width: float = 5.6
    panel_height: float = 2.0
    legend_width: float = 1.2
    has_title: bool = True


# for papers: small letters with serifs, thin frames, the width of a column, and no title, which belongs in the caption
PAPER: dict[Any, Any] = SETTINGS | {
    "axes.grid": False,
    "axes.edgecolor": "#000000",
    "axes.labelsize": 8,
    "axes.spines.right": True,
    "axes.spines.top": True,
    "axes.titlesize": 8,
    "font.family": "STIXGeneral",
    "font.size": 8,
    "legend.fontsize": 7,
    "legend.handlelength": 2.0,
    "lines.linewidth": 0.9,
    "mathtext.fontset": "stix",
    "savefig.dpi": 400,
    "xtick.direction": "in",
    "xtick.labelsize": 7,
    "ytick.direction": "in",
    "ytick.labelsize": 7,
}
# for talks: letters that can be read from a projector's wall
TALK: dict[Any, Any] = SETTINGS | {
    "axes.labelsize": 13,
    "axes.titlesize": 13,
    "figure.titlesize": 15,
    "font.size": 13,
    "legend.fontsize": 12,
    "lines.linewidth": 2.2,
    "lines.markersize": 4,
    "xtick.labelsize": 12,
    "ytick.labelsize": 12,
}

STYLES = {
    "screen": Style(SETTINGS),
    "paper": Style(PAPER, panel_width=2.75, panel_height=1.25, legend_width=0.75, has_title=False),
    "talk": Style(TALK, panel_width=8.2, panel_height=2.9, legend_width=1.7),
}
SCREEN = STYLES["screen"]

# thin line for noise on a logarithmic axis, where thick lines merge
FINE_LINE = {"linestyle": "solid", "linewidth": 0.7, "alpha": 0.9}
STEPS = {"linestyle": "solid", "linewidth": 0.8, "drawstyle": "steps-pre", "marker": "o", "markevery": slice(1, None)}
POINTS = {"linestyle": "none", "marker": "o"}


def line_style(index: int) -> dict[str, Any]:
    """Colour and dashes of the n-th curve; 28 pairs come before one repeats."""
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": DASHES[index % len(DASHES)]}
