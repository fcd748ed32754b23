"""Times of first crossings by closed forms, without the engine.

- polynomials: between two roots of the derivative a polynomial is monotone, so the first sign change is bracketed;
- other functions f with |f''| <= M: from t with f(t) > 0 nothing happens before t + d, where
      d = (f' + sqrt(f'^2 + 2 M f)) / M                                                                     (1)
  steps of d approach the first root from below, as Newton's method does, and never pass one;
- pendulum, released at an angle A with the frequency w = sqrt(g/l) of small swings, k = sin(A/2), K the quarter period:
      sin(angle/2) = k sn(w t + K, k^2)                                                                     (2)
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import Polynomial
from scipy.optimize import brentq
from scipy.special import ellipj, ellipk

SAME = 1e-13  # the iteration of Eq. (1) ends at steps shorter than this [s]
MOST_STEPS = 200_000


class Motion(NamedTuple):
    """A quantity that moves: value and rate at a time or at many, and a bound of the second derivative."""

    value: Callable[[Any], Any]
    rate: Callable[[Any], Any]
    bound: float


def first_of_polynomial(f: Polynomial, end: float) -> float:
    """First time in (0, end] at which f, positive before, falls through zero; inf if there is none."""
    marks = [0.0, *turning_points(f, end), end]
    for low, high in zip(marks, marks[1:], strict=False):
        if f(high) < 0.0:
            return root_of(f, low, high) if f(low) > 0.0 else low
    return np.inf


def root_of(f: Callable[[float], Any], low: float, high: float) -> float:
    """Root of a function between two times, accurate to rounding."""
    found: Any = brentq(f, low, high, xtol=1e-15)
    return float(found)


def turning_points(f: Polynomial, end: float) -> list[float]:
    """Where the derivative vanishes, in order; a double root counts too."""
    found = f.deriv().trim().roots()
    real = found.real[np.abs(found.imag) <= 1e-7 * np.abs(found)]
    return sorted(float(t) for t in real if 0.0 < t < end)


def first_of_motion(f: Motion, end: float) -> float:
    """First root of a function with bounded curvature, by steps that never pass it, Eq. (1)."""
    t = 0.0
    for _ in range(MOST_STEPS):
        value, rate = f.value(t), f.rate(t)
        step = (rate + np.sqrt(rate * rate + 2.0 * f.bound * max(value, 0.0))) / f.bound
        if step < SAME * max(t, 1.0):
            return t
        t += step
        if t > end:
            return np.inf
    raise ArithmeticError("no end of the search for a first crossing")


def largest_of(f: Motion, end: float, points: int = 4000) -> tuple[float, float]:
    """Time and value of the first maximum that is higher than all before it, or of the largest at the points."""
    times = np.linspace(0.0, end, points)
    values, rates = f.value(times), f.rate(times)
    tops = np.flatnonzero((rates[:-1] > 0.0) & (rates[1:] <= 0.0))
    for k in tops:
        if values[k : k + 2].max() >= values[: k + 2].max():
            t = root_of(f.rate, float(times[k]), float(times[k + 1]))
            return t, float(f.value(t))
    k = int(np.argmax(values))
    return float(times[k]), float(values[k])


class Swing(NamedTuple):
    """A pendulum of length l, released at rest from the angle, Eq. (2)."""

    length: float
    angle: float
    gravity: float = 9.81

    @property
    def frequency(self) -> float:
        """Frequency of small swings [rad/s]."""
        return float(np.sqrt(self.gravity / self.length))

    @property
    def period(self) -> float:
        """Period of the swing [s]."""
        return float(4.0 * ellipk(np.sin(0.5 * self.angle) ** 2) / self.frequency)

    def state(self, t: Any) -> tuple[Any, Any]:
        """Angle and rate of the pendulum at a time."""
        k = np.sin(0.5 * self.angle)
        sn, cn, _, _ = ellipj(self.frequency * t + ellipk(k * k), k * k)
        return 2.0 * np.arcsin(k * sn), 2.0 * k * self.frequency * cn

    def place(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """Position and velocity of the bob [..., 3], which hangs at (0, 0, -l) at rest and swings about y."""
        angle, rate = self.state(t)
        arm = np.stack([-np.sin(angle), 0.0 * angle, -np.cos(angle)], axis=-1)
        across = np.stack([-np.cos(angle), 0.0 * angle, np.sin(angle)], axis=-1)
        return self.length * arm, self.length * np.expand_dims(rate, -1) * across

    @property
    def most(self) -> tuple[float, float]:
        """Bounds of speed and acceleration of the bob."""
        speed = np.sqrt(2.0 * self.gravity * self.length * (1.0 - np.cos(self.angle)))
        return float(speed), float(np.hypot(speed * speed / self.length, self.gravity) + 1e-9)
