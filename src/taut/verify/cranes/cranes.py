"""Cranes: closed forms, modes, hoisting, hanging chain, energy, structure, speed, and moves by every controller.

Sources: [Brogliato2022] with its errata put right, closed forms, and requirements of our own on the controllers.
"""

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from taut import library
from taut.analyses.cranes import PlanarCrane, SpatialCrane, modes, structure
from taut.build import build
from taut.integrate.run.bare import integrate
from taut.integrate.simulate import simulate
from taut.integrate.status import DONE
from taut.scenario.builder import Machine
from taut.verify.cranes.crane_engine import bias_error, mass_matrix_error, skew_error
from taut.verify.cranes.crane_moves import ARRIVED, DESIGNS, LIMIT, SETTLED, run_move
from taut.verify.quantity import Quantity, at_most, near

CLOSED = "Brogliato2022, closed form"
LEMMA = "Brogliato2022, Lemma 1"
ASKED = "our requirement"
ZEROS = ("length_coupling_vertical", "length_diagonal_error", "rail_angle_across", "angle_coupling_across",
         "linear_in_lengths")  # fmt: skip
# zeros of the Bessel function J_0, halved: frequencies of a hanging chain
CHAIN = (1.2024127788, 2.7600390551, 4.3268639565)


def quantities() -> Iterator[Quantity]:
    """All quantities of cranes; moves in the nominal case."""
    yield from matrices()
    yield from linear()
    yield from hoisting()
    yield from energy()
    yield from space()
    yield from speed()
    yield from moves()


def matrices() -> Iterator[Quantity]:
    """The engine against the closed forms at random states, all length options."""
    for kind in ("planar", "spatial"):
        worst = max(mass_matrix_error(kind, count, lengths) for count in (1, 2, 3, 5, 8, 13, 21, 34, 50)
                    for lengths in ("fixed", "driven", "free", "mixed"))  # fmt: skip
        yield at_most(f"{kind} mass matrix, N = 1 to 50", worst, 1e-12, CLOSED)
        worst = max(bias_error(kind, count, lengths) for count in range(1, 7)
                    for lengths in ("fixed", "driven", "free", "mixed"))  # fmt: skip
        yield at_most(f"{kind} bias forces, N = 1 to 6", worst, 1e-12, "Brogliato2022, Christoffel's symbols")
        worst = max(skew_error(kind, count, angles) for count in range(1, 7) for angles in ("relative", "absolute"))
        yield at_most(f"{kind} dM/dt - 2 C + its transpose", worst, 1e-12, "Brogliato2022, Property 1")


def linear() -> Iterator[Quantity]:
    """Modes of the double pendulum, from the closed form and from a run, and the hanging chain."""
    found, _ = modes(PlanarCrane(20.0, (10.0, 50.0)), np.array([8.0, 2.0]))
    for k, expected in enumerate((1.0043185575, 5.9815419613)):
        yield Quantity(f"double pendulum, mode {k + 1}", float(found[k]), expected, 1e-9, "closed form", "rad/s")
    for k, expected in enumerate((1.0043185575, 5.9815419613)):
        yield Quantity(f"double pendulum, mode {k + 1}, from a run", swing_frequency(k), expected, 1e-6, "closed form",
                       "rad/s")  # fmt: skip
    errors = []
    for count in (100, 200):
        share = np.ones(count) / count
        share[-1] /= 2.0  # the last node has the mass of half a link, because there is none below it
        chain, _ = modes(PlanarCrane(1.0, tuple(share)), np.full(count, 1.0 / count))
        errors.append(np.abs(chain[:3] / np.sqrt(9.81) / CHAIN - 1.0))
    for k, error in enumerate(errors[1]):
        yield at_most(
            f"hanging chain of 200 links, mode {k + 1}", float(error), 2e-3, "zeros of J_0 over 2, N to infinity"
        )
    order = float(np.log2(errors[0][0] / errors[1][0]))
    yield near("order of convergence of the hanging chain", order, (2.0, 0.05), "two-point estimate, 100 and 200 links")


def swing_frequency(k: int) -> float:
    """Frequency of a tiny swing in a mode of the crane with its trolley held [rad/s], from zero crossings."""
    omega, shapes = modes(PlanarCrane(20.0, (10.0, 50.0)), np.array([8.0, 2.0]))
    angles = 1e-4 * shapes[:, k] / np.abs(shapes[:, k]).max()
    period = 2.0 * np.pi / float(omega[k])
    machine = Machine("small swing")
    links = [{"name": "hook", "length": 8.0, "mass": 10.0, "angle": float(angles[0])},
             {"name": "load", "length": 2.0, "mass": 50.0, "angle": float(angles[1] - angles[0])}]  # fmt: skip
    machine.crane(trolley={"mass": 20.0, "motion": 0.0}, links=links)
    machine.run(duration=10.25 * period, save_every=period / 100, tolerance=1e-12)
    result = simulate(build(machine.scenario()))
    t, angle = result.time, result["joint_position"].values[:, 0]
    rate = result["joint_velocity"].values[:, 0]
    at = np.flatnonzero(angle[:-1] * angle[1:] < 0.0)
    # time of a zero of the angle: cubic through values and rates at both samples, one Newton step from the chord
    crossings = [hermite_root(t[i : i + 2], angle[i : i + 2], rate[i : i + 2]) for i in at]
    return float(np.pi * (len(crossings) - 1) / (crossings[-1] - crossings[0]))


