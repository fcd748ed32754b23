"""Dry friction and brakes: what holds does not move, what does not hold slips, against closed forms.

A block slides on a rail against dry friction; a load hangs on the rope of a braked drum.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import taut
from taut.results.result import Result
from taut.verify.quantity import Quantity, at_most

MASS, FRICTION = 2.0, 12.0  # mass [kg] and friction [N] of the block
# length [m] and EA [N] of the rope, radius [m] and brake torque [N m] of the drum
LENGTH, EA, RADIUS, BRAKE = 5.0, 1e6, 0.1, 100.0
HELD = BRAKE / RADIUS  # pull that the brake holds [N]
SOURCE = "closed form"


def block(duration: float, *, velocity: float = 0.0, force: Any = 0.0, **friction: float) -> Any:
    """A block on a level rail."""
    machine = taut.Machine("block on a rail")
    joint = {"kind": "prismatic", "axis": [1, 0, 0], "velocity": velocity, "force": force,
             "friction": {"coulomb": FRICTION} | friction}  # fmt: skip
    machine.body("block", mass=MASS, inertia=[0.1, 0.1, 0.1], joint=joint)
    return taut.build(machine.run(duration=duration, save_every=0.1).scenario())


def drum(load: float, duration: float, *, torque: Any = 0.0, solve: str = "equilibrium") -> Any:
    """A load [N] on the rope of a braked drum."""
    machine = taut.Machine("load on a braked drum")
    machine.body("load", mass=load / 9.81, inertia=[1, 1, 1],
                 joint={"kind": "prismatic", "axis": [0, 0, 1], "position": -LENGTH})  # fmt: skip
    machine.cable("rope", kind="spring", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], length=LENGTH,
                  axial_stiffness=EA, axial_damping=1e4, winch="W")  # fmt: skip
    machine.driver("W", kind="winch", drum={"radius": RADIUS, "inertia": 0.05, "brake": BRAKE, "torque": torque})
    machine.initial(solve=solve)
    return taut.build(machine.run(duration=duration, save_every=duration / 100).scenario())


def quantities() -> Iterator[Quantity]:
    """Run machines with dry friction, and compare with closed forms."""
    yield from blocks()
    yield from drums()
    yield from winches()


def first(result: Result, what: str) -> float:
    """Time of the first event of a kind [s]."""
    return next((event["time"] for event in result.events if event["what"] == what), np.nan)


def blocks() -> Iterator[Quantity]:
    """Quantities of blocks that are held, pulled loose, and stopped."""
    held = taut.simulate(block(60.0, force=0.99 * FRICTION))
    yield at_most("way of a block at 99 % of its friction in 60 s", way(held), 1e-6, "it sticks", "m")
    yield at_most("steps for it", float(held.audit["steps"]["accepted"]), 50.0, "nothing is stiff")
    for method in ("radau", "generalized-alpha", "explicit"):
        pulled = taut.simulate(block(2.0, force="10*t"), integrator=method)
        yield Quantity(f"it slips at, {method}", first(pulled, "slips"), 1.2, 1e-7, SOURCE, "s")
        end = float(pulled["joint_position"].values[-1, 0])
        yield Quantity(f"and is at 2 s at, {method}", end, 10 / (6 * MASS) * 0.8**3, 1e-6, SOURCE, "m")
    thrown = taut.simulate(block(3.0, velocity=6.0))
    yield Quantity("a block of 6 m/s stops at", first(thrown, "sticks"), 6.0 * MASS / FRICTION, 1e-9, SOURCE, "s")
    end = float(thrown["joint_position"].values[-1, 0])
    yield Quantity("and stays at", end, 0.5 * 36.0 * MASS / FRICTION, 1e-9, SOURCE, "m")
    yield at_most("energy that its audit misses", thrown.audit["energy"]["relative"], 1e-9, "works of friction")


def way(result: Result) -> float:
    """Largest distance of the first body from its start [m]."""
    places = result["body_position"].values[:, 0]
    return float(np.linalg.norm(places - places[0], axis=1).max())


def drums() -> Iterator[Quantity]:
    """A brake at 83 %, one that a torque overcomes, and the rest and the small motions of the first."""
    load = 0.83 * HELD
    held = taut.simulate(drum(load, 60.0))
    yield at_most("drift of a load at 83 % of its brake in 60 s", way(held), 1e-6, "the drum sticks", "m")
    pulled = taut.simulate(drum(load, 3.0, torque="10*t"))
    # the rope that is wound is stretched, so per unit length the drum feels T + T^2/(2 EA)
    onset = (HELD - load * (1.0 + load / (2.0 * EA))) * RADIUS / 10.0
    yield Quantity("a torque overcomes it at", first(pulled, "slips"), onset, 1e-6, SOURCE, "s")
    # beyond the brake's limit the load accelerates by (m + I/r^2) a = load - brake, because the rope hardly stretches
    speeds = taut.simulate(drum(1.2 * HELD, 4.0, solve="closures"))["body_velocity"].values[:, 0, 2]
    faster, true = float(speeds[100] - speeds[50]) / 2.0, -0.2 * HELD / (1.2 * HELD / 9.81 + 0.05 / RADIUS**2)
    yield Quantity("acceleration of a load at 120 %", faster, true, 1e-2 * abs(true), "rigid rope", "m/s^2")
    rest = taut.statics(drum(load, 1.0, solve="closures")).bodies["load"]["position"][2]
    yield Quantity("its rest", rest, -LENGTH * (1.0 + load / EA), 1e-9, SOURCE, "m")
    found = float(taut.modes(drum(load, 1.0, solve="closures")).frequencies[0])
    true = np.sqrt(EA / LENGTH / (load / 9.81)) / (2 * np.pi)
    yield Quantity("its frequency", found, float(true), 1e-6, SOURCE, "Hz")


def winches() -> Iterator[Quantity]:
    """Four braked winches hold a platform."""
    model = taut.build(taut.library.load("winch-brake-loss"))
    height = taut.statics(model).bodies["platform"]["position"][2]
    yield Quantity("winch-brake-loss, rest of the platform", height, 1.0, 2e-3, "the drums stick", "m")
    result = taut.simulate(model, duration=0.9)
    columns = [k for k, name in enumerate(model.names.events) if name.endswith("drum")]
    numbers = model.tables.events["index"][columns]
    paid = np.ptp(result["joint_position"].values[:, model.tables.columns["coordinate"][numbers]], axis=0)
    yield at_most("and what its drums pay out in a run", float(paid.max()), 1e-9, "they stick", "m")
