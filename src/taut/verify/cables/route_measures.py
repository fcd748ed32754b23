"""What is measured of ropes and drums: events that must last, failures that wait for them, encoders. Closed forms."""

from collections.abc import Iterator

import numpy as np

from taut.scenario.builder import Machine
from taut.verify.cables.route_parts import CLOSED, judged, ran
from taut.verify.quantity import Quantity, at_most, near

G = 9.81
# mass [kg], amplitude [N] and period [s] of a force, share of the amplitude to pass, time that it must last [s]
LASTING = ((10.0, 50.0, 1.0, 0.5, 0.3), (2000.0, 5000.0, 3.0, 0.8, 0.1), (0.5, 3.0, 0.2, -0.2, 0.1))
# radius [m], ratio, counts of a turn, speed of the drum [rad/s]
ENCODERS = ((0.2, 1.0, 512, 0.7), (0.05, 30.0, 100, 2.3))

# frequency [Hz]; lag, delay, period of the controller [s]; resolution [m]; period of its own samples [s], if any
CHAINS = ((1.3, 0.04, 0.025, 0.02, 0.01, 0.0), (0.7, 0.3, 0.013, 0.05, 0.002, 0.0),
          (2.1, 0.015, 0.004, 0.03, 0.005, 0.007), (0.43, 0.002, 0.31, 0.1, 0.004, 0.25))  # fmt: skip


def measures() -> Iterator[Quantity]:
    """All quantities measured on ropes."""
    for numbers in LASTING:
        yield from lasting(numbers)
    for numbers in ENCODERS:
        yield from encoder(numbers)
    yield from sensors()


def sensors() -> Iterator[Quantity]:
    """D06: x = sin(w t) through a lag and a delay, sampled and rounded; by the controllers' samples and by its own."""
    for numbers in CHAINS:
        yield from sensor(numbers)


def sensor(numbers: tuple[float, ...]) -> Iterator[Quantity]:
    """y = (sin(w t) - w tau (cos(w t) - exp(-t/tau)))/(1 + (w tau)^2), a delay later."""
    f, lag, delay, period, q, own = numbers
    w, name = 2.0 * np.pi * f, f"sensor with lag {lag:g} s and delay {delay:g} s{', own samples' if own else ''}"
    machine = Machine("sensor")
    machine.body("slide", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "motion": f"sin({w!r}*t)"})
    machine.signal("unused", kind="command")
    chain = {"joint": "slide", "lag": lag, "delay": delay, **({"period": own} if own else {})}
    machine.measurement("shown", **chain)
    machine.measurement("rounded", **chain, resolution=q)
    machine.controller("listen", kind="feedforward", period=period, commands={"unused": 0.0})
    result = ran(machine, 200.0 * period, 20.0 * period)
    t = result["control_time"].values
    # the sensor's own last sample, half a millionth of it early if rounding has put the instant before it
    sampled = own * np.floor(t / own + 5e-7) if own else t
    at = np.maximum(sampled - delay, 0.0)
    y = (np.sin(w * at) - w * lag * (np.cos(w * at) - np.exp(-at / lag))) / (1.0 + (w * lag) ** 2)
    shown, rounded = result["measurement_value"].values.T
    yield at_most(f"{name}, before rounding", float(np.abs(shown - y).max()), 1e-9, CLOSED, "m")
    # a sample may be rounded either way if it is within 1e-9 of the middle
    is_tie = np.abs(np.abs(y / q - np.floor(y / q)) - 0.5) < 1e-9 / q
    worst = float(np.abs(rounded - q * np.rint(y / q))[~is_tie].max())
    yield at_most(f"{name}, rounded", worst, 1e-12, CLOSED, "m")
    error = float(np.sqrt(np.mean((rounded - shown) ** 2)))
    yield near(f"{name}, error of rounding", error, (q / np.sqrt(12.0), 0.1), "q/sqrt(12)", "m")
    yield judged(name, result)


def lasting(numbers: tuple[float, ...]) -> Iterator[Quantity]:
    """A tension m g + F sin(w t) above a value for a time: then the rope is cut, and the load falls."""
    mass, F, period, share, lasts = numbers
    w, name = 2.0 * np.pi / period, f"tension above its value for {lasts:g} s, {mass:g} kg"
    machine = Machine("held")
    machine.body("load", mass=mass, joint={"kind": "prismatic", "origin": [0, 0, -2]})
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], body="load", anchor=[0, 0, 0])
    machine.force("load", force=[0, 0, f"-{F}*sin({w!r}*t)"])
    machine.measurement("pull", cable="rope", what="tension_anchor")
    machine.event("heavy", measurement="pull", value=mass * G + share * F, crossing="up", lasts=lasts)
    machine.failure("cut", when="heavy", kind="cut", target="rope")
    end = 2.0 * period
    result = ran(machine, end, period / 10.0)
    # the timer begins when the force first rises above the event's value, or at the start if it is above it then
    due = max(float(np.arcsin(share)) / w, 0.0) + lasts
    times = {event["what"]: float(event["time"]) for event in reversed(result.events) if event["name"] == "heavy"}
    yield near(f"{name}, event", times[f"has lasted {lasts:g} s"], (due, 1e-9), CLOSED, "s")
    speed = -G * (end - due) - F / mass / w * (np.cos(w * due) - np.cos(w * end))
    found = float(result["body_velocity"].values[-1, 0, 2])
    yield near(f"{name}, speed of the load that fell", found, (speed, 1e-7), CLOSED, "m/s")
    yield judged(name, result)


def encoder(numbers: tuple[float, ...]) -> Iterator[Quantity]:
    """An encoder on the motor of a drum that turns evenly: off by half a count at most, q/sqrt(12) on the whole."""
    R, ratio, counts, speed = numbers
    name = f"encoder of {counts} counts behind a gearbox of {ratio:g}"
    machine = Machine("encoder")
    machine.body("load", mass=2.0, joint={"kind": "prismatic", "origin": [0, 0, -2], "velocity": -speed * R})
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], winch="drum")
    drum = {"radius": R, "inertia": 0.1, "torque": -2.0 * G * R / ratio, "speed": speed, "braked": False,
            "gearbox": {"ratio": ratio}}  # fmt: skip
    machine.driver("drum", kind="winch", drum=drum)
    machine.signal("unused", kind="command")
    machine.measurement("angle", cable="rope", what="encoder_angle", counts=counts)
    machine.measurement("paid", cable="rope", what="encoder_length", counts=counts)
    machine.controller("listen", kind="feedforward", period=0.001, commands={"unused": 0.0})
    result = ran(machine, 2.0, 0.1)
    step, t = 2.0 * np.pi / (counts * ratio), result["control_time"].values
    angle, paid = result["measurement_value"].values.T
    error = (angle - speed * t) / step
    yield at_most(f"{name}, largest error", float(np.abs(error).max()), 0.5 + 1e-6, CLOSED, "counts")
    yield near(f"{name}, error", float(np.sqrt(np.mean(error**2))), (1.0 / np.sqrt(12.0), 0.02), CLOSED, "counts")
    yield at_most(f"{name}, length", float(np.abs(paid - R * angle).max()), 1e-12, CLOSED, "m")
