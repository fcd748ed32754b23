"""Quantities that sensors follow with a lag: read at the ends of steps, known at any time between.

A sensor with the time constant tau follows its quantity x by

    tau y' = x - y,    y = x at the start                                                   (1)

and between two readings, h apart,

    y(t + h) = exp(-h/tau) y(t) + integral over s from 0 to h of exp(-(h - s)/tau) x(t + s) ds / tau    (2)

where x is the polynomial through up to six readings around. The integral is a sum of Gauss points in parts that are not
longer than tau, of which the last fifty count: what is older has decayed below rounding. The readings are the ends of
all steps, so that nothing is missed that the run itself resolves; polynomials do not reach across jumps of the
machine's forces. What has no lag is its reading itself.
"""

import math
from bisect import bisect_left

import numpy as np

DEGREE = 5
GAUSS = np.polynomial.legendre.leggauss(6)
DECAYED = 50  # time constants after which what was before does not count
# a reading beside another counts for a polynomial if they are this far apart, relative to the interval in question:
# closer ones would enlarge its rounding
APART = 0.1
# Gauss points and weights on an interval from 0 to 1
POINTS, WEIGHTS = (0.5 * (1.0 + GAUSS[0]), 0.5 * GAUSS[1])

Arrays = dict[str, np.ndarray]


class Course:
    """Some quantities in the course of a run, and what sensors with a lag show of them."""

    def __init__(self, lags: np.ndarray) -> None:
        """Take the time constant of every number [s]; 0: none."""
        self.size = len(lags)
        self.groups = [(float(lag), np.flatnonzero(lags == lag)) for lag in np.unique(lags[lags > 0.0])]
        self.times: list[float] = []  # readings of the smooth piece under way [s]
        self.readings: list[np.ndarray] = []
        self.done = 0  # reading up to which the lags have been followed
        self.past: list[float] = []  # times at which the sensors' values are known [s]
        self.values: list[np.ndarray] = []

    def look(self, time: float, x: np.ndarray) -> None:
        """Take a reading; one at a time that is known already changes nothing."""
        if not self.times:
            self._begin(time, x)
        if time > self.times[-1]:
            self.times.append(time)
            self.readings.append(x.copy())

    def jump(self, time: float, x: np.ndarray) -> None:
        """Begin a new smooth piece with the reading after a jump."""
        if self.times:
            self._follow()
            self.times, self.readings, self.done = [time], [x.copy()], 0
        else:
            self._begin(time, x)

    def _begin(self, time: float, x: np.ndarray) -> None:
        self.times, self.readings, self.done = [time], [x.copy()], 0
        self.past, self.values = [time], [x.copy()]

    def at(self, time: float) -> np.ndarray:
        """What the sensors show at a time of the past; before the start, what they show there."""
        self._follow()
        k = bisect_left(self.past, time)
        if k == 0:
            return self.values[0]
        if k == len(self.past):
            return self.values[-1]
        # steps end at the times that are asked for, but for rounding
        share = (time - self.past[k - 1]) / (self.past[k] - self.past[k - 1])
        return self.values[k - 1] + share * (self.values[k] - self.values[k - 1])

    def forget(self, time: float) -> None:
        """Forget what was before a time that is not asked for any more [s]."""
        k = max(bisect_left(self.past, time) - 1, 0)
        del self.past[:k], self.values[:k]

    def _follow(self) -> None:
        """Follow the lags up to the last reading."""
        for k in range(self.done, len(self.times) - 1):
            shown = self.readings[k + 1].copy()
            for lag, chosen in self.groups:
                shown[chosen] = self._followed(k, lag, self.values[-1][chosen], chosen)
            self.past.append(self.times[k + 1])
            self.values.append(shown)
        last = max(len(self.times) - 1, 0)
        # readings before those of the next polynomial are not needed any more
        spare = max(last - 4 * DEGREE, 0)
        del self.times[:spare], self.readings[:spare]
        self.done = last - spare

    def _followed(self, k: int, lag: float, y: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """What is shown at the end of an interval between readings, from what is shown at its start."""
        near = self._around(k)
        times, x = np.array([self.times[i] for i in near]), np.array([self.readings[i][chosen] for i in near])
        whole = self.times[k + 1] - self.times[k]
        parts = math.ceil(whole / lag)
        h = whole / parts
        weights = h / lag * WEIGHTS * np.exp(-h / lag * (1.0 - POINTS))
        for j in range(max(parts - DECAYED, 0), parts):
            y = math.exp(-h / lag) * y + weights @ polynomial(times, x, self.times[k] + h * (j + POINTS))  # Eq. (2)
        return y

    def _around(self, k: int) -> list[int]:
        """The readings for the polynomial of an interval: its ends, and the nearest that are not too close."""
        times, found = self.times, [k, k + 1]
        apart, low, high = APART * (times[k + 1] - times[k]), k, k + 1
        while len(found) <= DEGREE:
            before = next((i for i in range(low - 1, -1, -1) if times[low] - times[i] >= apart), -1)
            after = next((i for i in range(high + 1, len(times)) if times[i] - times[high] >= apart), -1)
            if before < 0 and after < 0:
                break
            is_before = after < 0 or (before >= 0 and times[k] - times[before] < times[after] - times[k + 1])
            low, high = (before, high) if is_before else (low, after)
            found.append(low if is_before else high)
        return found

    def checkpoint(self) -> Arrays:
        """Readings and values of the sensors as arrays for a checkpoint."""
        n = self.size
        return {"times": np.array(self.times), "readings": np.array(self.readings).reshape(-1, n),
                "done": np.array(self.done), "past": np.array(self.past),
                "values": np.array(self.values).reshape(-1, n)}  # fmt: skip

    def restore(self, state: Arrays) -> None:
        """Restore readings and values from a checkpoint."""
        self.times, self.past = state["times"].tolist(), state["past"].tolist()
        self.readings, self.values = list(state["readings"].copy()), list(state["values"].copy())
        self.done = int(state["done"])


def polynomial(times: np.ndarray, values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Values at some times of the polynomial through all that are given (Lagrange)."""
    gaps = times[:, None] - times
    np.fill_diagonal(gaps, 1.0)
    found = np.zeros((len(at), values.shape[1]))
    for i in range(len(times)):
        others = np.delete(times, i)
        found += np.prod((at[:, None] - others) / np.delete(gaps[i], i), axis=1)[:, None] * values[i]
    return found
