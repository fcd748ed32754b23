"""Ropes over guides: closed forms and independent integrations of machines that are ropes, wheels and masses.

Numbers: closed forms, or two independent solvers each.
"""

from collections.abc import Iterator

import numpy as np

from taut.analyses.modes import modes
from taut.analyses.statics import statics
from taut.build import build
from taut.scenario.builder import Machine
from taut.verify.cables.route_drums import drums
from taut.verify.cables.route_friction import friction
from taut.verify.cables.route_geometry import geometry, ropes
from taut.verify.cables.route_measures import measures
from taut.verify.cables.route_parts import CLOSED, judged, ran, sheave, slider
from taut.verify.quantity import Quantity, at_most, near

DIFFERENCES = "closed form; stiffness by differences of forces"
SOLVERS = "two independent integrations, at 1e-11 and 1e-12"
LANDINGS = (1.106002527218662, 2.4332055598810562, 2.964086772946014, 3.176439258171997)
SNATCHES = (1.5484035381061267, 2.610165964236042, 3.034870934688008, 3.2047529228687948)
HOISTED = {"speed": -0.8, "blend": 0.5, "length": 43.973039030444454, "EA": 2e6, "CA": 2e4}
DISTANCES = {0.5: 7.949944197845557, 1.0: 7.849908625730541, 2.0: 7.649786632053901, 3.0: 7.449664007499702}
TENSIONS = {0.5: 1219.4815857688734, 1.0: 1226.0809493841161, 3.0: 1226.24999994106}
DEPTHS = {0.1: 15.034223603283191, 0.5: 14.871390653684019, 1.0: 14.365141913765337, 2.0: 12.339727485527327}
DRUM = {0.1: 0.05595511309551346, 0.5: 0.6888541948009294, 1.0: 2.7100742178172132, 2.0: 10.787718117800045}
STRETCH = 0.058805916933266644  # stretch of the tower crane's rope [m]
ELLIPSE = {0.5: (1.171991954855805, -1.7666120991779977), 1.0: (-0.42279611982469056, -1.971191467686272),
           2.0: (-1.6433338401852804, -1.5071995519536276)}  # fmt: skip


def quantities() -> Iterator[Quantity]:
    """All quantities of ropes over guides."""
    yield from ropes()
    yield from geometry()
    yield from atwood()
    yield from tackle()
    yield from hauled_tackle()
    yield from tower_crane()
    yield from ellipse()
    yield from landing()
    yield from drum()
    yield from friction()
    yield from drums()
    yield from measures()


def atwood() -> Iterator[Quantity]:
    """R01: two masses over a wheel with inertia to which the rope sticks."""
    machine = Machine("Atwood's machine")
    slider(machine, "light", 3.0, (-0.2, -6.0))
    slider(machine, "heavy", 5.0, (0.2, -1.0))
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], exit_body="light", body="heavy", anchor=[0, 0, 0],
                  via=[sheave(0.0, 0.0, 0.2, inertia=0.04)])  # fmt: skip
    result = ran(machine, 2.0, 0.5)
    travel, speed = result["body_position"].values[:, 1, 2] + 1.0, result["body_velocity"].values[:, 1, 2]
    for k, way, rate in ((1, 0.2725, 1.09), (2, 1.09, 2.18), (4, 4.36, 4.36)):
        yield near(f"Atwood, travel after {0.5 * k:g} s", -float(travel[k]), (way, 1e-9), CLOSED, "m")
        yield near(f"Atwood, speed after {0.5 * k:g} s", -float(speed[k]), (rate, 1e-9), CLOSED, "m/s")
    for k, (side, pull) in enumerate({"light": 35.97, "heavy": 38.15}.items()):
        yield near(
            f"Atwood, tension on the {side} side", float(result["span_tension"][0, k]), (pull, 1e-9), CLOSED, "N"
        )
    load = float(result["guide_load"].values[0, 0, 2])
    yield near("Atwood, load of the wheel", -load, (74.12, 1e-9), "bearing load less the weight of the wheel", "N")
    yield judged("Atwood", result)
    yield from hinged()


