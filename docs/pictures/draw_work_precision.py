"""Draw work against precision of taut, Exudyn and MuJoCo on the pick-and-place, from the benchmark's JSON.

Usage: taut bench pick-and-place --json > docs/pictures/pick-and-place.json
       python docs/pictures/draw_work_precision.py [FILE]    (default: work-precision.svg beside this script)
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FIGURES = Path(__file__).with_name("pick-and-place.json")
ENGINES = {
    "ours": ("taut", "#c2410c", "o"),
    "exudyn": ("Exudyn, generalized-alpha", "#3b6ea5", "s"),
    "mujoco": ("MuJoCo, discrete", "#2f7d4f", "D"),
}


def main(target: Path) -> None:
    """Draw the picture and write it to target."""
    matplotlib.rcParams.update({"svg.hashsalt": "taut"})
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    figure, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    for name, (label, color, marker) in ENGINES.items():
        points = [(row["error"], 1e3 * row["seconds"]) for row in figures[name]]
        ax.loglog(*zip(*points, strict=True), marker, ls="-", color=color, ms=6, lw=1.5, label=label)
    ax.invert_xaxis()
    ax.set_xlabel("largest error of the platform [m]")
    ax.set_ylabel("time of the run of 6 s [ms]")
    ax.yaxis.set_major_formatter("{x:g}")
    ax.grid(visible=True, which="major", lw=0.4, color="#d1d5db")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize="small")
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("work-precision.svg"))
