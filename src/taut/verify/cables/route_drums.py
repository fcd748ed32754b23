"""Drums with gearboxes, brakes that take time to close, motors and layers: closed forms."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

from taut.scenario.builder import Machine
from taut.verify.cables.route_parts import CLOSED, judged, ran
from taut.verify.quantity import Quantity, at_most, near

G = 9.81
# hoists: mass, radius and inertia of the drum, inertia of the motor, ratio, efficiency, torque of the motor
HOISTS = ((500.0, 0.2, 4.0, 0.02, 30.0, 0.92, 40.0), (50.0, 0.1, 0.05, 0.0004, 60.0, 0.7, 1.2),
          (120.0, 0.15, 0.8, 0.003, 24.0, 0.81, 11.5))  # fmt: skip
# motors: inertia, friction, lag, gain, largest torque, speed asked for, load torque
MOTORS = ((0.02, 0.01, 0.005, 2.0, 12.0, 100.0, 3.0), (0.3, 0.05, 0.02, 1.5, 40.0, 60.0, 10.0))
# drums with layers: radius of the lowest layer, width, pitch, diameter of the rope, stacking, turns
WOUND = ((0.208, 0.5, 0.0168, 0.016, "nested", 80), (0.15, 0.2, 0.011, 0.01, "flat", 50))

# drums along which their rope travels: radius, width, pitch, and distance of the hole in front of their middle
FLEETS = ((0.208, 0.5, 0.0168, 6.0), (0.1, 0.3, 0.03, 1.5))
# the same to and fro in layers: radius, width, pitch, diameter of the rope, turns, distance of the hole
REVERSING = ((0.208, 0.5, 0.0168, 0.016, 80, 6.0), (0.1, 0.2, 0.02, 0.018, 25, 1.5))


def drums() -> Iterator[Quantity]:
    """All quantities of ropes on drums."""
    for numbers in HOISTS:
        yield from geared(numbers)
    yield from braked()
    for numbers in MOTORS:
        yield from motor(numbers)
    for numbers in WOUND:
        yield from layered(numbers)
    for numbers in FLEETS:
        yield from fleet(numbers)
    for numbers in REVERSING:
        yield from to_and_fro(numbers)


def hoist(mass: float, radius: float, torque: float, drum: dict, speed: float = 0.0) -> Machine:
    """A load on a drum."""
    machine = Machine("drum")
    joint = {"kind": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, -20.0], "velocity": speed}
    machine.body("load", mass=mass, joint=joint)
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], winch="drum")
    own = {"radius": radius, "torque": torque, "braked": False, "speed": -speed / radius}
    machine.driver("drum", kind="winch", drum={**own, **drum})
    return machine


def geared(numbers: tuple[float, ...]) -> Iterator[Quantity]:
    """D04: a gearbox loses a share of the torque that it hands on, lifting and sinking; at rest it holds."""
    mass, R, J, J_m, n, eta, torque = numbers
    zeta = 1.0 / eta - 1.0
    drum = {"inertia": J, "gearbox": {"ratio": n, "efficiency": eta, "inertia": J_m}}
    name = f"gearbox of efficiency {eta:g}"
    for what, pull, s in (("lifting", torque, 1.0), ("sinking", 0.0, -1.0)):
        # n^2 Jm f'' = n tau - tau_d (1 + zeta s), tau_d = J f'' + R m (g + R f'')
        loss = 1.0 + zeta * s
        turn = (n * pull - loss * R * mass * G) / (n**2 * J_m + loss * (J + R**2 * mass))
        result = ran(hoist(mass, R, -pull, drum), 0.5, 0.25)
        travel = float(result["body_position"].values[-1, 0, 2]) + 20.0
        yield near(f"{name}, {what}, travel", travel, (R * turn / 8.0, 1e-8), CLOSED, "m")
        tension = float(result["cable_tension_exit"].values[0, 0])
        yield near(f"{name}, {what}, tension", tension, (mass * (G + R * turn), 1e-9), CLOSED, "N")
        yield judged(f"{name}, {what}", result)
    for what, share in (("least", 1.0 - zeta), ("most", 1.0 + zeta)):
        for side in (-1.0, 1.0):
            pull = share * R * mass * G / n * (1.0 + 1e-6 * side)
            result = ran(hoist(mass, R, -pull, drum), 0.1, 0.1)
            moves = float(abs(result["body_velocity"].values[-1, 0, 2]) > 1e-9)
            is_free = float((side < 0.0) == (what == "least"))
            yield Quantity(f"{name}, 1e-6 {'below' if side < 0.0 else 'above'} the {what} that holds, moves", moves,
                           is_free, 0.0, CLOSED)  # fmt: skip


def braked() -> Iterator[Quantity]:
    """D05: a load sinks, its brake begins to close at 0.15 s and holds fully at 0.25 s."""
    machine = hoist(800.0, 0.3, 0.0, {"inertia": 10.0, "brake": 4500.0, "brake_delay": 0.1, "brake_rise": 0.1},
                    -0.8)  # fmt: skip
    machine.failure("stop", at=0.05, kind="brake", target="drum")
    result = ran(machine, 0.8, 0.05)
    stops = [float(event["time"]) for event in result.events if event["what"] == "sticks"]
    yield at_most("brake, when the load stops", abs((stops or [np.inf])[0] - 0.5213770817797663), 1e-8, CLOSED, "s")
    depth = -20.0 - float(result["body_position"].values[-1, 0, 2])
    yield Quantity("brake, way to the stop", depth, 0.7307874917395705, 1e-8, CLOSED, "m")
    yield near("brake, heat", float(result["work_dissipated"].values[-1]), (6026.775790727705, 1e-8), CLOSED, "J")
    tension = float(result["cable_tension_exit"].sel(time=0.3, method="nearest").values[0])
    yield near("brake, tension while it brakes", tension, (14127.804878048784, 1e-8), CLOSED, "N")
    yield judged("brake", result)


def motor(numbers: tuple[float, ...]) -> Iterator[Quantity]:
    """D03: a motor with a lag and a torque limit, led by its speed; exact before and after it leaves the limit."""
    J, b, lag, gain, most, speed, load = numbers
    machine = Machine("motor")
    # a load torque is made by a force on a body of almost no mass
    machine.body("load", mass=1e-13, joint={"kind": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, -500.0]})
    machine.force("load", name="pull", force=[0, 0, -load])
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], winch="drum")
    machine.driver("drum", kind="winch", drum={"radius": 1.0, "inertia": J, "friction": b, "braked": False,
                   "motor": {"speed": -speed, "kv": gain, "limit": most, "lag": lag}})  # fmt: skip
    name = f"motor of {most:g} N m"
    result = ran(machine, 0.5, 0.01, 1e-12)
    column = result["joint_velocity"].sel(column="rope.drum")
    found = -np.asarray(column.values)
    times = np.asarray(result["time"].values)
    expected = motor_speeds(numbers, times)
    worst = float(np.abs(found - expected).max() / np.abs(expected).max())
    yield at_most(f"{name}, speed at all times, relative", worst, 1e-8, "exponentials of matrices", "1")
    yield judged(name, result)


def motor_speeds(numbers: tuple[float, ...], times: np.ndarray) -> np.ndarray:
    """Speed of the motor: (w, tau)' = A (w, tau) + c by exponentials, at its limit and below."""
    J, b, lag, gain, most, speed, load = numbers
    at_limit = np.array([[-b / J, 1.0 / J], [0.0, -1.0 / lag]]), np.array([-load / J, most / lag])
    below = np.array([[-b / J, 1.0 / J], [-gain / lag, -1.0 / lag]]), np.array([-load / J, gain * speed / lag])

    def state(pair: tuple[np.ndarray, np.ndarray], begin: np.ndarray, t: float) -> np.ndarray:
        rest = -np.linalg.solve(*pair)
        return rest + expm(pair[0] * t) @ (begin - rest)

    leaves: Any = brentq(lambda t: gain * (speed - state(at_limit, np.zeros(2), t)[0]) - most, 1e-4, 5.0, xtol=1e-15)
    left = state(at_limit, np.zeros(2), leaves)
    return np.array([(state(at_limit, np.zeros(2), t) if t < leaves else state(below, left, t - leaves))[0]
                     for t in times])  # fmt: skip