def hinged() -> Iterator[Quantity]:
    """R01 with other numbers, its wheel on a body that is free to turn about the same axis: it does not turn."""
    for light, heavy, radius, inertia in ((3.0, 5.0, 0.2, 0.04), (1.5, 4.0, 0.1, 0.03)):
        machine = Machine("Atwood's machine on a hinge")
        slider(machine, "light", light, (-radius, -6.0))
        slider(machine, "heavy", heavy, (radius, -1.0))
        hinge = {"kind": "revolute", "axis": [0, 1, 0], "origin": [0, 0, 0]}
        machine.body("carrier", mass=0.5, inertia=[0.01, 0.01, 0.01], joint=hinge)
        machine.cable("rope", kind="ideal", exit=[0, 0, 0], exit_body="light", body="heavy", anchor=[0, 0, 0],
                      via=[sheave(0.0, 0.0, radius, inertia=inertia, body="carrier")])  # fmt: skip
        result = ran(machine, 1.0, 0.5)
        a, name = (heavy - light) * 9.81 / (light + heavy + inertia / radius**2), f"Atwood on a hinge, {heavy:g} kg"
        fall = -1.0 - float(result["body_position"].values[-1, 1, 2])
        yield near(f"{name}, travel after 1 s", fall, (0.5 * a, 1e-9), CLOSED, "m")
        turn = float(np.abs(result["joint_position"].sel(coordinate="carrier").values).max())
        yield at_most(f"{name}, turn of the carrier", turn, 1e-9, CLOSED, "rad")
        yield judged(name, result)


def tackle() -> Iterator[Quantity]:
    """R06: four falls over four wheels with inertia, pulled by a constant force."""
    machine, r = Machine("block and tackle"), 0.12
    slider(machine, "load", 200.0, (0.0, -5.0))
    wheel = {"radius": r, "inertia": 0.03}
    below = {"body": "load", "side": "under", **wheel}
    machine.cable("rope", kind="ideal", exit=[-r, 0, -5], winch="hand", body="world", anchor=[7 * r, 0, 0], via=[
        sheave(0.0, 0.0, side="over", **wheel), sheave(2 * r, 0.0, **below),
        sheave(4 * r, 0.0, side="over", **wheel), sheave(6 * r, 0.0, **below)])  # fmt: skip
    # a force at the end of a rope is made by a drum of almost no inertia
    machine.driver("hand", kind="winch", drum={"radius": 1.0, "inertia": 1e-9, "torque": -620.0})
    result = ran(machine, 2.0, 0.5)
    travel = float(result["body_position"].values[-1, 0, 2]) + 5.0
    yield near("tackle, travel of the load", travel, (3.9466666666666668, 1e-9), CLOSED, "m")
    pulls = (620.0, 603.5555555555557, 591.2222222222222, 583.0, 578.8888888888889)
    worst = float(np.abs(result["span_tension"].values[0] / pulls - 1.0).max())
    yield at_most("tackle, tensions of its five parts, relative", worst, 1e-9, CLOSED)
    yield judged("tackle", result)
    yield from rubbed_tackle()


def rubbed_tackle() -> Iterator[Quantity]:
    """R06 with axles whose friction moment is b r (T_j + T_j+1), and another pull."""
    for pull, b, inertia in ((620.0, 0.01, 0.03), (700.0, 0.02, 0.05)):
        machine, r = Machine("block and tackle with axle friction"), 0.12
        slider(machine, "load", 200.0, (0.0, -5.0))
        wheel = {"radius": r, "inertia": inertia, "bearing": {"friction": b * r / 0.02, "radius": 0.02}}
        below = {"body": "load", "side": "under", **wheel}
        machine.cable("rope", kind="ideal", exit=[-r, 0, -5], winch="hand", body="world", anchor=[7 * r, 0, 0], via=[
            sheave(0.0, 0.0, side="over", **wheel), sheave(2 * r, 0.0, **below),
            sheave(4 * r, 0.0, side="over", **wheel), sheave(6 * r, 0.0, **below)])  # fmt: skip
        machine.driver("hand", kind="winch", drum={"radius": 1.0, "inertia": 1e-9, "torque": -pull})
        result = ran(machine, 2.0, 0.5)
        a, tensions = rubbed_falls(200.0, pull, b, inertia / r**2)
        name = f"tackle with axle friction {b:g}"
        travel = float(result["body_position"].values[-1, 0, 2]) + 5.0
        yield near(f"{name}, travel of the load", travel, (2.0 * a, 1e-9), CLOSED, "m")
        worst = float(np.abs(result["span_tension"].values[0] / tensions[::-1] - 1.0).max())
        yield at_most(f"{name}, tensions of its five parts, relative", worst, 1e-9, CLOSED)
        yield judged(name, result)


