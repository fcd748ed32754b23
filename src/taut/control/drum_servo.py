"""The servo of a drum: a cascade of angle and speed, and the limits of its motor."""

from typing import Any

import numpy as np

from taut.control.law import DONE, Law
from taut.kernels.jit import entry, part

MODES = ("position", "speed", "torque")
MODE, KP, KV, KI, PERIOD, LIMIT, POWER, HAS_SPEED = range(8)
POSITION, TORQUE = 0, 2


@entry
def drum_answer(law):
    """Wanted speed w = r' + kp (r - angle), torque = feedforward + kv (w - speed) + ki int (w - speed), limited.

    The motor gives at most its largest torque, and its largest power over its speed; the integral stops there.
    """
    n, memory, wanted = law.numbers, law.memory, law.wanted[law.slot[0]]
    speed = law.told[0] if n[HAS_SPEED] != 0.0 else 0.0
    if n[MODE] == TORQUE:
        law.out[0] = limited_torque(n[LIMIT], n[POWER], wanted[0, 0] + wanted[1, 0], speed)
        return DONE
    goal = wanted[0, 0]
    if n[MODE] == POSITION:
        goal = wanted[0, 1] + n[KP] * (wanted[0, 0] - law.told[1])
    error = goal - speed
    asked = wanted[1, 0] + n[KV] * error + memory[0]
    torque = limited_torque(n[LIMIT], n[POWER], asked, speed)
    # anti-windup: while the motor is at its limit the integral may only move away from it
    if torque == asked or (asked - torque) * error < 0.0:
        memory[0] += n[KI] * n[PERIOD] * error
    law.out[0] = torque
    return DONE


@part
def limited_torque(limit, power, torque, speed):
    """A torque within a motor's largest torque, and its largest power at a speed; what has no limit is infinite."""
    most = limit
    if speed != 0.0:
        most = min(most, power / abs(speed))
    return min(max(torque, -most), most)


class DrumServo(Law):
    """Gains, limits and signals of ``drum_answer``."""

    entry = drum_answer

    def __init__(self, plan: Any, spec: Any) -> None:
        """Read gains and signals."""
        gains = [spec.kp, spec.kv, spec.ki, spec.period]
        numbers = [MODES.index(spec.mode), *gains, *limits_of(spec), spec.speed is not None]
        measured = [spec.speed] if spec.speed is not None else []
        if spec.mode == "position":
            measured = [spec.speed, spec.angle]
        wanted = [(plan.curve(signal), 0.0) for signal in (spec.setpoint, spec.feedforward)]
        super().__init__(spec, [(name, 1) for name in measured], wanted, numbers=numbers, memory=1)


def limits_of(spec: Any) -> tuple[float, float]:
    """Largest torque and power of a motor."""
    limit, power = (np.inf if most is None else most for most in (spec.limit, spec.power))
    return limit, power
