"""The suspended platform of [Wang2018] over its whole run, and ropes of assumed modes against chains of elements.

The motion is sensitive to rounding after the first ten seconds: a slack pair of ropes leaves the platform's pitch
without a restoring moment. What is compared of the whole run are therefore statistics.
"""

from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np

from taut import library
from taut.analyses.modes_along import modes_along
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity, at_most
from taut.verify.suspension.wang import PAPER
from taut.verify.suspension.wang_reference import platform_of
from taut.verify.suspension.wang_twin import Twin

SOURCE = "independent program of the same equations"
OURS = "our limit"
TWIN = "the same steps by plain matrices"
WHOLE = ("run.duration=100", "run.save_every=0.02")
MODES = 40  # number of modes of the ropes in the comparison with chains
LONG_SLACK = 2.0  # shorter slack intervals of a rope are ignored [s]
PLACES = {"C1": (3, 0), "C2": (0, 3), "C3": (-3, 0), "C4": (0, -3)}
ROPE = {"mass_per_length": 6.0, "axial_stiffness": 9e7, "axial_damping": 2e4}
TENSION = 8000 * 9.81 / 4
# smooth start of the motion, without a jump of the acceleration
BEGIN = "min(t/2, 1)**3*(10 - 15*min(t/2, 1) + 6*min(t/2, 1)**2)"
MOTION = {"x": f"0.05*sin(0.8*t)*{BEGIN}", "y": f"0.04*sin(1.1*t)*{BEGIN}"}
LIFT = f"0.01*sin(0.7*t)*{BEGIN}"


def quantities() -> Iterator[Quantity]:
    """Quantities of the published scheme, of the scheme of taut, of a machine without lateral motion, and of chains."""
    model = build(library.load("wang-suspension", [*PAPER, *WHOLE, "run.tolerance=1e-8"]))
    simulate(model, duration=0.1)  # a short run first, so that compilation is not timed
    begin = process_time()
    result = simulate(model)
    seconds = process_time() - begin
    steps = result.audit["steps"]
    yield from statistics("published scheme", result)
    yield Quantity("published scheme, slack or taut again", steps["switches"], 440, 40, SOURCE)
    error = steps["complementarity_error"]
    yield at_most("published scheme, complementarity", error, 1e-12, OURS, "N s or m/s")
    yield at_most("published scheme, processor time", seconds, 15.0, OURS, "s")
    yield from against_twin(result)
    yield from stabilised()
    bare = simulate(build(library.load("wang-suspension-no-lateral", [*PAPER, *WHOLE])))
    yield Quantity("no lateral motion, largest |theta_y|", yaw(bare), 0.315, 0.01, SOURCE, "rad")
    yield from frequencies()
    yield from chains()


def against_twin(result: Result) -> Iterator[Quantity]:
    """Differences from the published steps by plain matrices, in every sample of the whole run."""
    twin, every = Twin(), round(result.time[1] / 1e-3)
    ours, pulls = platform_of(result), result["cable_tension_anchor"].values
    apart, pulled = 0.0, 0.0
    for k in range(1, len(ours)):
        for _ in range(every):
            pull = twin.step()
        apart = max(apart, float(np.abs(twin.platform() - ours[k]).max()))
        pulled = max(pulled, float(np.abs(pull - pulls[k]).max()))
    yield at_most("published scheme against its twin, platform", apart, 1e-7, TWIN, "m or rad")
    yield at_most("published scheme against its twin, tensions", pulled, 0.1, TWIN, "N")
    # here, ropes whose sheaves move from the start on are open at the start, and close in the first step: allow for two
    switches = result.audit["steps"]["switches"]
    yield Quantity("published scheme against its twin, slack or taut again", switches, twin.switches, 2, TWIN)


def statistics(name: str, result: Result) -> Iterator[Quantity]:
    """Statistics of a long run that do not depend on rounding."""
    tension = result["cable_tension_anchor"].values
    yield at_most(f"{name}, tension below zero", float(max(-tension.min(), 0.0)), 0.0, "a rope cannot push", "N")
    yield Quantity(f"{name}, begin of the main slack of C2", main_slack(result, 1), 22.8, 0.5, SOURCE, "s")
    yield Quantity(f"{name}, largest |theta_y|", yaw(result), 0.34, 0.01, SOURCE, "rad")