def layered(numbers: tuple[Any, ...]) -> Iterator[Quantity]:
    """D02: the whole rope is paid out from a drum with layers; lengths by circles, speeds and torques by layer."""
    R, width, pitch, d, stack, turns = numbers
    per = int(width / pitch)
    rise = d * (np.sqrt(0.75) if stack == "nested" else 1.0)
    radii = [R + rise * (k // per) for k in range(turns)]  # radius of every turn, the lowest layer first
    name = f"drum with {1 + (turns - 1) // per} {stack} layers"
    machine = Machine("layers")
    machine.body("load", mass=50.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, -1.0]})
    machine.cable("rope", kind="spring", axial_stiffness=1e6, axial_damping=1e4, exit=[0, 0, 0], body="load",
                  anchor=[0, 0, 0], winch="drum", pretension=50.0 * G)  # fmt: skip
    # the drum unwinds all of its turns within 60 s
    angle = f"{2.0 * np.pi * turns!r}*smoothstep(t/60)"
    machine.driver("drum", kind="winch", drum={
        "radius": R, "inertia": 1.0, "braked": False, "motor": {"angle": angle, "kp": 50.0, "kv": 5e4},
        "layers": {"width": width, "pitch": pitch, "diameter": d, "stack": stack, "turns": turns}})  # fmt: skip
    result = ran(machine, 60.0, 0.5, 1e-9)
    out = np.asarray(result["cable_length"].values[:, 0] - result["cable_length"].values[0, 0])
    turned = np.asarray(result["joint_position"].sel(coordinate="rope.drum").values)
    turned = (turned - turned[0]) / (2.0 * np.pi * R)
    # leave out samples within the half turns in which the rope climbs to the next layer: circles are exact elsewhere
    # only
    left = turns - turned
    is_plain = (np.abs(left / per - np.round(left / per)) * per > 0.26) & (left > 0.0)
    whole = 2.0 * np.pi * np.array([sum(radii[: int(n)]) + (n - int(n)) * radii[min(int(n), turns - 1)] for n in left])
    worst = float(np.abs(out - (whole[0] - whole))[is_plain].max() / whole[0])
    yield at_most(f"{name}, length paid out, relative", worst, 1e-12, "sum over all turns", "1")
    # the rope that is still wound at the end lies in the lowest layer, of radius R
    wound = float(out[-1] + 2.0 * np.pi * left[-1] * R)
    full, rest = divmod(turns, per)
    by_layers = 2.0 * np.pi * (sum(per * (R + rise * j) for j in range(full)) + rest * (R + rise * full))
    yield near(f"{name}, length wound at the start", wound, (by_layers, 1e-12), CLOSED, "m")
    yield judged(name, result)


