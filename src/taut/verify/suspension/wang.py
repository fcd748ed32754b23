"""The suspended platform of [Wang2018] against an independent program of the same equations.

Matrices and constraint Jacobians with four modes; rest; a second in which drives that err by 1 m force the ropes to go
slack; and ten seconds of the published case. The steps are those of the published scheme.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut import library
from taut.analyses.statics import statics
from taut.build import build
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.residual import place
from taut.dynamics.statics import motion_residual
from taut.integrate.simulate import simulate
from taut.model import Model, new_data
from taut.verify.quantity import Quantity, at_most
from taut.verify.suspension.wang_reference import HEIGHT, LENGTH, engine_order, platform_of, reference, with_start

SOURCE = "independent program of the same equations"
CLOSED_FORM = "weight of the platform over four; series of 20 modes"
TIMES = (0, 5, 50, 95)
INSTANT = 5.0  # time at which Jacobians are compared [s]
COORDINATES = ("w_x", "u", "w_z", "theta_x", "theta_y", "theta_z")
PAPER = ("run.unilateral=nonsmooth", "run.step=1e-3", "run.nonsmooth_alpha.reactions=impulses",
         "run.nonsmooth_alpha.stabilisation=none", "initial.rates=given")  # fmt: skip
FORCED = ("defaults.cable.modes=4", "cables[0].excitation.z.amplitude=-1", "cables[1].excitation.z.amplitude=-1",
          "run.duration=1", "run.save_every=1e-3", "run.tolerance=1e-10", "initial.solve=none")  # fmt: skip


def quantities() -> Iterator[Quantity]:
    """Quantities of short runs, which take seconds; ``wang_long`` has those of long runs."""
    data = reference()
    yield from matrices(data)
    found = statics(build(library.load("wang-suspension")))
    tensions = [cable["tension_anchor"] for cable in found.cables.values()]
    yield Quantity("tension at rest", max(tensions, key=lambda T: abs(T - 19620.0)), 19620.0, 0.05, CLOSED_FORM, "N")
    torque = float(np.abs(turn_multipliers(found.data, found.cables)).max())
    yield Quantity("torsion multiplier at rest", -torque, -75.31, 0.005, CLOSED_FORM, "N m")
    yield from forced(data)
    yield from ten_seconds(data)


def turn_multipliers(data: Any, cables: Any) -> np.ndarray:
    """Multipliers of the torsional rows, the third of four of every cable."""
    return data.lam.reshape(len(cables), 4)[:, 2]


def matrices(data: dict[str, np.ndarray]) -> Iterator[Quantity]:
    """M, C, K, f at some times, constraint errors and Jacobians at a random state."""
    model = build(library.load("wang-suspension", ["defaults.cable.modes=4"]))
    for time in TIMES:
        for name, found in system(model, float(time)).items():
            expected = data[f"matrices_{name}_{time}"]
            error = float(np.abs(found - expected).max() / np.abs(expected).max())
            yield at_most(f"{name} at {time} s", error, 1e-10, SOURCE)
    errors, J = rows(with_start(model, data["state"]))
    psi = np.concatenate([data["psiU"], data["psib"]])
    yield at_most("constraint errors", float(np.abs(errors - psi).max()), 1e-10, SOURCE, "m or rad")
    jacobian = np.vstack([data["JU"], data["Jb"]])
    yield at_most("constraint Jacobians", float(np.abs(J - jacobian).max()), 1e-10, SOURCE)


def system(model: Model, time: float) -> dict[str, np.ndarray]:
    """The engine's equations as matrices in the order of the reference: M r'' + C r' + K r = f."""
    n, tables = model.column_count, model.tables
    data, result, free = new_data(model), np.zeros(n), np.zeros(model.row_count)
    order, signs = engine_order((n - 6) // 16)
    data.time[0] = time
    place(tables, data)
    length, rate, second = LENGTH * data.signals[int(tables.ritz[0].feed)]
    base = {"q": np.zeros(n), "v": np.zeros(n), "a": np.zeros(n)}
    # the reference measures the platform's position from the one that the ropes' lengths give
    base["q"][2], base["v"][2], base["a"][2] = -length - HEIGHT, -rate, -second

    def residual(**step: np.ndarray) -> np.ndarray:
        state = {key: base[key] + step.get(key, 0.0) for key in base}
        data.q[:], data.v[:] = state["q"], state["v"]
        motion_residual(tables, data, state["a"], free, result)
        moved = np.zeros(n)
        moved[order] = signs * result
        return moved

    rest = residual()
    found = {"f": -rest}
    for name, key in (("M", "a"), ("C", "v"), ("K", "q")):
        matrix = np.zeros((n, n))
        for c, direction in enumerate(np.eye(n)):
            matrix[:, order[c]] = signs[c] * (residual(**{key: direction}) - rest)
        found[name] = matrix
    return found


def rows(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Constraint errors and Jacobian at the model's start, in the order of the reference, at t = 5 s."""
    data, n = new_data(model), model.column_count
    order, signs = engine_order((n - 6) // 16)
    data.time[0] = INSTANT
    data.modes[:] = 1
    place(model.tables, data)
    data.q[2] += LENGTH - LENGTH * data.signals[int(model.tables.ritz[0].feed), 0]
    place(model.tables, data)
    J = np.zeros((model.row_count, n))
    closure_jacobian(model.tables, data, J)
    in_order = np.zeros_like(J)
    in_order[:, order] = signs * J
    # order of the reference: x and z of every cable as here, after all pulls and all turns, whose sign is the opposite
    chosen = [4 * i + 3 for i in range(4)] + [4 * i + 2 for i in range(4)]
    chosen += [4 * i + k for i in range(4) for k in range(2)]
    turned = np.array([1.0] * 4 + [-1.0] * 4 + [1.0] * 8)
    return turned * data.rows["value"][chosen], turned[:, None] * in_order[chosen]


def forced(data: dict[str, np.ndarray]) -> Iterator[Quantity]:
    """One second in which ropes are forced to go slack, from the reference's own state of rest."""
    model = build(library.load("wang-suspension", [*PAPER, *FORCED]))
    result = simulate(with_start(model, data["rest"]))
    tension = np.abs(result["cable_tension_anchor"].values[1:] - data["forced_tension"]).max()
    yield at_most("forced slack, tensions in 1 s", float(tension), 1e-5, SOURCE, "N")
    motion = np.abs(platform_of(result)[1:] - data["forced_platform"]).max()
    yield at_most("forced slack, platform in 1 s", float(motion), 1e-11, SOURCE, "m or rad")


def ten_seconds(data: dict[str, np.ndarray]) -> Iterator[Quantity]:
    """Differences to the published case over ten seconds, relative to each coordinate's range."""
    settings = [*PAPER, "run.duration=10", "run.save_every=0.01"]
    result = simulate(build(library.load("wang-suspension", settings)))
    for k, name in enumerate(COORDINATES):
        expected = data["platform"][:, k]
        error = np.abs(platform_of(result)[:, k] - expected).max() / np.ptp(expected)
        yield at_most(f"10 s, {name}, of its range", float(error), 0.01, SOURCE)