def rubbed_falls(mass: float, pull: float, b: float, wheel: float) -> tuple[float, np.ndarray]:
    """Acceleration, and tensions from the dead end.

    T_j+1 - T_j = b (T_j + T_j+1) + (I/r^2) j a, and the sum of four is m (g + a).
    """
    A, c = np.zeros((6, 6)), np.zeros(6)
    for j in range(4):
        A[j, j], A[j, j + 1], A[j, 5] = -(1.0 + b), 1.0 - b, -wheel * (j + 1)
    A[4, :4], A[4, 5], c[4] = 1.0, -mass, mass * 9.81
    A[5, 4], c[5] = 1.0, pull
    found = np.linalg.solve(A, c)
    return float(found[5]), found[:5]


def hauled_tackle() -> Iterator[Quantity]:
    """R08: four elastic falls over points, hauled by a winch."""
    machine, v, T = Machine("hauled tackle"), HOISTED["speed"], HOISTED["blend"]
    slider(machine, "load", 500.0, (0.0, -8.0))
    top, block = {"kind": "pinhole"}, {"kind": "pinhole", "body": "load"}
    machine.cable("rope", kind="spring", axial_stiffness=HOISTED["EA"], axial_damping=HOISTED["CA"], winch="winch",
                  length=HOISTED["length"], exit=[-12, 0, 0], via=[top, block, top, block], body="world",
                  anchor=[0, 0, 0])  # fmt: skip
    s = f"(t/{T!r})"
    rise = f"{v * T!r}*({s}^6 - 3*{s}^5 + 2.5*{s}^4)".replace("^", "**")
    machine.driver("winch", kind="winch", start="raw", payout=f"where({T!r} - t, {rise}, {v!r}*(t - {T / 2!r}))")
    result = ran(machine, 3.0, 0.5)
    for time, distance in DISTANCES.items():
        found = -float(result["body_position"].sel(time=time).values[0, 2])
        yield Quantity(f"hauled tackle, blocks apart at {time:g} s", found, distance, 1e-7, SOLVERS, "m")
    for time, pull in TENSIONS.items():
        found = float(result["cable_tension_exit"].sel(time=time).values[0])
        yield near(f"hauled tackle, tension at {time:g} s", found, (pull, 1e-6), SOLVERS, "N")
    yield judged("hauled tackle", result)


def tower_crane() -> Iterator[Quantity]:
    """R13: the way over trolley and hook does not depend on where the trolley is."""
    for x in (10.0, 31.0):
        machine = Machine("tower crane")
        machine.body("trolley", mass=1.0, joint={"kind": "fixed", "origin": [x, 0, 0]})
        machine.body("hook", mass=1500.0, joint={"kind": "point", "position": [x, 0, -12]})
        wheel = {"kind": "pinhole", "body": "trolley"}
        machine.cable("hoist", kind="spring", axial_stiffness=8e6, exit=[0, 0, 0], body="world", anchor=[40, 0, 0],
                      length=64.0 - STRETCH, via=[wheel, {"kind": "pinhole", "body": "hook"}, wheel])  # fmt: skip
        model = build(machine.scenario())
        found = statics(model)
        where = f"tower crane, trolley at {x:g} m"
        yield near(f"{where}, tension", found.cables["hoist"]["tension_exit"], (7357.5, 1e-9), CLOSED, "N")
        yield Quantity(f"{where}, height of the hook", found.bodies["hook"]["position"][2], -12.0, 1e-8, CLOSED, "m")
        shapes = np.sort(2.0 * np.pi * np.asarray(modes(model).frequencies))
        yield near(f"{where}, swing", float(shapes[0]), (0.9041570660012562, 1e-9), DIFFERENCES, "rad/s")
        yield near(f"{where}, bounce", float(shapes[-1]), (18.265812213896574, 1e-9), DIFFERENCES, "rad/s")


