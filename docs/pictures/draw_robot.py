"""Draw the 4-4 cable robot of [Mamidi2024]: four cables, one platform, exit points that move.

The robot is drawn at the top of its path (t = 3 s) and, faintly, where it starts and where it ends.

Usage: python docs/pictures/draw_robot.py [FILE]    (default: four-four-robot.svg beside this script)
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Polygon

# the machine [m]: exit points A_i at the start, anchors B_i in the platform frame, platform centre at the start
Y0 = np.sqrt(29 / 5) / 4
EXITS = np.array([[0.4, Y0, 0.95], [1.0, Y0, 0.95], [0.4, Y0 + 0.8, 0.95], [1.0, Y0 + 0.8, 0.95]])
ANCHORS = np.array([[-0.3, -0.4, 0.1], [0.3, -0.4, 0.1], [-0.3, 0.4, 0.1], [0.3, 0.4, 0.1]])
PLATFORM = np.array([0.7, Y0 + 0.4, 0.1])
BOX = np.array([0.6, 0.8, 0.2])
ELEMENTS = 5

# where the exit points stand, relative to the start, at t = 0, 2, 3, 4 and 6 s [m]
S = 1 / (2 * np.sqrt(2))
OFFSETS = np.array([[0, 0, 0], [0, 0, 1], [S, S, 1 + np.sqrt(3) / 2], [2 * S, 2 * S, 1], [2 * S, 2 * S, 0]])

# the view: orthographic, from the front right and above
AZIMUTH, ELEVATION = np.radians(-60), np.radians(16)
EYE = np.array([np.cos(ELEVATION) * np.cos(AZIMUTH), np.cos(ELEVATION) * np.sin(AZIMUTH), np.sin(ELEVATION)])
RIGHT = np.array([-np.sin(AZIMUTH), np.cos(AZIMUTH), 0.0])
UP = np.cross(EYE, RIGHT)

INK, CABLE, FACE, PATH, GROUND = "#1f2a37", "#c2410c", "#3b6ea5", "#6b7280", "#cbd5e1"
# faces of a unit box by the signs of their corners, with the axis they are normal to
FACES = {
    axis: [np.roll([side, u, v], axis) for u, v in [(-1, -1), (1, -1), (1, 1), (-1, 1)]]
    for axis, side in [(0, 1), (1, -1), (2, 1)]
}
SHADE = {0: 0.62, 1: 0.80, 2: 1.12}


def project(points):
    """Picture coordinates of points, shape [n, 3] to [n, 2]."""
    points = np.atleast_2d(points)
    return np.column_stack([points @ RIGHT, points @ UP])


def line(ax, points, **style):
    """Draw a polyline through points, shape [n, 3]."""
    ax.plot(*project(points).T, solid_capstyle="round", **style)


def shaded(axis):
    """The platform's colour on the face normal to an axis."""
    rgb = np.array(matplotlib.colors.to_rgb(FACE)) * SHADE[axis]
    return tuple(np.clip(rgb, 0, 1))


def draw_ground(ax):
    """A grid of 0.2 m on the floor, z = 0."""
    xs, ys = np.arange(0.0, 2.21, 0.2), np.arange(0.2, 2.81, 0.2)
    floor = [[xs[0], ys[0], 0], [xs[-1], ys[0], 0], [xs[-1], ys[-1], 0], [xs[0], ys[-1], 0]]
    ax.add_patch(Polygon(project(floor), facecolor="#f1f5f9", edgecolor="none", zorder=0))
    for x in xs:
        line(ax, [[x, ys[0], 0], [x, ys[-1], 0]], color=GROUND, lw=0.6, zorder=1)
    for y in ys:
        line(ax, [[xs[0], y, 0], [xs[-1], y, 0]], color=GROUND, lw=0.6, zorder=1)


