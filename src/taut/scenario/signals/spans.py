"""Interval arithmetic with slopes: bounds of a value and of its slope over whole intervals of time.

A Span encloses every value and every slope that a formula takes on an interval; operations never lose one, they may
only widen the bounds [Moore 1966]. Functions also say where they are too coarse to be judged by a few samples: their
argument runs through a bend of the function, such as the peak of exp(-x^2) or the step of tanh(x).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

# longest range of the argument of exp, sin, cos, sinh, cosh that a polynomial of low degree approximates
WIDEST_ARGUMENT = 3.0
# longest range of values of the bounded functions tanh, atan, asin, acos that a polynomial approximates
WIDEST_RESULT = 0.5
# largest ratio of the ends of the argument's range of 1/x, log(x), sqrt(x) that a polynomial approximates
WIDEST_RATIO = 8.0
NEGLIGIBLE_EXPONENT = -45.0  # exp of smaller arguments counts as zero: it is at most 3e-20


@dataclass(frozen=True)
class Span:
    """Bounds of value and slope, arrays of one shape."""

    low: np.ndarray
    high: np.ndarray
    d_low: np.ndarray
    d_high: np.ndarray

    def __add__(self, o: "Span") -> "Span":
        """Return the sum."""
        return Span(self.low + o.low, self.high + o.high, self.d_low + o.d_low, self.d_high + o.d_high)

    def __neg__(self) -> "Span":
        """Return the negative."""
        return Span(-self.high, -self.low, -self.d_high, -self.d_low)

    def __sub__(self, o: "Span") -> "Span":
        """Return the difference."""
        return self + (-o)

    def __mul__(self, o: "Span") -> "Span":
        """Return the product."""
        low, high = product(self.low, self.high, o.low, o.high)
        a_low, a_high = product(self.d_low, self.d_high, o.low, o.high)
        b_low, b_high = product(self.low, self.high, o.d_low, o.d_high)
        return Span(low, high, a_low + b_low, a_high + b_high)

    @property
    def is_constant(self) -> np.ndarray:
        """Return where there is one value only."""
        return self.low == self.high


@dataclass
class Looks:
    """Notes made while an expression is bounded: where it is coarse, and its switching functions."""

    coarse: np.ndarray
    switches: list[Span] = field(default_factory=list)

    def note(self, where: np.ndarray) -> None:
        """Mark intervals on which the expression is coarse."""
        self.coarse |= where


def constant(value: float, like: np.ndarray) -> Span:
    """Return a span that does not depend on time."""
    full, zero = np.full_like(like, value), np.zeros_like(like)
    return Span(full, full, zero, zero)


def product(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of x y for a <= x <= b and c <= y <= d; 0 times infinity is 0."""
    corners = np.stack([a * c, a * d, b * c, b * d])
    corners[np.isnan(corners)] = 0.0
    return corners.min(axis=0), corners.max(axis=0)


def chain(x: Span, f: tuple[np.ndarray, np.ndarray], slope: tuple[np.ndarray, np.ndarray]) -> Span:
    """Return f(x) from the bounds of f and f' over x."""
    return Span(*f, *product(*slope, x.d_low, x.d_high))


def hull(a: Span, b: Span) -> Span:
    """Return the bounds of either."""
    return Span(np.minimum(a.low, b.low), np.maximum(a.high, b.high),
                np.minimum(a.d_low, b.d_low), np.maximum(a.d_high, b.d_high))  # fmt: skip


def choose(looks: Looks, s: Span, a: Span, b: Span) -> Span:
    """Return a where s >= 0, b where s < 0, and the bounds of both where s may have either sign."""
    looks.switches.append(s)
    both = hull(a, b)
    parts = zip((both.low, both.high, both.d_low, both.d_high), (a.low, a.high, a.d_low, a.d_high),
                (b.low, b.high, b.d_low, b.d_high), strict=True)  # fmt: skip
    return Span(*(np.where(s.low >= 0, on, np.where(s.high < 0, off, either)) for either, on, off in parts))


