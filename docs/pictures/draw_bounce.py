"""Draw a mass on a cable that goes slack, and print the tables of the page on impacts and slack.

Usage: python docs/pictures/draw_bounce.py [FILE]    (default: bounce.svg beside this script)
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import taut
from taut.verify.suspension.nonsmooth import METHODS, PERIOD, bounce

STEPS = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4)
STIFFNESS, GRAVITY = 1000.0, 9.81
COLOURS = {"nonsmooth-alpha": "#c2410c", "moreau-jean": "#3b6ea5", "explicit Euler": "#6b7280"}


def naive(step, duration=4.0):
    """Times, heights and energies by Euler's explicit rule."""
    z, v, rows = 0.0, 0.0, []
    for k in range(round(duration / step) + 1):
        stretch = max(-z - 1.0, 0.0)
        rows.append((k * step, z, 0.5 * v * v + GRAVITY * z + 0.5 * STIFFNESS * stretch**2))
        z, v = z + step * v, v + step * (STIFFNESS * stretch - GRAVITY)
    return np.array(rows).T


def naive_row(step):
    """Error of the period, and gain of energy in it against that of the fall."""
    time, z, energy = naive(step, 1.5)
    later = time > 0.7
    k = np.flatnonzero(later)[np.argmax(z[later])]
    return abs(time[k] - PERIOD), energy[k] / GRAVITY


def table():
    """Errors of the period and gains of energy, by step."""
    print("| step | " + " | ".join(f"{name}: period, energy" for name in (*METHODS, "explicit Euler")) + " |")
    print("|---|---|---|---|")
    for step in STEPS:
        rows = [*(bounce(name, step) for name in METHODS), naive_row(step)]
        print(f"| {1e3 * step:g} ms | " + " | ".join(f"{error:.1e} s, {gain:.0e}" for error, gain in rows) + " |")


def main(target):
    """Heights and energies of four seconds at a step of 1 ms."""
    matplotlib.rcParams.update({"svg.hashsalt": "taut"})
    figure, axes = plt.subplots(1, 2, figsize=(9.2, 3.4), layout="constrained")
    runs = {"explicit Euler": naive(1e-3)}
    model = taut.build(taut.library.load("bounce", ["run.save_every=0.002"]))
    for name, settings in METHODS.items():
        result = taut.simulate(model, step=1e-3, tolerance=1e-8, **settings)
        energy = sum(result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic"))
        runs[name] = result["time"].values, result["body_position"].values[:, 0, 2], energy
    for name, (time, height, energy) in runs.items():
        axes[0].plot(time, height, color=COLOURS[name], lw=1.2, label=name)
        axes[1].plot(time, 100.0 * (energy - energy[0]) / GRAVITY, color=COLOURS[name], lw=1.2)
    axes[0].set(xlabel="time [s]", ylabel="height [m]")
    axes[1].set(xlabel="time [s]", ylabel="energy gained [% of the fall]")
    axes[0].legend(frameon=False, fontsize="small", loc="lower left")
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    table()
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("bounce.svg"))
