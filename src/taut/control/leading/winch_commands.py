"""From wanted lengths of cables to the commands of their winches and drums.

A command that is held over the next period follows what is wanted, L, with its rates taken in the middle of that
period,
    acceleration:  L'' + 2 w (L' - l') + w^2 (L - l),      rate with a lag:  L' + lag L'' + w (L - l),             (1)
with l its present value, which is known from the commands before. A drum has paid out the length s(r phi) of its turn
phi at the radius r; a drive that follows an angle is led like a winch, and one that is commanded a torque by
    u = torque ahead + (J/n) phi'' + kv (phi' + kp (phi - measured) - measured speed) + ki int (...)              (2)
within its limits, with the inertia J of drum and motor and the gear ratio n.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.build.machine.reeving import DrumData, WinchData
from taut.control.courses import course_at, limited, set_course
from taut.control.drum_servo import limited_torque, limits_of
from taut.model.commands import ENTRIES, VALUE

ITERATIONS = 100
NEAR = 1e-14  # relative size of the last correction of a drum's turn
SLOPE_STEP = 1e-6  # step of the difference that finds how the slope of a drum with layers changes, times its radius


@dataclass
class Winch:
    """One cable, its winch, and the winch's last command."""

    data: WinchData
    spec: Any  # the scenario's record of the command
    course: np.ndarray = field(default_factory=lambda: np.zeros(ENTRIES))
    asked: float = 0.0
    integral: float = 0.0  # integral part of the torque of a drum's speed control [N m]

    def __post_init__(self) -> None:
        """Begin with the initial value of the command."""
        self.course[VALUE] = self.spec.initial


def follow(winch: Winch, controller: Any, time: float, wanted: np.ndarray) -> float:
    """Command by Eq. (1) for what is wanted, and its rates, in the middle of the next period."""
    spec, w, h = winch.spec, controller.bandwidth, 0.5 * controller.period
    acts = time + controller.delay
    own, own_rate, _ = course_at(winch.course, acts)
    L, rate, second = wanted
    # wanted length and rate at the time when the command starts to act, h before that of ``wanted``
    gap, gap_rate = L - h * rate + 0.5 * h**2 * second - own, rate - h * second - own_rate
    if spec.acts == "acceleration":
        u = second + 2.0 * w * gap_rate + w**2 * gap
    else:
        u = rate + spec.lag * second + w * gap
    u = limited(spec, float(u), winch.asked, controller.period)
    winch.asked = u
    set_course(winch.course, spec, u, acts, controller.period)
    return u


def turned(drum: DrumData, paid: np.ndarray) -> np.ndarray:
    """Angle of a drum, and its rates, that has paid out a length with its rates; by Newton's method."""
    x = float(paid[0])
    for _ in range(ITERATIONS):
        s, slope = drum.paid(x)
        step = (paid[0] - s) / slope
        x += step
        if abs(step) <= NEAR * max(abs(x), drum.radius):
            break
    slope, h = drum.paid(x)[1], SLOPE_STEP * drum.radius
    rate = paid[1] / slope
    bend = (drum.paid(x + h)[1] - drum.paid(x - h)[1]) / (2.0 * h)
    return np.array([x, rate, (paid[2] - bend * rate**2) / slope]) / drum.radius


def torque(  # noqa: PLR0913
    winch: Winch, controller: Any, wanted: np.ndarray, angle: float, speed: float, tension: float | None
) -> float:
    """Torque by Eq. (2) for the wanted angle and its rates at a sample, with the measured angle and speed."""
    drum, servo = winch.data.drum, controller.servo
    assert drum is not None
    # before any tension is known, the command's first value is what holds the drum
    ahead = winch.spec.initial
    if tension is not None:
        ahead = -tension * drum.radius * drum.paid(angle * drum.radius)[1] / drum.ratio
    error = wanted[1] + servo.kp * (wanted[0] - angle) - speed
    asked = ahead + drum.inertia / drum.ratio * wanted[2] + servo.kv * error + winch.integral
    found = limited_torque(*limits_of(servo), float(asked), speed * drum.ratio)
    # anti-windup: while the motor is at its limit the integral may only move away from it
    if found == asked or (asked - found) * error < 0.0:
        winch.integral += servo.ki * controller.period * error
    return found