def rising(function: Callable, slope: Callable, peak: float = 0.0) -> Callable[[Looks, Span], Span]:
    """Return a bounded, rising function whose slope falls away from ``peak`` on both sides."""

    def apply(looks: Looks, x: Span) -> Span:
        low, high = function(x.low), function(x.high)
        looks.note(high - low > WIDEST_RESULT)
        ends = slope(x.low), slope(x.high)
        top = np.where((x.low <= peak) & (peak <= x.high), slope(np.full_like(x.low, peak)), np.maximum(*ends))
        return chain(x, (low, high), (np.minimum(*ends), top))

    return apply


def arc(function: Callable, sign: float) -> Callable[[Looks, Span], Span]:
    """Return asin or acos, whose slope is least at zero and grows without bound towards both ends."""

    def apply(looks: Looks, x: Span) -> Span:
        low, high = np.clip(x.low, -1.0, 1.0), np.clip(x.high, -1.0, 1.0)
        ends = function(low), function(high)
        looks.note(np.abs(ends[1] - ends[0]) > WIDEST_RESULT)
        steepest = 1.0 / np.sqrt(np.maximum(1.0 - np.maximum(np.abs(low), np.abs(high)) ** 2, 0.0))
        nearest = np.where((low <= 0.0) & (high >= 0.0), 0.0, np.minimum(np.abs(low), np.abs(high)))
        slopes = 1.0 / np.sqrt(1.0 - nearest**2), steepest
        bounds = slopes if sign > 0 else (-slopes[1], -slopes[0])
        return chain(x, (np.minimum(*ends), np.maximum(*ends)), bounds)

    return apply


def exp(looks: Looks, x: Span) -> Span:
    """Return e^x."""
    looks.note((x.high - x.low > WIDEST_ARGUMENT) & (x.high > NEGLIGIBLE_EXPONENT))
    f = np.exp(x.low), np.exp(x.high)
    return chain(x, f, f)


