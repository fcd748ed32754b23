"""Draw microseconds per evaluation against elements per cable, from the benchmark's JSON.

Usage: taut bench forward-dynamics --json > docs/pictures/forward-dynamics.json
       python docs/pictures/draw_growth.py [FILE]    (default: growth.svg beside this script)
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

FIGURES = Path(__file__).with_name("forward-dynamics.json")
INK, QUIET = "#1f2a37", "#6b7280"
FORMS = {
    "us_multiplier": ("exits held by multipliers", "#c2410c", "o"),
    "us_eliminated": ("exits eliminated", "#3b6ea5", "s"),
}


def draw_figures(ax, figures):
    """Draw the figures of both forms of the robot and of Pinocchio, and a line of slope one."""
    for key, (label, color, marker) in FORMS.items():
        elements = np.array([int(n) for n in figures[key]])
        times = np.array(list(figures[key].values()))
        ax.loglog(elements, times, marker, ls="-", color=color, ms=6, lw=1.5, label=label)
    ax.loglog(elements, times[-1] * elements / elements[-1] / 1.6, color=QUIET, lw=1.0, ls=(0, (4, 3)))
    ax.annotate(
        "in proportion", (elements[-2], times[-1] / 3.2), xytext=(6, -12), textcoords="offset points", color=QUIET
    )
    if figures["pinocchio_us"] is not None:
        ax.loglog(
            [5], [figures["pinocchio_us"]], "D", color=INK, ms=7, label="Pinocchio constraintDynamics, with multipliers"
        )


def main(target: Path) -> None:
    """Draw the picture and write it to target."""
    matplotlib.rcParams.update({"svg.hashsalt": "taut"})
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    figure, ax = plt.subplots(figsize=(6.4, 4.2))
    draw_figures(ax, figures)
    ax.set_xticks([5, 10, 20, 40, 80, 160], ["5", "10", "20", "40", "80", "160"])
    ax.minorticks_off()
    ax.set_xlabel("elements per cable, four cables")
    ax.set_ylabel("forward dynamics [µs]")
    ax.grid(True, color="#e5e7eb", lw=0.7)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, loc="upper left")
    metadata = {"Date": None} if target.suffix == ".svg" else {}
    figure.savefig(target, bbox_inches="tight", pad_inches=0.1, dpi=110, metadata=metadata, facecolor="white")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("growth.svg"))