def hermite_root(t: np.ndarray, y: np.ndarray, d: np.ndarray) -> float:
    """Root of the cubic with given values and slopes at two times."""
    from scipy.interpolate import CubicHermiteSpline

    return float(CubicHermiteSpline(t, y, d).roots(extrapolate=False)[0])


def hoisting() -> Iterator[Quantity]:
    """A pendulum hauled in at half a metre a second."""
    machine = Machine("hoisting pendulum")
    links = [{"name": "load", "mass": 3.0, "motion": "10 - 0.5*t", "angle": 0.01}]
    machine.crane(trolley={"mass": 1.0, "motion": 0.0}, links=links)
    machine.run(duration=10.0, save_every=0.1, tolerance=1e-11)
    result = simulate(build(machine.scenario()))
    angle = float(result["joint_position"].values[-1, 0])
    yield Quantity(
        "hoisting pendulum at 10 s", angle, 0.010080954810, 1e-9, "l'' theta equation, integrated to 1e-12", "rad"
    )


def energy() -> Iterator[Quantity]:
    """Energy kept over a hundred periods, and stored energy against supplied work."""
    machine = Machine("free swing")
    machine.crane(trolley={"mass": 20.0}, links=[{"name": "load", "length": 8.0, "mass": 50.0, "angle": 0.5}])
    period = 2.0 * np.pi / modes(PlanarCrane(20.0, (50.0,)), np.array([8.0]), trolley="free")[0][1]
    machine.run(duration=100.0 * float(period), save_every=float(period) / 4, tolerance=1e-13, integrator="explicit")
    result = simulate(build(machine.scenario()))
    drift = np.abs(result["energy_balance"].values).max() / np.ptp(result["energy_gravity"].values)
    yield at_most("energy drift over 100 periods, of the swing's energy", float(drift), 1e-10, ASKED)
    for name in ("crane-double-pendulum", "crane-3d", "crane-hoisting"):
        result = simulate(build(library.load(name, ["run.duration=10", "run.tolerance=1e-10"])))
        yield at_most(f"{name}, passivity balance", float(result.audit["energy"]["relative"]), 1e-8, ASKED)


def space() -> Iterator[Quantity]:
    """Lemma 1 on the mass matrix, in the plane and in space, for up to ten links."""
    for kind, make in (("planar", PlanarCrane), ("spatial", SpatialCrane)):
        found = [structure(make(20.0, tuple(np.linspace(1.0, 2.0, n))), np.linspace(1.0, 2.0, n)) for n in range(1, 11)]
        zero = max(getattr(s, key) for s in found for key in ZEROS)
        yield at_most(f"{kind}: what Lemma 1 says is zero, N = 1 to 10", zero, 1e-12, LEMMA)
        least = min(min(s.rail_angle_least, s.angle_coupling_least) for s in found)
        yield Quantity(f"{kind}: least of the couplings that stay", least, 0.5, 0.499, LEMMA)
        rank = max(s.massless_rank for s in found)
        yield Quantity(f"{kind}: largest rank of M_ll with massless nodes", rank, 2 if kind == "planar" else 3, 0.0,
                       "Brogliato2022, Remarks 9, 13, 14; in space our own")  # fmt: skip


def speed() -> Iterator[Quantity]:
    """A rope of a hundred links, and the growth of a run's time with their number."""
    model = build(library.load("crane-flexible-100"))
    simulate(model, duration=0.1)
    begin = perf_counter()
    result = simulate(model)
    share = (perf_counter() - begin) / result.time[-1]
    yield at_most("crane-flexible-100, seconds per second", float(share), 1.0, ASKED)
    counts = np.array([100, 200, 400, 800])
    growth = np.polyfit(np.log(counts), np.log([run_seconds(int(count)) for count in counts]), 1)[0]
    yield at_most("growth of a run's time with N, 100 to 800 links", max(float(growth), 0.0), 1.1, ASKED)


def run_seconds(count: int) -> float:
    """Time of the integration of the rope with this many links, without the set-up: the best of five [s]."""
    model = build(library.load("crane-flexible-100", [f"crane.links[0].count={count - 1}", "run.duration=20"]))
    runs = [integrate(model) for _ in range(5)]
    if any(run.code != DONE for run in runs):
        raise RuntimeError(f"the rope of {count} links did not come to its end")
    return min(run.seconds for run in runs)


def moves() -> Iterator[Quantity]:
    """The nominal move by every design."""
    for name in DESIGNS:
        _, score = run_move(name)
        yield at_most(f"move by {name}, residual swing", score.residual_swing, SETTLED, ASKED, "deg")
        yield at_most(f"move by {name}, time", score.move_time, ARRIVED, ASKED, "s")
        yield at_most(f"move by {name}, force", score.peak_force, LIMIT, ASKED, "N")
        yield at_most(f"move by {name}, passivity balance", score.balance, 1e-6, ASKED)