def sine_bounds(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of sin over an interval of angles."""
    turn = 2 * np.pi
    has_top = np.floor((high - 0.5 * np.pi) / turn) > np.floor((low - 0.5 * np.pi) / turn)
    has_bottom = np.floor((high + 0.5 * np.pi) / turn) > np.floor((low + 0.5 * np.pi) / turn)
    ends = np.sin(low), np.sin(high)
    return np.where(has_bottom, -1.0, np.minimum(*ends)), np.where(has_top, 1.0, np.maximum(*ends))


def sin(looks: Looks, x: Span) -> Span:
    """Return the sine."""
    looks.note(x.high - x.low > WIDEST_ARGUMENT)
    quarter = 0.5 * np.pi
    return chain(x, sine_bounds(x.low, x.high), sine_bounds(x.low + quarter, x.high + quarter))


def cos(looks: Looks, x: Span) -> Span:
    """Return the cosine."""
    quarter = constant(0.5 * np.pi, x.low)
    return sin(looks, x + quarter)


def tan(looks: Looks, x: Span) -> Span:
    """Return the tangent; without bounds across a pole."""
    looks.note(x.high - x.low > WIDEST_RESULT)
    has_pole = np.floor(x.high / np.pi + 0.5) > np.floor(x.low / np.pi + 0.5)
    low, high = np.where(has_pole, -np.inf, np.tan(x.low)), np.where(has_pole, np.inf, np.tan(x.high))
    steepest = 1.0 + np.maximum(low**2, high**2)
    return chain(x, (low, high), (np.ones_like(low), steepest))


def sinh(looks: Looks, x: Span) -> Span:
    """Return the hyperbolic sine."""
    up, down = exp(looks, x), exp(looks, -x)
    return (up - down) * constant(0.5, x.low)


def cosh(looks: Looks, x: Span) -> Span:
    """Return the hyperbolic cosine."""
    up, down = exp(looks, x), exp(looks, -x)
    return (up + down) * constant(0.5, x.low)


def note_ratio(looks: Looks, x: Span) -> None:
    """Mark intervals on which x comes near to zero against its largest value."""
    nearest = np.minimum(np.abs(x.low), np.abs(x.high))
    farthest = np.maximum(np.abs(x.low), np.abs(x.high))
    has_zero = (x.low <= 0.0) & (x.high >= 0.0)
    looks.note(~x.is_constant & (has_zero | (farthest > WIDEST_RATIO * nearest)))


def reciprocal(looks: Looks, x: Span) -> Span:
    """Return 1/x; without bounds where x may be zero."""
    note_ratio(looks, x)
    has_zero = (x.low <= 0.0) & (x.high >= 0.0)
    low, high = np.where(has_zero, -np.inf, 1.0 / x.high), np.where(has_zero, np.inf, 1.0 / x.low)
    steepest = -np.maximum(low**2, high**2)
    return chain(x, (low, high), (steepest, np.where(has_zero, 0.0, -np.minimum(low**2, high**2))))


def log(looks: Looks, x: Span) -> Span:
    """Return the natural logarithm."""
    note_ratio(looks, x)
    low, high = np.maximum(x.low, 0.0), np.maximum(x.high, 0.0)
    return chain(x, (np.log(low), np.log(high)), (1.0 / high, 1.0 / low))


def whole_power(x: Span, n: int) -> Span:
    """Return x^n for a whole exponent that is not negative."""
    if n == 0:
        return constant(1.0, x.low)
    return chain(x, _monomial(x, n), tuple(n * bound for bound in _monomial(x, n - 1)))  # type: ignore[arg-type]


def _monomial(x: Span, n: int) -> tuple[np.ndarray, np.ndarray]:
    ends = x.low**n, x.high**n
    has_zero = (x.low <= 0.0) & (x.high >= 0.0)
    low = np.where(has_zero & (n % 2 == 0) & (n > 0), 0.0, np.minimum(*ends))
    return low, np.maximum(*ends)


def power(looks: Looks, x: Span, n: float) -> Span:
    """Return x^n for a constant exponent."""
    if float(n).is_integer():
        found = whole_power(x, abs(int(n)))
        return found if n >= 0 else reciprocal(looks, found)
    return exp(Looks(looks.coarse.copy()), log(looks, x) * constant(n, x.low))


def sqrt(looks: Looks, x: Span) -> Span:
    """Return the square root."""
    note_ratio(looks, x)
    low, high = np.sqrt(np.maximum(x.low, 0.0)), np.sqrt(np.maximum(x.high, 0.0))
    return chain(x, (low, high), (0.5 / high, 0.5 / low))


def minimum(looks: Looks, *xs: Span) -> Span:
    """Return the least."""
    least = xs[0]
    for x in xs[1:]:
        found = choose(looks, x - least, least, x)
        least = Span(found.low, np.minimum(least.high, x.high), found.d_low, found.d_high)
    return least


def absolute(looks: Looks, x: Span) -> Span:
    """Return |x|."""
    found = choose(looks, x, x, -x)
    return Span(np.maximum(found.low, 0.0), found.high, found.d_low, found.d_high)


def step(looks: Looks, x: Span) -> Span:
    """Return 1 for x >= 0, else 0."""
    return choose(looks, x, constant(1.0, x.low), constant(0.0, x.low))


def smoothstep(looks: Looks, x: Span) -> Span:
    """Return 0, 3 x^2 - 2 x^3, 1; the switches are where it begins and ends."""
    low, high = np.clip(x.low, 0.0, 1.0), np.clip(x.high, 0.0, 1.0)
    looks.switches += [x, x - constant(1.0, x.low)]
    is_still = (x.high <= 0.0) | (x.low >= 1.0)
    steepest = np.where(is_still, 0.0, 1.5)
    blend = low**2 * (3 - 2 * low), high**2 * (3 - 2 * high)
    return chain(x, blend, (np.zeros_like(low), steepest))


FUNCTIONS: dict[str, Callable[..., Span]] = {
    "sin": sin, "cos": cos, "tan": tan, "exp": exp, "log": log, "sqrt": sqrt, "sinh": sinh, "cosh": cosh,
    "tanh": rising(np.tanh, lambda u: 1.0 - np.tanh(u) ** 2),
    "atan": rising(np.arctan, lambda u: 1.0 / (1.0 + u * u)),
    "asin": arc(np.arcsin, 1.0),
    "acos": arc(np.arccos, -1.0),
    "abs": absolute,
    "sign": lambda looks, x: choose(looks, x, constant(1.0, x.low), constant(-1.0, x.low)),
    "step": step,
    "heaviside": step,
    "smoothstep": smoothstep,
    "where": choose,
    "min": minimum,
    "max": lambda looks, *xs: -minimum(looks, *(-x for x in xs)),
}  # fmt: skip