def fleet(numbers: tuple[float, ...]) -> Iterator[Quantity]:
    """D02: a rope travels from flange to flange; fleet angle atan(x/a), straight length sqrt(a^2 + x^2)."""
    R, width, pitch, a = numbers
    name, turns = f"fleet over {width:g} m at {a:g} m", width / pitch
    machine = Machine("fleet")
    machine.body("load", mass=20.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "origin": [a, 0, -1.0]})
    machine.cable("rope", kind="ideal", exit=[0, -0.5 * width, 0], via=[{"kind": "pinhole", "point": [a, 0, 0]}],
                  body="load", anchor=[0, 0, 0], winch="drum")  # fmt: skip
    # the motor holds the load, so that its servo ends at the flange
    motor = {"angle": f"{2.0 * np.pi * turns!r}*smoothstep(t/20)", "kp": 50.0, "kv": 5e3,
             "feedforward": -20.0 * G * R}  # fmt: skip
    machine.driver("drum", kind="winch", drum={"radius": R, "inertia": 1.0, "braked": False, "axis": [0, 1, 0],
                                               "pitch": pitch, "motor": motor})  # fmt: skip
    result = ran(machine, 21.0, 0.5, 1e-9)
    x = np.asarray(result["cable_nodes"].values[:, 0, 0, 1])
    straight = np.asarray(result["cable_length"].values[:, 0] + result["body_position"].values[:, 0, 2])
    worst = float(np.abs(straight - np.hypot(a, x)).max() / a)
    yield at_most(f"{name}, straight length, relative", worst, 1e-9, CLOSED, "1")
    paid = straight[-1] - result["body_position"].values[-1, 0, 2] - (straight[0] + 1.0)
    travel = -0.5 * width + paid * pitch / (2.0 * np.pi * R)
    yield at_most(f"{name}, travel", float(abs(x[-1] - travel)), 1e-9, CLOSED, "m")
    yield near(f"{name}, largest angle", float(np.degrees(np.arctan2(np.abs(x).max(), a))),
               (float(np.degrees(np.arctan(0.5 * width / a))), 1e-6), CLOSED, "deg")  # fmt: skip
    yield judged(name, result)


