"""Draw what the flow of material does: a cable paid out fast, consistent and as published, against a fine solution.

Usage: python docs/pictures/draw_feed.py [FILE]    (default: feed.png beside this script)
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.verify.cables.feed import paid_out

INK, QUIET = "#1f2a37", "#6b7280"
FORMS = {"consistent": ("#3b6ea5", "o"), "paper": ("#c2410c", "s")}
COUNTS, FINE = (5, 10, 20, 40), 80


def path(elements: int, feed: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and places of a payload that is paid out."""
    machine = paid_out(elements)
    machine._data["drivers"]["winch"]["feed"] = feed
    result = simulate(build(machine.scenario()))
    return result.time, result["body_position"].values[:, 0]


def main(target: Path) -> None:
    """Run the machine with both forms of the flow, and draw the paths."""
    time, fine = path(FINE, "consistent")
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.8), constrained_layout=True)
    left.plot(time, fine[:, 0], color=INK, lw=1.2, label=f"consistent, {FINE} elements")
    for feed, (color, marker) in FORMS.items():
        paths = {elements: path(elements, feed)[1] for elements in COUNTS}
        errors = [1e3 * np.linalg.norm(paths[n] - fine, axis=1).max() for n in COUNTS]
        print(feed, dict(zip(COUNTS, np.round(errors, 2).tolist(), strict=True)), "mm")
        left.plot(time, paths[40][:, 0], color=color, lw=1.2, ls=(0, (4, 2)), label=f"{feed}, 40 elements")
        right.loglog(COUNTS, errors, marker=marker, color=color, label=f"feed: {feed}")
    left.set_xlabel("t [s]")
    left.set_ylabel("payload x [m]")
    right.set_xlabel("elements")
    right.set_ylabel("largest error of the payload [mm]")
    right.set_xticks(COUNTS, [str(n) for n in COUNTS])
    right.minorticks_off()
    for ax in (left, right):
        ax.grid(True, color="#e5e7eb", lw=0.7)
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(frameon=False, fontsize=8)
    figure.savefig(target, dpi=110, facecolor="white")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("feed.png"))
