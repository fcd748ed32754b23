"""PID: proportional, integral and derivative action on one measurement."""

from collections.abc import Mapping
from typing import Any

from taut.control.reference import Reference


class Pid:
    """u = feedforward + kp e + ki int e + kd de/dt; the integral stops while the command is limited."""

    remembered = ("integral", "last", "slope")

    def __init__(self, plan: Any, spec: Any) -> None:
        """Read gains and signals."""
        self.spec = spec
        self.setpoint = Reference(plan.curve(spec.setpoint), spec)
        self.feedforward = Reference(plan.curve(spec.feedforward), spec)
        self.limits = plan.commands[spec.command].limits
        self.integral = 0.0
        self.last: float | None = None  # measurement at the previous sample; None before the first
        self.slope = 0.0  # filtered rate of the measurement

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The command at a sample."""
        spec, y = self.spec, measured[self.spec.measure]
        wanted, wanted_rate, _ = self.setpoint(time)
        error = wanted - y
        rate = measured[spec.rate] if spec.rate is not None else self._difference(y)
        u = self.feedforward(time)[0] + spec.kp * error + spec.kd * (wanted_rate - rate) + self.integral
        if not self._is_pressing(u, error):
            self.integral += spec.ki * spec.period * error
        return {spec.command: u}

    def _difference(self, y: float) -> float:
        """Backward differences through a first-order filter."""
        if self.last is not None:
            share = self.spec.period / (self.spec.period + self.spec.filter)
            self.slope += share * ((y - self.last) / self.spec.period - self.slope)
        self.last = y
        return self.slope

    def _is_pressing(self, u: float, error: float) -> bool:
        """Whether the command is at a limit and the error would press it further."""
        if self.limits is None:
            return False
        push = self.spec.ki * error
        return (u >= self.limits[1] and push > 0.0) or (u <= self.limits[0] and push < 0.0)
