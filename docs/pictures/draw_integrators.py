"""Draw work against precision of the integrators, from the benchmark's JSON.

Usage: taut bench integrators --json > docs/pictures/integrators.json
       python docs/pictures/draw_integrators.py [FILE]    (default: integrators.svg beside this script)
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FIGURES = Path(__file__).with_name("integrators.json")
TITLES = {"stewart": "Stewart platform, rigid, 1 s", "mamidi-pick-and-place": "4-4 cable robot, elastic, 6 s"}
METHODS = {
    "radau": ("radau", "#c2410c", "o"),
    "generalized-alpha, index 2": ("generalized-alpha, fixed step", "#3b6ea5", "s"),
    "generalized-alpha, adaptive": ("generalized-alpha, adaptive", "#7aa6d1", "^"),
    "explicit": ("explicit", "#2f7d4f", "D"),
}


def draw_machine(ax, rows, title):
    """One line per method that came to the end."""
    for name, (label, color, marker) in METHODS.items():
        done = [row for row in rows[name] if row["status"] == "completed"]
        points = [(row["error"], 1e3 * row["seconds"]) for row in done]
        if points:
            ax.loglog(*zip(*points, strict=True), marker, ls="-", color=color, ms=6, lw=1.5, label=label)
    ax.invert_xaxis()
    ax.set_xlabel("largest error of the platform [m]")
    ax.set_title(title, fontsize="medium")
    ax.grid(visible=True, which="major", lw=0.4, color="#d1d5db")
    ax.spines[["top", "right"]].set_visible(False)


def main(target: Path) -> None:
    """Draw the picture and write it to target."""
    matplotlib.rcParams.update({"svg.hashsalt": "taut"})
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    figure, axes = plt.subplots(1, 2, figsize=(9.2, 3.9), layout="constrained", sharey=True)
    for ax, (name, title) in zip(axes, TITLES.items(), strict=True):
        draw_machine(ax, figures[name], title)
    axes[0].set_ylabel("time of the run [ms]")
    axes[0].yaxis.set_major_formatter("{x:g}")
    axes[0].legend(frameon=False, fontsize="small")
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("integrators.svg"))
