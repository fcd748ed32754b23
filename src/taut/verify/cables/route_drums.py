"""Drums with gearboxes and brakes that take time to close: closed forms."""

from collections.abc import Iterator

import numpy as np

from taut.scenario.builder import Machine
from taut.verify.cables.route_parts import CLOSED, judged, ran
from taut.verify.quantity import Quantity, at_most, near

G = 9.81
# mass, radius, inertia of drum and motor, ratio, efficiency, torque of the motor
HOISTS = ((500.0, 0.2, 4.0, 0.02, 30.0, 0.92, 40.0), (50.0, 0.1, 0.05, 0.0004, 60.0, 0.7, 1.2),
          (120.0, 0.15, 0.8, 0.003, 24.0, 0.81, 11.5))  # fmt: skip


def drums() -> Iterator[Quantity]:
    """All of them."""
    for numbers in HOISTS:
        yield from geared(numbers)
    yield from braked()


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
