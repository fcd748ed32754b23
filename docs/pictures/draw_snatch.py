"""Draw a load that a slack cable with mass snatches, in the usual fixed steps, and print what each method gains.

Usage: python docs/pictures/draw_snatch.py [FILE]    (default: snatch.svg beside this script)
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from taut.verify.suspension.nonsmooth import DAMPERS, SNATCHED, gain, snatched

COLOURS = {
    "nonsmooth-alpha": "#c2410c",
    "nonsmooth-alpha, impulses": "#b45309",
    "moreau-jean": "#3b6ea5",
}
ELEMENTS = 20
# settings of the published scheme, which has no limit on gained energy
FREE = {"integrator": "nonsmooth-alpha", "nonsmooth_alpha": {"stabilisation": "none"}}


def stored(result):
    """Stored energy against that at the start [J]."""
    energy = sum(result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic"))
    return energy - energy[0]


def table():
    """Energy gained by every method, the worst of its element counts."""
    print("| | " + " | ".join(DAMPERS) + " |")
    print("|---" * (len(DAMPERS) + 1) + "|")
    for name, (settings, counts) in SNATCHED.items():
        worst = [max(gain(snatched(n, dampers, settings)) for n in counts) for dampers in DAMPERS.values()]
        print(f"| {name} | " + " | ".join(f"{100 * value:.3f} %" for value in worst) + " |")


def main(target):
    """Height of the load, and stored energy."""
    matplotlib.rcParams.update({"svg.hashsalt": "taut"})
    figure, axes = plt.subplots(1, 2, figsize=(9.2, 3.4), layout="constrained")
    dampers = DAMPERS["damped in bending"]
    for name, (settings, _) in SNATCHED.items():
        if name == "radau":
            continue
        result = snatched(ELEMENTS, dampers, settings)
        axes[0].plot(result["time"], result["body_position"].values[:, 0, 2], color=COLOURS[name], label=name)
        axes[1].plot(result["time"], stored(result), color=COLOURS[name], label=name)
    free = snatched(ELEMENTS, dampers, FREE)
    axes[1].plot(free["time"], stored(free), color="#6b7280", linestyle="--", label="1 ms, not limited")
    axes[0].set(xlabel="time [s]", ylabel="height of the load [m]")
    axes[1].set(xlabel="time [s]", ylabel="stored energy, less that at the start [J]", ylim=(-4.0, 4.0))
    axes[1].legend(fontsize="small", loc="upper left")
    figure.savefig(target, metadata={"Date": None})
    table()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("snatch.svg"))
