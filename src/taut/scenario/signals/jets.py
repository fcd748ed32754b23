"""Second-order jets: a value with its first and second time derivative, so that derivatives of expressions are exact.

For y = f(x): y' = f'(x) x', y'' = f''(x) x'^2 + f'(x) x''.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Jet:
    """Value, slope and curvature, arrays of one shape."""

    v: np.ndarray
    d: np.ndarray
    dd: np.ndarray

    def __add__(self, o: "Jet") -> "Jet":
        """Return the sum."""
        return Jet(self.v + o.v, self.d + o.d, self.dd + o.dd)

    def __sub__(self, o: "Jet") -> "Jet":
        """Return the difference."""
        return Jet(self.v - o.v, self.d - o.d, self.dd - o.dd)

    def __neg__(self) -> "Jet":
        """Return the negative."""
        return Jet(-self.v, -self.d, -self.dd)

    def __mul__(self, o: "Jet") -> "Jet":
        """Return the product."""
        return Jet(self.v * o.v, self.d * o.v + self.v * o.d, self.dd * o.v + 2 * self.d * o.d + self.v * o.dd)

    def __truediv__(self, o: "Jet") -> "Jet":
        """Return the quotient."""
        return self * chain(o, 1 / o.v, -1 / o.v**2, 2 / o.v**3)

    def is_constant(self) -> bool:
        """Return whether nothing moves."""
        return bool(np.all(self.d == 0) and np.all(self.dd == 0))


def constant(value: float, like: np.ndarray) -> Jet:
    """Return a jet that does not depend on time."""
    return Jet(np.full_like(like, value), np.zeros_like(like), np.zeros_like(like))


def time(t: np.ndarray) -> Jet:
    """Return the jet of t itself."""
    return Jet(t, np.ones_like(t), np.zeros_like(t))


def chain(x: Jet, f: np.ndarray, f1: np.ndarray, f2: np.ndarray) -> Jet:
    """Return f(x) from the values of f, f' and f'' at x."""
    return Jet(f, f1 * x.d, f2 * x.d**2 + f1 * x.dd)


def power(x: Jet, n: float) -> Jet:
    """Return x^n for a constant exponent; small whole exponents stay exact at x = 0."""
    first = n * x.v ** (n - 1) if n != 0 else np.zeros_like(x.v)
    second = n * (n - 1) * x.v ** (n - 2) if n not in (0, 1) else np.zeros_like(x.v)
    return chain(x, x.v**n, first, second)


def where(condition: np.ndarray, a: Jet, b: Jet) -> Jet:
    """Return a where the condition holds, else b."""
    return Jet(np.where(condition, a.v, b.v), np.where(condition, a.d, b.d), np.where(condition, a.dd, b.dd))


def exp(x: Jet) -> Jet:
    """Return e^x."""
    e = np.exp(x.v)
    return chain(x, e, e, e)


def log(x: Jet) -> Jet:
    """Return the natural logarithm."""
    return chain(x, np.log(x.v), 1 / x.v, -1 / x.v**2)


def sqrt(x: Jet) -> Jet:
    """Return the square root."""
    r = np.sqrt(x.v)
    return chain(x, r, 0.5 / r, -0.25 / r**3) if not x.is_constant() else Jet(r, x.d, x.dd)


def sin(x: Jet) -> Jet:
    """Return the sine."""
    s, c = np.sin(x.v), np.cos(x.v)
    return chain(x, s, c, -s)


def cos(x: Jet) -> Jet:
    """Return the cosine."""
    s, c = np.sin(x.v), np.cos(x.v)
    return chain(x, c, -s, -c)


def tan(x: Jet) -> Jet:
    """Return the tangent."""
    f = np.tan(x.v)
    return chain(x, f, 1 + f**2, 2 * f * (1 + f**2))


def asin(x: Jet) -> Jet:
    """Return the arc sine."""
    w = 1 - x.v**2
    return chain(x, np.arcsin(x.v), w**-0.5, x.v * w**-1.5)


def acos(x: Jet) -> Jet:
    """Return the arc cosine."""
    w = 1 - x.v**2
    return chain(x, np.arccos(x.v), -(w**-0.5), -x.v * w**-1.5)


def atan(x: Jet) -> Jet:
    """Return the arc tangent."""
    w = 1 + x.v**2
    return chain(x, np.arctan(x.v), 1 / w, -2 * x.v / w**2)


def sinh(x: Jet) -> Jet:
    """Return the hyperbolic sine."""
    s, c = np.sinh(x.v), np.cosh(x.v)
    return chain(x, s, c, s)


def cosh(x: Jet) -> Jet:
    """Return the hyperbolic cosine."""
    s, c = np.sinh(x.v), np.cosh(x.v)
    return chain(x, c, s, c)


def tanh(x: Jet) -> Jet:
    """Return the hyperbolic tangent."""
    f = np.tanh(x.v)
    return chain(x, f, 1 - f**2, -2 * f * (1 - f**2))