def stabilised() -> Iterator[Quantity]:
    """Statistics of the published run with reactions as forces, and positions closed after every step."""
    result = simulate(build(library.load("wang-suspension", list(WHOLE))))
    names = [str(name) for name in result["closure_error"]["closure"].values]
    two_sided = [k for k, name in enumerate(names) if name.endswith(".anchor")]
    drift = float(result["closure_error"].values[:, two_sided].max())
    yield at_most("stabilised, drift of the two-sided rows", drift, 1e-8, OURS, "m or rad")
    yield Quantity("stabilised, largest |theta_y|", yaw(result), 0.34, 0.02, SOURCE, "rad")
    yield Quantity("stabilised, begin of the main slack of C2", main_slack(result, 1), 22.8, 0.5, SOURCE, "s")


def frequencies() -> Iterator[Quantity]:
    """The platform heaves and swings on ropes of 100 m."""
    found = modes_along(build(library.load("wang-suspension")), [0.0], count=110)
    omega = dict(zip(reversed(found.families[0]), reversed(2 * np.pi * found.frequencies[0]), strict=True))
    yield Quantity("heave at 100 m", float(omega["platform.z"]), 20.28, 0.01, SOURCE, "rad/s")
    yield Quantity("pendulum at 100 m", float(omega["platform.x"]), 0.322, 0.001, SOURCE, "rad/s")


def yaw(result: Result) -> float:
    """Largest turn about the vertical [rad]."""
    return float(np.abs(platform_of(result)[:, 4]).max())


def main_slack(result: Result, cable: int) -> float:
    """When the first slack of some length begins [s]."""
    is_slack = result["cable_tension_anchor"].values[:, cable] <= 0.0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_slack, [False]]).astype(int))).reshape(-1, 2)
    time = np.append(result.time, result.time[-1])
    return next((float(time[a]) for a, b in edges if time[b] - time[a] > LONG_SLACK), float("nan"))


def chains() -> Iterator[Quantity]:
    """Taut ropes of 100 m without torsion: modes, which converge with order one, against chains of 40 elements."""
    paths = [displacement(simulate(build(machine))) for machine in (ritz_machine(), chain_machine())]
    span = np.ptp(paths[1], axis=0)
    for k, axis in enumerate("xyz"):
        error = float(np.abs(paths[0][:, k] - paths[1][:, k]).max() / span[k])
        name = f"modes against chains, platform along {axis}, of its range"
        yield at_most(name, error, 0.02, "two models of one rope")


def displacement(result: Result) -> np.ndarray:
    """Displacement of the platform from its start [time, 3]."""
    position = result["platform_position"].values
    return position - position[0]


def platform_machine(name: str) -> Machine:
    """A platform that hangs at rest."""
    machine = Machine(name)
    machine.platform(mass=8000, inertia=[3.8e4, 3.8e4, 3.6e4], position=[0, 0, -102.74])
    machine.initial(solve="equilibrium")
    return machine.run(duration=8.0, save_every=0.02, tolerance=1e-6)


def ritz_machine() -> Any:
    """Ropes of assumed modes whose sheaves move."""
    machine = platform_machine("modes")
    for name, (x, y) in PLACES.items():
        moves = MOTION | ({"z": LIFT} if name == "C1" else {})
        machine.cable(name, kind="ritz", modes=MODES, exit=[x, y, 0], anchor=[x, y, 2.74], length=100.0,
                      excitation=moves, **ROPE)  # fmt: skip
    return machine.scenario()


def chain_machine() -> Any:
    """The platform on chains of elements that are as long as the ropes of ``ritz_machine`` when stretched."""
    machine = platform_machine("chains")
    weight = ROPE["mass_per_length"] * 9.81 * 100.0
    length = 100.0 * (1.0 - (TENSION + 0.5 * weight) / ROPE["axial_stiffness"])
    for name, (x, y) in PLACES.items():
        lift = LIFT if name == "C1" else 0.0
        machine.driver(f"sheave {name}", kind="trajectory", offset=[MOTION["x"], MOTION["y"], lift])
        machine.cable(name, exit=[x, y, 0], anchor=[x, y, 2.74], elements=40, length=length, radius=0.02,
                      exit_bending="hinged", driver=f"sheave {name}", **ROPE)  # fmt: skip
    return machine.scenario()
