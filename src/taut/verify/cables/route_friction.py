"""Ropes that stick and slip on their guides, and sheaves on bearings: closed forms and integrations with events.

Where a rope is pulled by a force, its end is a drum next to without inertia.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.cables.route_parts import CLOSED, judged, ran, sheave, slider
from taut.verify.quantity import Quantity, at_most, near

EVENTS = "closed form, and an integration with events"
LCP = "integration with events, modes chosen by a complementarity problem"
NO_INERTIA = 1e-7  # inertia of a drum that stands for a force alone [kg m^2]
SINE_TIMES = (0.27222904854717667, 0.9686300118297575, 1.1902229335067178, 2.156558950528605, 2.2722290485471763,
              2.968630011829757, 3.1902229335067176, 4.156558950528606)  # fmt: skip
SINE_PLACES = (0.0, 0.11714745024539183, 0.11714745024539183, -0.739752167433896, -0.739752167433896,
               -0.6226047171885074, -0.6226047171885074, -1.4795043348677974)  # fmt: skip
ROW_TIMES = (0.6867197694654725, 1.7297183317934728, 1.8938336139497038, 2.2602135105999253)
ROW_DEPTH = 0.28166901727168847
ELASTIC_SWITCHES = (
    (0.1302876429511378, 3, "slips"), (0.17246704015717995, 2, "slips"), (0.23198763274245318, 1, "slips"),
    (0.9661650863858186, 1, "sticks"), (0.9754951396467352, 2, "sticks"), (0.9754951396467352, 3, "sticks"),
    (1.0175755331579823, 1, "slips"), (1.0424808668532721, 3, "slips"), (1.0468920649355282, 1, "sticks"),
    (1.0713762035232357, 3, "sticks"))  # fmt: skip
ELASTIC_PLACES = {0.2: (1.5, 1.5068946388570343), 0.4: (1.4790551810747108, 1.540231018818564),
                  0.8: (1.296105556973569, 1.7163730893364084), 1.0: (1.2516030599740116, 1.7492438131695205),
                  1.5: (1.2528947405865707, 1.7475532961446911),
                  2.0: (1.252674310565719, 1.7468037590202459)}  # fmt: skip
ELASTIC_LOST = 48.13853112648599 + 12.212134720268471  # energy lost by slip and by the dashpots [J]


def friction() -> Iterator[Quantity]:
    """All quantities of ropes with friction."""
    yield from bearing()
    yield from spun()
    yield from ramp(10.0, 0.2, 0.1, (60.0, 40.0))
    yield from ramp(37.0, 0.11, 0.23, (300.0, 75.0))
    yield from sine()
    yield from bars(200.0, 0.1, None)
    yield from bars(200.0, None, 0.98)
    yield from bars(75.0, 0.17, None)
    yield from row()
    yield from elastic_row()


def when(result: Result, name: str, what: str) -> list[float]:
    """Times at which a named event happened in a run."""
    return [float(event["time"]) for event in result.events if event["name"] == name and event["what"] == what]


def nearest(times: list[float], time: float) -> float:
    """Distance of a time to the nearest of several times."""
    return min((abs(found - time) for found in times), default=np.inf)


def bearing() -> Iterator[Quantity]:
    """R02: Atwood's machine with a wheel on a plain bearing; and with others numbers."""
    for light, heavy, r, inertia, mass, mu, r_b in ((3.0, 5.0, 0.2, 0.04, 2.0, 0.12, 0.015),
                                                    (7.0, 8.5, 0.35, 0.2, 3.0, 0.2, 0.03)):  # fmt: skip
        machine = Machine("bearing")
        slider(machine, "light", light, (-r, -6.0))
        slider(machine, "heavy", heavy, (r, -1.0))
        wheel = sheave(0.0, 0.0, r, inertia=inertia, bearing={"friction": mu, "radius": r_b, "mass": mass})
        machine.cable("rope", kind="ideal", exit=[0, 0, 0], exit_body="light", body="heavy", anchor=[0, 0, 0],
                      via=[wheel])  # fmt: skip
        result = ran(machine, 2.0, 0.5)
        # m2 a = m2 g - T2, m1 a = T1 - m1 g, I a/r = r (T2 - T1) - mu r_b (T1 + T2 + m g)
        g, b = 9.81, mu * r_b / r
        A = [[1.0, 0.0, heavy], [0.0, 1.0, -light], [1.0 - b, -1.0 - b, -inertia / r**2]]
        heavy_pull, light_pull, a = np.linalg.solve(A, [heavy * g, light * g, b * mass * g])
        name = f"bearing, {light:g} and {heavy:g} kg"
        found = result["span_tension"].values[0]
        yield near(f"{name}, tension of the light side", float(found[0]), (float(light_pull), 1e-8), CLOSED, "N")
        yield near(f"{name}, tension of the heavy side", float(found[1]), (float(heavy_pull), 1e-8), CLOSED, "N")
        travel = -1.0 - float(result["body_position"].values[-1, 1, 2])
        yield near(f"{name}, travel after 2 s", travel, (2.0 * float(a), 1e-8), CLOSED, "m")
        yield judged(name, result)


