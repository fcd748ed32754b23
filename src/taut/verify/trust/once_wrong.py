"""Runs whose results were once wrong although their audits passed: each with the number that gives it away.

Pulses and throws are drawn at random, by a fixed seed: widths, times, and lengths of runs over two decades.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.settings import run_settings
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity, at_most
from taut.verify.trust.judged import apart
from taut.verify.trust.tolerance import LIMIT

CLOSED_FORM = "closed form"
COUNT = 40  # number of random pulses, and of random throws
SEED = 15
GRAVITY = 9.81
STIFFNESS = 1e4  # axial stiffness EA of the tether [N]
ROPE = {"radius": 1e-3, "mass_per_length": 0.05, "axial_stiffness": 1e5, "axial_damping": 100.0,
        "exit_bending": "hinged"}  # fmt: skip

CLOSEST = 1e-12  # tolerance of runs that tell true errors
SHARE = 0.5  # share by which the audit may miss the true error: it adds displacements and turns of a body
EXACT = "run at tolerance 1e-12"
PLAIN = ["run.duration=2", "run.tolerance=1e-9", "run.error_growth=1"]
# machines whose errors grow beyond the tolerance between singular positions, and hardly at them
BETWEEN = {
    "planar-3rrr": ["bodies.arm2.cylinder.length=6.98542", "platform.mass=42.4857",
                    "bodies.arm1.cylinder.radius=0.0533742"],
    "planar-4rrr": ["bodies.arm4.cylinder.radius=0.0099496", "bodies.arm1.cylinder.radius=0.00832879"],
    "six-rss-heave": ["platform.mass=8.71736", "bodies.coupler3.mass=0.183117", "bodies.crank5.mass=0.255127"],
}  # fmt: skip


def quantities() -> Iterator[Quantity]:
    """All quantities that were wrong once."""
    yield from pulses()
    yield from throws()
    yield from ropes()
    yield from passages()
    yield from audits()


def run(machine: Machine, duration: float, samples: int = 50) -> Result:
    """A run at default settings."""
    return simulate(build(machine.run(duration=duration, save_every=duration / samples).scenario()))


def pulses() -> Iterator[Quantity]:
    """A short force on a slider of 1 kg changes its speed by the area under the force."""
    rng, errors, failed = np.random.default_rng(SEED), [], 0
    for _ in range(COUNT):
        width, duration = 10 ** rng.uniform(-3, -1), 5 * 100 ** rng.uniform()
        at = rng.uniform(0.1, 0.9) * duration
        machine = Machine("pulse")
        force = f"100*exp(-((t - {at!r})/{width!r})**2)"
        machine.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": force})
        result, speed = run(machine, duration), 100 * width * np.sqrt(np.pi)
        errors.append(abs(float(result["body_velocity"][-1, 0, 0]) / speed - 1.0))
        failed += result.audit["verdict"] != "pass"
    name = f"largest error of {COUNT} pulses of 1 ms to 0.1 s in 5 to 500 s"
    yield at_most(name, max(errors), 1e-4, CLOSED_FORM)
    yield Quantity("audits of these that fail", failed, 0, 0, "they are right")


def throws() -> Iterator[Quantity]:
    """A ball thrown up against a slack cable that is taut for a short while only: how high it gets, and when."""
    rng, heights, times = np.random.default_rng(SEED), [], []
    for _ in range(COUNT):
        beyond, duration = 10 ** rng.uniform(-4, -0.5), 5 * 100 ** rng.uniform()
        length = rng.uniform(1.0, 8.0)
        speed = np.sqrt(2 * GRAVITY * (length + beyond))
        result = run(thrown(length, speed), duration)
        taut_at = [event["time"] for event in result.events if event["what"] == "goes taut"]
        slack_at = [event["time"] for event in result.events if event["what"] == "goes slack"]
        first = (speed - np.sqrt(2 * GRAVITY * beyond)) / GRAVITY
        times.append(abs(taut_at[0] - first) if taut_at else np.inf)
        heights.append(abs(slack_at[0] - taut_at[0] - time_taut(length, beyond)) if slack_at else np.inf)
    name = f"time at which {COUNT} slack cables go taut, taut for 1 ms to 0.1 s in 5 to 500 s"
    yield at_most(name, max(times), 1e-4, CLOSED_FORM, "s")
    yield at_most("for how long", max(heights), 1e-4, CLOSED_FORM, "s")


def thrown(length: float, speed: float) -> Machine:
    """A ball of 1 kg on a cable without mass, thrown up from its exit."""
    machine = Machine("thrown")
    machine.body("ball", mass=1.0, joint={"kind": "point", "position": [0, 0, 1e-9], "velocity": [0, 0, speed]})
    machine.cable("c", kind="spring", exit=[0, 0, 0], body="ball", anchor=[0, 0, 0], length=length,
                  axial_stiffness=STIFFNESS)  # fmt: skip
    machine.event("back", body="ball", direction=[0, 0, 1], value=-0.5, crossing="down", action="stop")
    return machine


def time_taut(length: float, beyond: float) -> float:
    """How long the cable is taut: x'' = -g - k x / m from x = 0 with the speed that is left, back to zero [s]."""
    omega = np.sqrt(STIFFNESS / length)
    speed, sag = np.sqrt(2 * GRAVITY * beyond), GRAVITY / omega**2
    # time for which the cable is taut: x = -sag + sag cos(wt) + speed/w sin(wt) = 0 at wt = 2 atan(speed
    # (w sag))
    return float(2.0 * np.arctan(speed / (omega * sag)) / omega)


def hoist(winch: dict[str, Any], aside: float = 0.1, **cable: Any) -> Machine:
    """A load of 10 kg on a winch."""
    machine = Machine("hoist")
    machine.body("load", mass=10.0, joint={"kind": "point", "position": [aside, 0, -2]})
    machine.driver("w", kind="winch", **winch)
    machine.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], elements=4, winch="w", **ROPE, **cable)
    return machine


def ropes() -> Iterator[Quantity]:
    """Winches that haul in more than there is, or fail behind a pulley."""
    drum = {"radius": 0.1, "inertia": 0.05, "torque": -12.0, "friction": 0.2, "braked": False}
    # the load hangs straight below, because a swinging load would turn ever faster as its rope gets shorter
    result = run(hoist({"drum": drum}, aside=0.0), 4.0)
    is_told = result.status == "out of rope" and result.audit["verdict"] == "fail"
    yield Quantity("rope on a drum is hauled in to its end: told", is_told, True, 0, "nothing is left outside")
    result = run(hoist({"payout": "-0.6*t"}, pulley={"radius": 0.05}), 1.5)
    yield Quantity("rope over a pulley is hauled in: passes", result.audit["verdict"] == "pass", True, 0,
                   "enough is left outside")  # fmt: skip
    paid, ways = {}, ({}, {"pulley": {"radius": 0.05}})
    pulley: dict[str, Any]
    for pulley in ways:
        machine = hoist({"payout": "-0.3*t"}, **pulley)
        machine.failure("winch fails", at=0.5, kind="loss", target="w")
        length = run(machine, 2.0)["cable_length"].values[:, 0]
        paid[bool(pulley)] = length[-1] - length[0]
    yield Quantity("rope hauled in by a winch that fails behind a pulley", paid[True], paid[False], 1e-9,
                   "the same without a pulley", "m")  # fmt: skip


def passages() -> Iterator[Quantity]:
    """Machines that pass singular positions: some go on as rounding says, the others as the equations do."""
    result = simulate(build(library.load("delta", ["bodies.rod2b.cylinder.length=7.86677", "run.duration=2"])))
    is_told = any("errors grow" in reason for reason in result.audit["reasons"])
    yield Quantity("delta robot with a heavy rod falls through singular positions: audit tells", is_told, True, 0,
                   "runs of other tolerances end elsewhere")  # fmt: skip
    for name, changes in BETWEEN.items():
        model = build(library.load(name, [*changes, *PLAIN]))
        result = simulate(model)
        true = apart(model, result, simulate(model, tolerance=CLOSEST), run_settings(model, {}).tolerance).points
        found = result.audit["passages"]["error"] / LIMIT
        said = f"{name}, errors that grow between singular positions"
        yield Quantity(f"{said}: audit tells", result.audit["verdict"] == "fail", True, 0, "it is off by more")
        yield Quantity(f"{said}: what the audit finds, over the true error", found / true, 1.0, SHARE, EXACT)
    for name in ("stewart-free-fall", "six-rss-free-fall"):
        audit = simulate(build(library.load(name))).audit
        is_right = audit["verdict"] == "pass"
        yield Quantity(f"{name} through its singular position: audit passes", is_right, True, 0, "the run is right")
        yield at_most(
            f"{name}: error that the audit finds", audit["passages"]["error"], LIMIT, "tolerance", "tolerances"
        )
    audit = simulate(build(library.load("four-bar"))).audit
    yield at_most("four-bar, whose singular positions are not watched: error that the audit finds",
                  audit["passages"]["error"], LIMIT, "tolerance", "tolerances")  # fmt: skip


def audits() -> Iterator[Quantity]:
    """Sound runs whose audits failed."""
    for name, changes in (("crane-3d", ["run.duration=3600", "run.save_every=1"]),
                          ("mamidi-6-3-sine", ["run.duration=2"])):  # fmt: skip
        result = simulate(build(library.load(name, changes)))
        said = f"{name}, {changes[0].split('=')[1]} s: audit passes"
        yield Quantity(said, result.audit["verdict"] == "pass", True, 0, "the run is right")
