"""The planar robot and reduced models: Baumgarte's feedback against closed loops, and speed by number of elements.

Seconds are of processor time: integration, sampling and expansion to all channels, at the same tolerance and with the
same samples for the full and the reduced model.
"""

import time as wall
from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.analyses.piecewise import integrate_forces
from taut.analyses.reduction import reduce
from taut.analyses.reduction.timing import processor_times
from taut.build import build
from taut.build.reduction.reduction import build_reduced
from taut.dynamics.residual import place
from taut.integrate.run.bare import integrate
from taut.integrate.simulate import simulate
from taut.model import Model, new_data

FEEDBACK = (0.0, 10.0, 100.0)  # gains alpha = beta of Baumgarte's stabilisation [1/s]
TOLERANCES = (1e-5, 1e-6)
MACHINES = {
    "4-4 robot": ("mamidi-pick-and-place", "defaults.cable.elements", ["ground=null"], (5, 10, 20, 40, 80)),
    "planar robot": ("tempel-planar", "defaults.cable.elements", [], (10, 20, 40, 80)),
    "crane": ("crane-heavy-rope", "cables[0].elements", [], (10, 40)),
}
# a second training run of the planar robot, with more force
MORE = "forces[0].force[2]={kind: expression, expression: 1.22*10*9.81*sin(pi*(t - 3)/3)**2, start: 3, end: 6}"
TRAINING = {"planar robot": [MORE]}
REPEATS = 3


def drift(model: Model, q: np.ndarray) -> float:
    """Largest error of the loops over states [m]."""
    data, worst = new_data(model), 0.0
    for state in q[::5]:
        data.q[:] = state
        worst = max(worst, float(place(model.tables, data)))
    return worst


def stabilisation(report: Callable[[str], None]) -> list[dict[str, Any]]:
    """Drift, error and seconds of the planar robot, with its loops projected and with them stabilised."""
    model = build(library.load("tempel-planar"))
    first = int(model.tables.nodes[model.names.bodies["platform"]].coordinate)
    true = simulate(model, tolerance=1e-9, largest_step=0.005)["joint_position"].values
    rows = []

    def add(name: str, q: np.ndarray, seconds: float) -> None:
        away = (q - true[len(true) - len(q) :])[:, first : first + 2]
        error = float(np.linalg.norm(away, axis=1).max())
        rows.append({"way": name, "drift": drift(model, q), "error": error, "seconds": seconds})

    for tolerance in TOLERANCES:
        report(f"closed loops, tolerance {tolerance:g}")
        begin = wall.process_time()
        run = integrate(model, tolerance=tolerance)
        add(f"Radau, closed loops, tolerance {tolerance:g}", run.samples.q, wall.process_time() - begin)
    for alpha in FEEDBACK:
        report(f"Baumgarte's feedback, alpha = beta = {alpha:g}")
        begin = wall.process_time()
        found = integrate_forces(model, alpha=alpha, beta=alpha)
        add(f"BDF, Baumgarte's feedback {alpha:g}/s", found.q, wall.process_time() - begin)
    return rows


def speed(report: Callable[[str], None]) -> list[dict[str, Any]]:
    """Error and speed of reduced models by number of elements."""
    rows = []
    for machine, (name, key, settings, counts) in MACHINES.items():
        for elements in counts:
            report(f"{machine}, {elements} elements per cable")
            scenario = library.load(name, [f"{key}={elements}", *settings])
            others = [library.load(name, [f"{key}={elements}", *settings, more]) for more in TRAINING.get(machine, [])]
            rom = reduce(scenario, others)
            taken = processor_times({"full": build(scenario), "reduced": build_reduced(scenario, rom)}, REPEATS)
            best = {name: float(np.median(times)) for name, times in taken.items()}
            errors = rom.notes["errors"][0]
            coordinates = max(rom.notes["coordinates"].values())
            rows.append({"machine": machine, "elements": elements, "coordinates": coordinates,
                         "moved": errors["moved"], "body": errors["body"], **best})  # fmt: skip
    return rows


def run(report: Callable[[str], None]) -> dict[str, Any]:
    """Measure both tables: closing drift, and speed."""
    return {"stabilisation": stabilisation(report), "speed": speed(report)}


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as text."""
    rows = [f"{'planar robot, 15 s':44s} {'drift [m]':>10s} {'error [m]':>10s} {'seconds':>8s}"]
    rows += [f"{row['way']:44s} {row['drift']:10.1e} {row['error']:10.1e} {row['seconds']:8.2f}"
             for row in figures["stabilisation"]]  # fmt: skip
    rows.append(f"{'reduced':14s} elements  coordinates  error q-q(0)  error bodies  full [s]  reduced [s]  ratio")
    rows += [f"{row['machine']:14s} {row['elements']:8d} {row['coordinates']:12d} {100 * row['moved']:11.3f} % "
             f"{100 * row['body']:11.4f} % {row['full']:9.3f} {row['reduced']:12.3f} "
             f"{row['full'] / row['reduced']:6.2f}" for row in figures["speed"]]  # fmt: skip
    return rows