def spun() -> Iterator[Quantity]:
    """R03: a wheel that spins drags its rope along, until the rope has its speed."""
    machine = Machine("spun wheel")
    slider(machine, "rising", 2.0, (-0.15, -8.0))
    slider(machine, "sinking", 2.6, (0.15, -1.0))
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], exit_body="rising", body="sinking", anchor=[0, 0, 0],
                  via=[sheave(0.0, 0.0, 0.15, inertia=0.05, friction=0.25, spin=60.0)])  # fmt: skip
    result = ran(machine, 1.5, 0.1)
    late = nearest(when(result, "rope.guide1", "sticks"), 0.7609001437429412)
    yield at_most("spun wheel, when the rope sticks", late, 1e-6, CLOSED, "s")
    for time, travel in {0.2: 0.09431137504998738, 0.5: 0.5894460940624211, 1.0: 2.247654512428914,
                         1.5: 4.252683014057579}.items():  # fmt: skip
        found = -1.0 - float(result["body_position"].sel(time=time, method="nearest").values[1, 2])
        yield Quantity(f"spun wheel, travel at {time:g} s", found, travel, 1e-6, CLOSED, "m")
    ratio = float(result["span_tension"].values[1, 0] / result["span_tension"].values[1, 1])
    yield near("spun wheel, ratio of tensions while it slips", ratio, (2.1932800507380152, 1e-7), CLOSED)
    heat = float(result["work_dissipated"].values[-1])
    yield near("spun wheel, heat of slip", heat, (54.11923058393509, 1e-6), CLOSED, "J")
    yield judged("spun wheel", result)


def ramp(mass: float, mu: float, radius: float, pull: tuple[float, float]) -> Iterator[Quantity]:
    """R04: a mass on a rope over a bar, pulled by a force that grows."""
    (start, rate), k = pull, float(np.exp(mu * np.pi))
    machine = Machine("ramp")
    slider(machine, "load", mass, (radius, -20.0))
    machine.cable("rope", kind="ideal", exit=[-radius, 0, -20], winch="hand", body="load", anchor=[0, 0, 0],
                  via=[sheave(0.0, 0.0, radius, side="over", friction=mu)])  # fmt: skip
    machine.driver("hand", kind="winch", drum={"radius": 1.0, "inertia": NO_INERTIA, "torque": f"-{start} - {rate}*t"})
    onset = (mass * 9.81 * k - start) / rate
    result = ran(machine, onset + 2.0, onset + 2.0)
    name = f"force on a rope over a bar, {mass:g} kg"
    yield at_most(f"{name}, when it slips", nearest(when(result, "rope.guide1", "slips"), onset), 1e-9, CLOSED, "s")
    travel = float(result["body_position"].values[-1, 0, 2]) + 20.0
    yield near(f"{name}, travel after 2 s", travel, (rate / (k * mass) * 8.0 / 6.0, 1e-7), CLOSED, "m")
    yield judged(name, result)


