"""Run the moves of the cranes' page, print their table as Markdown, and draw the loads' swings.

Usage: python docs/pictures/draw_cranes.py [FILE]    (default: crane-moves.svg beside this script)
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from taut.verify.cranes.crane_moves import ARRIVED, DESIGNS, SETTLED, VARIATIONS, run_move

QUIET = "#6b7280"
COLORS = ["#c2410c", "#3b6ea5", "#15803d", "#7c3aed", "#b45309", "#0f766e"]


def load_motion(result):
    """Time, place of the load along the rail, and its angle below the trolley in degrees."""
    trolley, load = (result["body_position"].sel(body=name).values for name in ("trolley", "load"))
    d = load - trolley
    return result.time, load[:, 0], np.degrees(np.arctan2(d[:, 0], -d[:, 2]))


def table_line(name, scores):
    """One row: the nominal case in full, then the residual swing and time of the others."""
    nominal = scores["nominal"]
    cells = [name, f"{nominal.move_time:.1f}", f"{nominal.residual_swing:.3f}", f"{nominal.peak_swing:.1f}",
             f"{nominal.peak_force:.0f}", f"{nominal.effort:.1f}"]  # fmt: skip
    for variation, score in scores.items():
        if variation != "nominal":
            late = "" if score.move_time <= ARRIVED and score.residual_swing <= SETTLED else " *"
            cells.append(f"{score.residual_swing:.2f}{late}")
    return "| " + " | ".join(cells) + " |"


def main(target: Path) -> None:
    """Draw the picture and write it to target."""
    matplotlib.rcParams.update({"svg.hashsalt": "taut"})
    figure, (above, below) = plt.subplots(2, 1, figsize=(7.2, 5.6), sharex=True)
    for color, name in zip(COLORS, DESIGNS, strict=True):
        runs = {variation: run_move(name, variation) for variation in VARIATIONS}
        print(table_line(name, {variation: score for variation, (_, score) in runs.items()}), flush=True)
        time, x, swing = load_motion(runs["nominal"][0])
        above.plot(time, x, color=color, lw=1.4, label=name)
        below.plot(time, swing, color=color, lw=1.4)
    above.set_ylabel("load along the rail [m]")
    below.set_ylabel("swing of the load [deg]")
    below.set_xlabel("time [s]")
    below.axhspan(-SETTLED, SETTLED, color="#e5e7eb", zorder=0)
    for ax in (above, below):
        ax.axvline(ARRIVED, color=QUIET, lw=0.8, ls=(0, (4, 3)))
        ax.grid(True, color="#e5e7eb", lw=0.7)
        ax.spines[["top", "right"]].set_visible(False)
    above.legend(frameon=False, loc="lower right", ncols=2)
    metadata = {"Date": None} if target.suffix == ".svg" else {}
    figure.savefig(target, bbox_inches="tight", pad_inches=0.1, dpi=110, metadata=metadata, facecolor="white")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("crane-moves.svg"))
