"""Sensors that remember: lag, delay, drift, samples of their own, losses; and their scale and range.

At a sample s_j of a sensor, its own or one of the controllers',

    w_j = w_j-1 + drift sqrt(s_j - s_j-1) N(0, 1),    w_0 = 0                                     (1)
    r_j = scale y(s_j - delay) + bias + w_j + noise N(0, 1)                                       (2)
    reported: resolution round(r_j / resolution) within the range; what was reported last if the sample is lost    (3)

where y is the quantity as the sensor's lag shows it (``control/measuring/course.py``), and N(0, 1) are random numbers
that belong to the seed of the run, the sensor and the number of the sample. The first sample of a sensor is never lost.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.control.measuring.course import Arrays, Course

# readings in a period of the sensor or of the fastest controller, at least: six are a polynomial of order five
READINGS, MOST_READINGS = 6, 50
PER_LAG = 4  # readings in a time constant, as long as these are not more than MOST_READINGS in a period


@dataclass(frozen=True)
class Sample:
    """What sensors are given at a sample of the controllers."""

    time: float  # time of the sample [s]
    number: int  # number of the sample
    exact: np.ndarray  # exact values of the measured quantities
    noise: np.ndarray  # random numbers with standard deviation 1, for the noise
    seed: int
    slack: float  # times closer than this are taken as equal [s]


class Sensors:
    """All sensors of a run, if one of them has more faults than noise, bias and resolution."""

    def __init__(self, specs: Sequence[Any], sizes: Sequence[int], resolution: np.ndarray) -> None:
        """Take the measurements, how many numbers each has, and the smallest steps of these."""
        self.specs, self.resolution = list(specs), resolution
        ends = np.cumsum([0, *sizes])
        self.parts = [slice(int(a), int(b)) for a, b in zip(ends, ends[1:], strict=False)]
        self.course = Course(np.repeat([spec.lag for spec in self.specs], sizes).astype(float))
        # whether the course between samples counts
        self.must_look = any(spec.lag or spec.delay or spec.period for spec in self.specs)
        count = len(self.specs)
        self.reported, self.walk = np.zeros(int(ends[-1])), np.zeros(int(ends[-1]))
        self.taken, self.last = np.zeros(count, np.int64), np.zeros(count)

    def report(self, sample: "Sample") -> np.ndarray:
        """What all sensors say at a sample of the controllers."""
        time, seed = sample.time, sample.seed
        if self.must_look:
            self.course.look(time, sample.exact)
        for k, (spec, part) in enumerate(zip(self.specs, self.parts, strict=True)):
            if spec.period is None:
                shown = self.course.at(time - spec.delay) if self.must_look else sample.exact
                self._sample(k, time, [seed, sample.number, k + 1], shown[part], sample.noise[part])
                continue
            while (due := int(self.taken[k]) * spec.period) <= time + sample.slack:
                self._sample(k, due, [seed, int(self.taken[k]), k + 1], self.course.at(due - spec.delay)[part])
        self.course.forget(min(self._oldest(spec, k, time) for k, spec in enumerate(self.specs)))
        return self.reported.copy()

    def _oldest(self, spec: Any, k: int, time: float) -> float:
        """Earliest time at which a sensor will still ask for its quantity [s]."""
        return (time if spec.period is None else int(self.taken[k]) * spec.period) - spec.delay

    def _sample(self, k: int, time: float, seed: list[int], shown: np.ndarray, noise: np.ndarray | None = None) -> None:
        """One sample of one sensor; without given noise the sensor draws its own."""
        spec, part = self.specs[k], self.parts[k]
        rng = np.random.default_rng(seed)
        own, steps, chance = rng.standard_normal(len(shown)), rng.standard_normal(len(shown)), rng.random()
        self.walk[part] += spec.drift * np.sqrt(max(time - self.last[k], 0.0)) * steps  # Eq. (1)
        noise = own if noise is None else noise
        value = spec.scale * shown + spec.bias + self.walk[part] + spec.noise * noise  # Eq. (2)
        step = np.where(self.resolution[part] > 0.0, self.resolution[part], 1.0)
        value = np.where(self.resolution[part] > 0.0, np.round(value / step) * step, value)
        if spec.range is not None:
            value = np.clip(value, *spec.range)
        if self.taken[k] == 0 or chance >= spec.losses:  # Eq. (3)
            self.reported[part] = value
        self.taken[k] += 1
        self.last[k] = time

    def looks(self, start: float, end: float, clocks: Iterable[Any]) -> np.ndarray:
        """Times between two others at which steps are to end, for sensors to be read then [s]."""
        clocks, found = list(clocks), [np.zeros(0)]
        shortest = min(clock.period for clock in clocks)
        for spec in self.specs:
            own = [(0.0, spec.period)] if spec.period else [(clock.start, clock.period) for clock in clocks]
            if spec.period or spec.delay:
                found += [between(first - spec.delay, period, start, end) for first, period in own]
            if spec.lag:
                period = min(shortest, spec.period or shortest)
                every = min(period / READINGS, max(spec.lag / PER_LAG, period / MOST_READINGS))
                found.append(between(0.0, every, start, end))
        return np.unique(np.concatenate(found))

    def checkpoint(self) -> Arrays:
        """State of the sensors as arrays for a checkpoint."""
        own = {name: getattr(self, name).copy() for name in ("reported", "walk", "taken", "last")}
        return own | {f"course_{name}": array for name, array in self.course.checkpoint().items()}

    def restore(self, state: Arrays) -> None:
        """Restore the state of the sensors from a checkpoint."""
        for name in ("reported", "walk", "taken", "last"):
            getattr(self, name)[:] = state[name]
        self.course.restore({name.removeprefix("course_"): array for name, array in state.items()})


def between(first: float, period: float, start: float, end: float) -> np.ndarray:
    """Times of a clock inside an interval [s]."""
    low, high = max(int((start - first) / period) - 1, 0), int((end - first) / period) + 2
    times = first + period * np.arange(low, max(high, low))
    return times[(times > start) & (times < end)]