def sine() -> Iterator[Quantity]:
    """R05: a rope over a quarter of a bar, pulled by a sine: it sticks and slips both ways."""
    machine = Machine("sine")
    slider(machine, "load", 5.0, (0.1, -20.0))
    machine.cable("rope", kind="ideal", exit=[-20, 0, 0.1], winch="hand", body="load", anchor=[0, 0, 0],
                  via=[sheave(0.0, 0.0, 0.1, side="over", friction=0.25)])  # fmt: skip
    machine.driver("hand", kind="winch", drum={"radius": 1.0, "inertia": NO_INERTIA, "torque": "-50 - 30*sin(pi*t)"})
    result = ran(machine, 4.2, 0.1)
    times = [(float(event["time"]), event["what"]) for event in result.events if event["name"] == "rope.guide1"]
    words = ["slips", "sticks"] * 4
    yield Quantity("sine, switches in their order", float([what for _, what in times] == words), 1.0, 0.0, EVENTS)
    worst = max((abs(time - known) for (time, _), known in zip(times, SINE_TIMES, strict=False)), default=np.inf)
    yield at_most("sine, times of switching", worst, 1e-7, EVENTS, "s")
    last = float(result["body_position"].values[-1, 0, 2]) + 20.0
    yield Quantity("sine, place at the end", last, SINE_PLACES[-1], 1e-7, EVENTS, "m")
    yield judged("sine", result)


def bars(mass: float, mu: float | None, efficiency: float | None) -> Iterator[Quantity]:
    """R07: four falls over bars, or over sheaves that lose a share: pull to lift, and least pull to hold."""
    eta = efficiency if mu is None else float(np.exp(-mu * np.pi))
    assert eta is not None
    steps = np.arange(1, 5)
    up, down = (float(mass * 9.81 / np.sum(eta**power)) for power in (steps, -steps))
    name = f"four falls, {mass:g} kg, {'bars' if efficiency is None else 'sheaves'}"
    for what, pull, way in (("lift", up, 1.0), ("hold", down, -1.0)):
        guide: dict[str, Any] = {"friction": mu} if efficiency is None else {"efficiency": efficiency}
        # pull hardly more than needed: the little inertia of the slipping rope falsifies tensions when the load
        # accelerates
        result = ran(falls(mass, guide, pull * (1.0 + 1e-5 * way)), 0.2, 0.1)
        spans = result["span_tension"].values[-1]
        # scale to the load at rest: the tensions of the four falls both carry the load and accelerate it
        found = mass * 9.81 * spans[0] / spans[1:].sum()
        yield near(f"{name}, pull to {what}", float(found), (float(pull), 1e-10), CLOSED, "N")
        still = ran(falls(mass, guide, pull * (1.0 - 1e-9 * way)), 0.2, 0.1)
        moved = float(np.abs(still["body_velocity"].values[:, 0, 2]).max())
        yield at_most(f"{name}, speed at a pull 1e-9 from that to {what}", moved, 1e-12, CLOSED, "m/s")
        yield judged(f"{name}, {what}", result)


def falls(mass: float, guide: dict[str, Any], pull: float) -> Machine:
    """A load on four falls."""
    machine, r = Machine("four falls"), 0.12
    slider(machine, "load", mass, (0.0, -5.0))
    above, below = {"radius": r, "side": "over", **guide}, {"body": "load", "radius": r, "side": "under", **guide}
    machine.cable("rope", kind="ideal", exit=[-r, 0, -5], winch="hand", body="world", anchor=[7 * r, 0, 0], via=[
        sheave(0.0, 0.0, **above), sheave(2 * r, 0.0, **below),
        sheave(4 * r, 0.0, **above), sheave(6 * r, 0.0, **below)])  # fmt: skip
    machine.driver("hand", kind="winch", drum={"radius": 1.0, "inertia": NO_INERTIA, "torque": -pull})
    return machine


