"""One number of a case: ours, the expected one, the allowed difference, and the source."""

from dataclasses import dataclass
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Quantity:
    """A number found by a run, and what it must be."""

    name: str
    value: float
    expected: float
    tolerance: float  # largest difference allowed, in the unit of the value
    source: str
    unit: str = "1"

    @property
    def is_passed(self) -> bool:
        """Whether the number is as expected; what is not finite never is."""
        return bool(abs(self.value - self.expected) <= self.tolerance)

    def as_dict(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        return {
            "value": float(self.value) if isfinite(self.value) else None,
            "expected": self.expected,
            "tolerance": self.tolerance,
            "source": self.source,
            "unit": self.unit,
            "pass": self.is_passed,
        }


def near(name: str, value: float, goal: tuple[float, float], source: str, unit: str = "1") -> Quantity:
    """A number with a goal: the expected number, and the share of it by which it may differ."""
    expected, share = goal
    return Quantity(name, value, expected, share * abs(expected), source, unit)


def at_most(name: str, value: float, limit: float, source: str, unit: str = "1") -> Quantity:
    """A size that must not exceed a limit: expected is zero."""
    return Quantity(name, value, 0.0, limit, source, unit)