def draw_robot(ax, offset, alpha, zorder):
    """The platform and its straight cables, displaced by offset [m]."""
    centre = PLATFORM + offset
    for axis, corners in FACES.items():
        face = Polygon(project(centre + np.array(corners) * BOX / 2), facecolor=shaded(axis), edgecolor=INK)
        face.set(alpha=alpha, linewidth=0.8, zorder=zorder, joinstyle="round")
        ax.add_patch(face)
    # cable 3 and 4 are behind, but no platform face hides them: all anchors lie on the upper face
    for exit_point, anchor in zip(EXITS + offset, centre + ANCHORS, strict=True):
        nodes = np.linspace(exit_point, anchor, ELEMENTS + 1)
        line(ax, nodes, color=CABLE, lw=1.8, alpha=alpha, zorder=zorder + 1)
        ax.plot(*project(nodes[1:-1]).T, "o", ms=3.4, mfc="white", mec=CABLE, mew=1.0, alpha=alpha, zorder=zorder + 2)
        ax.plot(*project(exit_point).T, "s", ms=6.5, mfc=INK, mec="white", mew=0.8, alpha=alpha, zorder=zorder + 2)
        ax.plot(*project(anchor).T, "o", ms=5, mfc=INK, mec="white", mew=0.8, alpha=alpha, zorder=zorder + 2)


def draw_paths(ax):
    """The way of the platform's centre and of the exit points."""
    for exit_point in EXITS:
        line(ax, exit_point + OFFSETS, color=PATH, lw=0.7, ls=(0, (1, 2.5)), zorder=3)
    line(ax, PLATFORM + OFFSETS, color=PATH, lw=1.2, ls=(0, (5, 3)), zorder=3)


def label(ax, point, text, shift, **style):
    """Write text at a point in space, shifted by points on paper."""
    ax.annotate(text, project(point)[0], xytext=shift, textcoords="offset points", zorder=20, **style)


def draw_labels(ax, offset):
    """Names of exit points, anchors and instants."""
    shifts_a = [(-20, 3), (8, -4), (-20, 3), (8, 3)]
    shifts_b = [(-22, -3), (7, -11), (-22, 2), (9, -4)]
    for i in range(4):
        label(ax, EXITS[i] + offset, f"$A_{i + 1}$", shifts_a[i], fontsize=12, color=INK)
        color = "white" if i == 1 else INK  # B_2 is written on the platform
        label(ax, PLATFORM + ANCHORS[i] + offset, f"$B_{i + 1}$", shifts_b[i], fontsize=12, color=color)
    for k, text, shift in [(0, "t = 0", (-4, -14)), (2, "t = 3 s", (-46, -8)), (4, "t = 6 s", (-4, -14))]:
        corner = PLATFORM + OFFSETS[k] + BOX * [-0.5, -0.5, -0.5]
        label(ax, corner, text, shift, fontsize=11, color=PATH)


def draw_triad(ax):
    """Draw the world axes, Z up."""
    origin = np.array([0.0, 0.2, 0.0])
    for direction, name in zip(np.eye(3), "XYZ", strict=True):
        tip = origin + 0.32 * direction
        arrow = {"arrowstyle": "-|>", "color": INK, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", project(tip)[0], xytext=project(origin)[0], arrowprops=arrow, zorder=19)
        label(ax, tip + 0.06 * direction, name, (0, 0), fontsize=10, color=INK, ha="center", va="center")


def main(target):
    """Draw the picture and write it to target."""
    matplotlib.rcParams.update({"svg.hashsalt": "taut", "mathtext.fontset": "cm"})
    figure, ax = plt.subplots(figsize=(8, 6.8))
    draw_ground(ax)
    draw_paths(ax)
    draw_robot(ax, OFFSETS[4], alpha=0.30, zorder=4)
    draw_robot(ax, OFFSETS[0], alpha=0.30, zorder=7)
    draw_robot(ax, OFFSETS[2], alpha=1.0, zorder=10)
    draw_labels(ax, OFFSETS[2])
    draw_triad(ax)
    ax.set_aspect("equal")
    ax.axis("off")
    metadata = {"Date": None} if target.suffix == ".svg" else {}
    figure.savefig(target, bbox_inches="tight", pad_inches=0.1, dpi=110, metadata=metadata, facecolor="white")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("four-four-robot.svg"))