def ellipse() -> Iterator[Quantity]:
    """R14: a mass that slides on a rope with two fixed ends."""
    a, b, start = 2.5, 2.0, 0.8
    machine = Machine("mass on a rope")
    machine.body("mass", mass=1.0, joint={"kind": "point", "position": [a * np.sin(start), 0, -b * np.cos(start)]})
    machine.cable("rope", kind="ideal", exit=[-1.5, 0, 0], via=[{"kind": "pinhole", "body": "mass"}], body="world",
                  anchor=[1.5, 0, 0], length=2 * a)  # fmt: skip
    result = ran(machine, 2.0, 0.5, 1e-12)
    for time, place in ELLIPSE.items():
        found = result["body_position"].sel(time=time).values[0, [0, 2]]
        yield at_most(f"mass on a rope, place at {time:g} s", float(np.abs(found - place).max()), 1e-8,
                      "quadrature and an integration with events", "m")  # fmt: skip
    yield judged("mass on a rope", result)


def landing() -> Iterator[Quantity]:
    """R15: the heavy mass of Atwood's machine lands, the rope goes slack and snatches it up again, and again."""
    machine = Machine("landing")
    slider(machine, "falling", 6.0, (-0.2, -1.0), sphere={"radius": 0.1})
    slider(machine, "rising", 4.0, (0.2, -5.0))
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], exit_body="falling", body="rising", anchor=[0, 0, 0],
                  via=[sheave(0.0, 0.0, 0.2)])  # fmt: skip
    machine.ground(body="falling", law="rigid", height=-2.3)
    result = ran(machine, 3.23, 0.05)
    times = {name: [event["time"] for event in result.events if event["name"] == name] for name in ("rope",)}
    lands = [event["time"] for event in result.events if event["name"] != "rope"]
    for k, time in enumerate(LANDINGS):
        near_by = min((abs(found - time) for found in lands), default=np.inf)
        yield at_most(f"landing {k + 1}", float(near_by), 1e-8, CLOSED, "s")
    for k, time in enumerate(SNATCHES):
        near_by = min((abs(found - time) for found in times["rope"]), default=np.inf)
        yield at_most(f"snatch {k + 1}", float(near_by), 1e-8, CLOSED, "s")
    lost = float(result["work_dissipated"].values[-1])
    losses = (
        14.126399999999999 + 5.65056 + 2.260224 + 0.9040896 + 0.36163584 + 0.144654336 + 0.0578617344 + 0.02314469376
    )
    yield near("landing, energy lost in eight impacts", lost, (losses, 1e-8), CLOSED, "J")
    yield judged("landing", result)


def drum() -> Iterator[Quantity]:
    """D01: a drum that feels what the stretched material it takes in costs."""
    machine = Machine("drum hoist")
    slider(machine, "load", 400.0, (0.0, -15.03924))
    machine.cable("rope", kind="spring", axial_stiffness=1.5e6, axial_damping=8e3, exit=[0, 0, 0], body="load",
                  anchor=[0, 0, 0], length=15.0, winch="drum")  # fmt: skip
    machine.driver("drum", kind="winch", drum={"radius": 0.25, "inertia": 6.0, "torque": -1150.0, "braked": False})
    result = ran(machine, 2.0, 0.05)
    for time, depth in DEPTHS.items():
        found = -float(result["body_position"].sel(time=time, method="nearest").values[0, 2])
        yield Quantity(f"drum hoist, depth at {time:g} s", found, depth, 1e-7, SOLVERS, "m")
    for time, angle in DRUM.items():
        found = (15.0 - float(result["cable_length"].sel(time=time, method="nearest").values[0])) / 0.25
        yield Quantity(f"drum hoist, turn at {time:g} s", found, angle, 1e-7, SOLVERS, "rad")
    yield judged("drum hoist", result)
