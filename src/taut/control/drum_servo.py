"""The servo of a drum: a cascade of angle and speed, and the limits of its motor."""

from collections.abc import Mapping
from typing import Any

from taut.control.reference import Reference


class DrumServo:
    """Wanted speed w = r' + kp (r - angle), torque = feedforward + kv (w - speed) + ki int (w - speed), limited.

    The motor gives at most its largest torque, and its largest power over its speed; the integral stops there.
    """

    remembered = ("integral",)

    def __init__(self, plan: Any, spec: Any) -> None:
        """Read gains and signals."""
        self.spec = spec
        self.setpoint = Reference(plan.curve(spec.setpoint), spec)
        self.feedforward = Reference(plan.curve(spec.feedforward), spec)
        self.integral = 0.0

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The torque at a sample."""
        spec = self.spec
        wanted, wanted_rate, _ = self.setpoint(time)
        speed = measured[spec.speed] if spec.speed is not None else 0.0
        if spec.mode == "torque":
            return {spec.command: at_most(spec, wanted + self.feedforward(time)[0], speed)}
        goal = wanted
        if spec.mode == "position":
            goal = wanted_rate + spec.kp * (wanted - measured[spec.angle])
        error = goal - speed
        asked = self.feedforward(time)[0] + spec.kv * error + self.integral
        torque = at_most(spec, asked, speed)
        # anti-windup: while the motor is at its limit the integral may only move away from it
        if torque == asked or (asked - torque) * error < 0.0:
            self.integral += spec.ki * spec.period * error
        return {spec.command: torque}


def at_most(spec: Any, torque: float, speed: float) -> float:
    """A torque within a motor's largest torque, and its largest power at a speed."""
    most = float("inf") if spec.limit is None else spec.limit
    if spec.power is not None and speed != 0.0:
        most = min(most, spec.power / abs(speed))
    return min(max(torque, -most), most)
