"""Draw the pictures of the page on suspended platforms from runs. Usage: python docs/pictures/draw_suspension.py"""

from pathlib import Path

import numpy as np

from taut import library
from taut.analyses.modes_along import modes_along
from taut.build import build
from taut.integrate.simulate import simulate
from taut.verify.suspension.wang import PAPER
from taut.verify.suspension.wang_reference import platform_of
from taut.views.plots import ALL_GROUPS
from taut.views.plots.draw import draw_sheets, save_figure
from taut.views.plots.frequency import frequency_sheet
from taut.views.plots.sheet import Curve, Panel, Sheet

FOLDER = Path(__file__).parent
VARIANTS = {
    "as published": ("wang-suspension", PAPER),
    "actual tension": ("wang-suspension", ("defaults.cable.lateral_tension=actual",)),
    "no lateral motion": ("wang-suspension-no-lateral", PAPER),
}


def main() -> None:
    """Draw the pictures of three runs of 100 s, and the frequencies."""
    results = {name: simulate(build(library.load(case, list(settings)))) for name, (case, settings) in VARIANTS.items()}
    published = results["as published"]
    sheets = [ALL_GROUPS[group](published)[0] for group in ("displacement", "tension", "torque")]
    panels = [*sheets[0].panels, sheets[1].panels[1], sheets[2].panels[1]]
    draw("suspension", Sheet("suspension", "A platform on four ropes", panels))
    curves = {name: platform_of(result) for name, result in results.items()}
    shown = {"sway along x [m]": 0, "sway along y [m]": 2, "yaw [rad]": 4}
    panels = [Panel(label, [Curve(name, results[name].time, motion[:, k]) for name, motion in curves.items()])
              for label, k in shown.items()]  # fmt: skip
    draw("suspension-lateral", Sheet("lateral", "With and without lateral motion of the ropes", panels))
    for name, motion in curves.items():
        tension = results[name]["cable_tension_anchor"].values
        print(f"{name}: largest {np.abs(motion).max(axis=0).round(4)}, slack {(tension <= 0).mean(axis=0).round(3)}, "
              f"largest tension {tension.max():.0f} N")  # fmt: skip
    draw_frequencies()


def draw_frequencies() -> None:
    """Natural frequencies up to those of the heaving platform."""
    model = build(library.load("wang-suspension"))
    found = modes_along(model, np.linspace(0.0, 100.0, 11), count=110)
    answer = {"name": "suspended platform", "times": found.times, "frequencies": found.frequencies,
              "families": found.families}  # fmt: skip
    draw("suspension-frequency", frequency_sheet(answer))


def draw(name: str, sheet: Sheet) -> None:
    """Draw one sheet as a picture."""
    save_figure(draw_sheets([sheet], [""]), FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
