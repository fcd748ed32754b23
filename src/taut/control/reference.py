"""References of controllers: signals at their samples, evaluated for many samples at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np

BLOCK = 256
# a sample moved by more than this, relative to the period, to a breakpoint of the run is evaluated separately
CLOSE = 1e-6


@dataclass(frozen=True)
class Clock:
    """When samples are taken [s]."""

    start: float
    period: float


class Reference:
    """Value, rate and second rate of a signal at the samples of a controller."""

    def __init__(self, curve: Any, spec: Any) -> None:
        """Take the curve of the signal and the clock of the controller."""
        self.curve, self.start, self.period = curve, spec.start, spec.period
        self.block, self.times, self.values = -1, np.zeros(0), np.zeros((3, 0))

    def __call__(self, time: float) -> tuple[float, float, float]:
        """The reference at a sample."""
        block, k = divmod(round((time - self.start) / self.period), BLOCK)
        if block != self.block:
            self.block = block
            self.times = self.start + self.period * (BLOCK * block + np.arange(BLOCK))
            self.values = np.array(self.curve.evaluate(self.times))
        if abs(self.times[k] - time) > CLOSE * self.period:
            return self.curve.evaluate(time)
        return float(self.values[0, k]), float(self.values[1, k]), float(self.values[2, k])
