"""Draws reduction.png: the planar robot reduced, on an input it was not trained on and with twice the force."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from taut import build, reduce, simulate
from taut.verify.cables.reduce import DOUBLED, TRAINED, UNTRAINED, places, planar

OUTPUT = Path(__file__).with_name("reduction.png")


def main() -> None:
    """Run the full and the reduced robot, and draw their errors."""
    first, *others = (planar(force) for force in TRAINED)
    rom = reduce(first, others)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    model = build(planar(UNTRAINED["5 % less"]))
    full, reduced = simulate(model), simulate(model, rom=rom)
    left.plot(
        full.time, 1e3 * (places(full) - places(full)[0])[:, 2], lw=3, color="0.75", label="full, 163 coordinates"
    )
    count = sum(cable.count for cable in rom.cables.values()) + 3
    left.plot(full.time, 1e3 * (places(reduced) - places(full)[0])[:, 2], "--", lw=1, color="C0",
              label=f"reduced, {count} coordinates")  # fmt: skip
    left.set(xlabel="time [s]", ylabel="rise of the platform [mm]", title="5 % less force, not trained on")
    left.legend(frameon=False)
    model = build(planar(DOUBLED))
    full = simulate(model, duration=6.0)
    alone, taken = simulate(model, rom=rom, duration=6.0), simulate(model, rom=rom, rom_fallback=True, duration=6.0)
    middle.semilogy(alone.time, np.maximum(alone["rom_trust"], 1e-3), color="C3")
    middle.axhline(1.0, color="0.5", lw=0.8)
    middle.set(xlabel="time [s]", ylabel="rom_trust", title="twice the force")
    for result, label, color in ((alone, "reduced alone", "C3"), (taken, "full takes over", "C2")):
        away = np.linalg.norm(places(result) - places(full), axis=1)
        right.semilogy(full.time, np.maximum(away, 1e-9), color=color, label=label)
    right.set(xlabel="time [s]", ylabel="distance from the full model [m]", title="twice the force")
    right.legend(frameon=False)
    figure.savefig(OUTPUT, dpi=110)


if __name__ == "__main__":
    main()
