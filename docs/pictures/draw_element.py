"""Draw one cable element of [Mamidi2024, sec. 2]: two rigid half-links, two bends and a stretch.

Usage: python docs/pictures/draw_element.py [FILE]    (default: cable-element.svg beside this script)
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Arc, FancyBboxPatch
from matplotlib.transforms import Affine2D

INK, CABLE, LINK, FAINT, QUIET = "#1f2a37", "#c2410c", "#3b6ea5", "#9ca3af", "#6b7280"
HALF, THICK = 1.6, 0.17  # length and half thickness of a half-link on paper
LENGTH = 4.2  # stretched element: its halves are drawn apart to show the spring
BEFORE, AFTER = np.radians(32), np.radians(-24)  # directions of the neighbours


def at(origin, angle, x, y=0.0):
    """A point given along and across a direction."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([origin[0] + c * x - s * y, origin[1] + s * x + c * y])


def half_link(ax, origin, angle, start, **style):
    """A rigid half-link from `start` along a direction."""
    box = FancyBboxPatch((start, -THICK), HALF, 2 * THICK, boxstyle="round,pad=0,rounding_size=0.09")
    box.set(edgecolor=INK, linewidth=1.0, zorder=3, **style)
    box.set_transform(Affine2D().rotate(angle).translate(*origin) + ax.transData)
    ax.add_patch(box)


def spring_and_damper(ax, start, end):
    """The axial law between the half-links: a spring above, a damper below."""
    x = np.linspace(start, end, 12)
    zigzag = 0.32 + 0.11 * np.array([0, 0, *([1, -1] * 4), 0, 0])
    ax.plot(x, zigzag, color=CABLE, lw=1.6, zorder=4)
    middle, y = (start + end) / 2, -0.36
    ax.plot([start, middle + 0.12], [y, y], color=CABLE, lw=1.6, zorder=4)
    ax.plot([middle + 0.12] * 2, [y - 0.1, y + 0.1], color=CABLE, lw=1.6, zorder=4)
    ax.plot([middle + 0.25, middle - 0.15, middle - 0.15, middle + 0.25], [y + 0.15, y + 0.15, y - 0.15, y - 0.15],
            color=CABLE, lw=1.6, zorder=4)  # fmt: skip
    ax.plot([middle + 0.25, end], [y, y], color=CABLE, lw=1.6, zorder=4)
    for side in (start, end):
        ax.plot([side, side], [-0.36, 0.32], color=CABLE, lw=1.6, zorder=2)


def node(ax, point, name, shift):
    """A joint of two bends, with its name."""
    ax.plot(*point, "o", ms=13, mfc="white", mec=INK, mew=1.6, zorder=6)
    ax.annotate(name, point, xytext=shift, textcoords="offset points", fontsize=13, color=INK, ha="center")


def write(ax, text, point, shift=(0, 0), **style):
    """Text at a point, shifted by points on paper."""
    style = {"fontsize": 10.5, "ha": "center", "color": INK, **style}
    ax.annotate(text, point, xytext=shift, textcoords="offset points", **style)


def draw_bend(ax):
    """The angle between the element and the one before it."""
    line = np.array([at((0, 0), BEFORE, x) for x in (0.0, 1.5)])
    ax.plot(*line.T, color=FAINT, lw=1.0, ls=(0, (4, 3)), zorder=2)
    ax.add_patch(Arc((0, 0), 2.4, 2.4, theta1=8, theta2=np.degrees(BEFORE), color=INK, lw=1.2, zorder=5))
    ax.annotate(r"$\beta_1, \beta_2$", (1.36, 0.78), fontsize=13, color=INK, ha="left")


def draw_labels(ax):
    """Write the names of masses, lengths and laws into the picture."""
    write(ax, "first half-link, $m/2$\nturns on $O_i$", (HALF / 2, -0.3), (10, -48))
    write(ax, "second half-link, $m/2$\nslides along the first", (LENGTH - HALF / 2, -0.3), (-22, -48))
    write(ax, "$EA/l$, $\\eta A/l$", (LENGTH / 2 + 0.3, 0.52), fontsize=11, color=CABLE)
    write(ax, "$EI/l$, $\\eta I/l$", (0, 0), (-22, 22), fontsize=11, color=CABLE)
    write(ax, "towards the exit $A$", at((0, 0), BEFORE, -HALF), (-14, -4), ha="right", color=QUIET)
    write(ax, "towards the anchor $B$", at((LENGTH, 0), AFTER, HALF), (0, -26), color=QUIET)
    write(ax, "stretch $p$, relaxed at $p = l$", (LENGTH / 2, -1.55), (0, 5))
    ax.annotate("", (LENGTH, -1.55), (0, -1.55), arrowprops={"arrowstyle": "<->", "color": INK, "lw": 1.1})
    for x in (0.0, LENGTH):
        ax.plot([x, x], [-1.7, -0.25], color=FAINT, lw=0.8, zorder=1)


def main(target: Path) -> None:
    """Draw the picture and write it to target."""
    matplotlib.rcParams.update({"svg.hashsalt": "taut", "mathtext.fontset": "cm"})
    figure, ax = plt.subplots(figsize=(8.2, 3.9))
    end = (LENGTH, 0.0)
    half_link(ax, at((0, 0), BEFORE, -HALF), BEFORE, 0.0, facecolor=FAINT, alpha=0.5)
    half_link(ax, end, AFTER, 0.0, facecolor=FAINT, alpha=0.5)
    half_link(ax, (0, 0), 0.0, 0.0, facecolor=LINK)
    half_link(ax, (0, 0), 0.0, LENGTH - HALF, facecolor="#7ba3cc")
    spring_and_damper(ax, HALF, LENGTH - HALF)
    draw_bend(ax)
    node(ax, (0, 0), "$O_i$", (12, -24))
    node(ax, end, "$O_{i+1}$", (10, 12))
    draw_labels(ax)
    ax.set_aspect("equal")
    ax.axis("off")
    metadata = {"Date": None} if target.suffix == ".svg" else {}
    figure.savefig(target, bbox_inches="tight", pad_inches=0.1, dpi=110, metadata=metadata, facecolor="white")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("cable-element.svg"))