def row() -> Iterator[Quantity]:
    """R09: two masses on a rope through three holes; a force on one of them."""
    machine, second = Machine("three holes"), np.array([1.0 + np.cos(0.6), np.sin(0.6)])
    slider(machine, "first", 10.0, (0.0, -5.0))
    joint = {"kind": "prismatic", "axis": [0, 0, 1], "origin": [*map(float, second), -5.0]}
    machine.body("second", mass=10.0, joint=joint)
    holes = [([0, 0, 0], 0.15), ([1, 0, 0], 0.1), ([*map(float, second), 0.0], 0.2)]
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], exit_body="first", body="second", anchor=[0, 0, 0],
                  via=[{"kind": "pinhole", "point": point, "friction": mu} for point, mu in holes])  # fmt: skip
    # load by time: to 120 N within 1 s, from 1.2 s to 2 s down to -70 N, and back to zero within 0.3 s
    load = "120*min(t, 1) - 237.5*min(max(t - 1.2, 0), 0.8) + 70*min(max(t - 2, 0)/0.3, 1)"
    machine.force("second", force=[0, 0, f"-({load})"])
    result = ran(machine, 3.0, 0.1)
    times = [float(event["time"]) for event in result.events if event["name"] == "rope.guide3"]
    worst = max((abs(a - b) for a, b in zip(times, ROW_TIMES, strict=False)), default=np.inf)
    yield Quantity("three holes, switches", float(len(times)), 4.0, 0.0, EVENTS)
    yield at_most("three holes, times of switching", worst, 1e-7, EVENTS, "s")
    depth = -5.0 - float(result["body_position"].values[-1, 1, 2])
    yield Quantity("three holes, depth at the end", depth, ROW_DEPTH, 1e-7, EVENTS, "m")
    yield judged("three holes", result)


def elastic_row() -> Iterator[Quantity]:
    """R10: the machine of R09 with a rope that stretches: it begins and ends to slip at one hole after another."""
    machine = Machine("three holes, elastic rope")
    viscous = {"viscous": 60.0}
    for name, x in (("first", 0.0), ("second", 2.0)):
        joint = {"kind": "prismatic", "axis": [0, 0, 1], "origin": [x, 0, -1.5], "friction": viscous}
        machine.body(name, mass=20.0, joint=joint)
    holes = [([0, 0, 0], 0.25), ([1, 0, 0.6], 0.15), ([2, 0, 0], 0.2)]
    length = 2.0 * (1.4926784123872407 + 1.160498135613874)
    machine.cable("rope", kind="spring", axial_stiffness=4e4, length=length, exit=[0, 0, 0], exit_body="first",
                  body="second", anchor=[0, 0, 0],
                  via=[{"kind": "pinhole", "point": point, "friction": mu} for point, mu in holes])  # fmt: skip
    x, y = "min(max(t/0.4, 0), 1)", "min(max((t - 0.6)/0.4, 0), 1)"
    steps = [f"({s})**3*(10 - 15*({s}) + 6*({s})**2)" for s in (x, y)]
    machine.force("second", force=[0, 0, f"-300*({steps[0]} - {steps[1]})"])
    result = ran(machine, 2.0, 0.1, 1e-10)
    found = [(float(event["time"]), event["name"], event["what"]) for event in result.events]
    known = [(f"rope.guide{k}", what) for _, k, what in ELASTIC_SWITCHES]
    is_same = sorted(known[4:6]) == sorted((a, b) for _, a, b in found[4:6]) and len(found) == len(known)
    is_same &= all(found[k][1:] == known[k] for k in range(len(known)) if k not in (4, 5) and k < len(found))
    yield Quantity("elastic rope, switches in their order", float(is_same), 1.0, 0.0, LCP)
    worst = max((abs(a[0] - b[0]) for a, b in zip(found, ELASTIC_SWITCHES, strict=False)), default=np.inf)
    yield at_most("elastic rope, times of switching", worst, 1e-5, LCP, "s")
    for time, depths in ELASTIC_PLACES.items():
        places = -result["body_position"].sel(time=time, method="nearest").values[:, 2]
        yield at_most(f"elastic rope, depths at {time:g} s", float(np.abs(places - depths).max()), 1e-6, LCP, "m")
    lost = float(result["work_dissipated"].values[-1])
    yield near("elastic rope, energy lost", lost, (ELASTIC_LOST, 1e-6), LCP, "J")
    yield judged("elastic rope", result)