def to_and_fro(numbers: tuple[Any, ...]) -> Iterator[Quantity]:
    """D02 as a whole: all layers are paid out, and in each the rope travels from flange to flange, back in the next."""
    R, width, pitch, d, turns, a = numbers
    per, name = int(width / pitch), f"fleet of {turns} turns in layers of {int(width / pitch)}"

    def place(left: np.ndarray) -> np.ndarray:
        """Along the axis, from the flange at which the lowest layer begins, in turns."""
        return per - np.abs(np.mod(left, 2 * per) - per)

    sign = -1.0 if (turns // per) % 2 == 0 else 1.0  # the layer of the start is paid out along the axis
    begin = sign * pitch * float(place(np.array(turns)) - 0.5 * per)
    machine = Machine("fleet of layers")
    machine.body("load", mass=20.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "origin": [a, 0, -1.0]})
    machine.cable("rope", kind="ideal", exit=[0, begin, 0], via=[{"kind": "pinhole", "point": [a, 0, 0]}],
                  body="load", anchor=[0, 0, 0], winch="drum")  # fmt: skip
    motor = {"angle": f"{2.0 * np.pi * turns!r}*smoothstep(t/60)", "kp": 50.0, "kv": 5e3}
    layers = {"width": width, "pitch": pitch, "diameter": d, "turns": turns}
    drum = {"radius": R, "inertia": 1.0, "braked": False, "axis": [0, 1, 0], "motor": motor, "layers": layers}
    machine.driver("drum", kind="winch", drum=drum)
    result = ran(machine, 60.0, 0.5, 1e-9)
    x = np.asarray(result["cable_nodes"].values[:, 0, 0, 1])
    turned = np.asarray(result["joint_position"].sel(coordinate="rope.drum").values)
    left = turns - (turned - turned[0]) / (2.0 * np.pi * R)
    # circles and travel are exact but for the half turns in which the rope climbs
    is_plain = (np.abs(left / per - np.round(left / per)) * per > 0.26) & (left > 0.0)
    worst = float(np.abs(x - sign * pitch * (place(left) - 0.5 * per))[is_plain].max())
    yield at_most(f"{name}, travel", worst, 1e-9, CLOSED, "m")
    rise = d * np.sqrt(0.75)
    wound = np.sum([2.0 * np.pi * np.clip(left - per * k, 0.0, per) * (R + rise * k)
                    for k in range(turns // per + 1)], axis=0)  # fmt: skip
    outside = np.hypot(a, x) - np.asarray(result["body_position"].values[:, 0, 2])
    worst = float(np.abs(outside - outside[0] - (wound[0] - wound))[is_plain].max() / wound[0])
    yield at_most(f"{name}, length and straight length, relative", worst, 1e-9, CLOSED, "1")
    yield judged(name, result)
