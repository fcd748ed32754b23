"""Draw four quadcopters that lift a platform until one fails: height, tilt and the pull of the cables.

Usage: python docs/pictures/draw_failure.py [FILE]    (default: failure.png beside this script)
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import taut


def main(target: Path) -> None:
    """Run the scenario, and draw height, tilt and tensions."""
    result = taut.simulate(taut.build(taut.library.load("mamidi-quadcopter-failure-paper")))
    time, turn = result.time, result["platform_quaternion"].values
    tilt = 2 * np.arccos(np.clip(np.abs(turn[:, 0]), 0, 1))
    figure, axes = plt.subplots(3, 1, figsize=(7.2, 6.0), sharex=True, constrained_layout=True)
    axes[0].plot(time, result["platform_position"].values[:, 2], color="#1f2a37")
    axes[0].set_ylabel("height [m]")
    axes[1].plot(time, tilt, color="#c2410c")
    axes[1].set_ylabel("tilt [rad]")
    for k, name in enumerate(result["cable_tension_anchor"]["cable"].values):
        axes[2].plot(time, result["cable_tension_anchor"].values[:, k], lw=0.9, label=str(name))
    axes[2].set_ylim(-10, 15)
    axes[2].set_ylabel("pull at the anchor [N]")
    axes[2].set_xlabel("t [s]")
    axes[2].legend(frameon=False, ncol=4, fontsize=8)
    for ax in axes:
        ax.axvline(3.0, color="#6b7280", lw=0.8, ls=(0, (4, 3)))
        ax.grid(True, color="#e5e7eb", lw=0.7)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(target, dpi=100, facecolor="white")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("failure.png"))
