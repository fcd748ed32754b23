"""Draw docs/pictures/snap-loads.png: a load that is heaved faster than it can fall.

Usage: python docs/pictures/draw_snap_loads.py
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import taut


def main() -> None:
    """Run the library's scenario and draw height and tensions."""
    result = taut.simulate(taut.build(taut.library.load("snap-loads", ["run.save_every=0.002", "run.duration=3"])))
    time = result["time"].values
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, 5), sharex=True)
    length = result["cable_length"].sel(cable="C1").values
    above.plot(time, result["platform_position"].sel(xyz="z").values, label="height of the load")
    above.plot(time, length[0] - length, label="hauled in by the winches", color="grey", linestyle="--")
    above.set_ylabel("m")
    above.legend(loc="lower left")
    for cable in result["cable"].values:
        below.plot(time, result["cable_tension_exit"].sel(cable=cable).values / 1e3, label=str(cable))
    below.set_ylabel("tension [kN]")
    below.set_xlabel("time [s]")
    below.legend(loc="upper right")
    figure.tight_layout()
    figure.savefig(Path(__file__).with_name("snap-loads.png"), dpi=110)


if __name__ == "__main__":
    main()
