"""What callers give, checked: lists of names, numbers, seeds and arrays, with one clear error each."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.scenario.errors import Problem, ScenarioError

SECONDS = "must be a positive finite number [s]"


def listed(names: Any, key: str) -> tuple[str, ...]:
    """Check that names are a list of texts, each there once; returns them in their order."""
    if isinstance(names, str) or not hasattr(names, "__iter__"):
        remedy = f"{key}=[{names!r}]" if isinstance(names, str) else ""
        raise ScenarioError([Problem("must be a list of names", key, value=names, remedy=remedy)])
    found = tuple(names)
    for name in found:
        if not isinstance(name, str):
            raise ScenarioError([Problem("must be a list of names", key, value=list(found))])
        if found.count(name) > 1:
            raise ScenarioError([Problem(f"{name!r} is named twice", key)])
    return found


def is_number(value: Any) -> bool:
    """Whether a value is a finite real number."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and bool(np.isfinite(value))


def positive_time(value: Any, key: str) -> float:
    """Check that a time is positive and finite [s]."""
    if not is_number(value) or not 0 < value < math.inf:
        raise ScenarioError([Problem(SECONDS, key, value=value)])
    return float(value)


def whole(value: Any, key: str, *, least: int = 0) -> int:
    """Check that a value is a whole number, such as a seed or a count."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ScenarioError([Problem(f"must be a whole number, {least} or more", key, value=value)])
    return int(value)


def mapping(value: Any, key: str) -> dict[str, Any]:
    """Check that a value maps names to values; returns a copy."""
    if not isinstance(value, Mapping):
        raise ScenarioError([Problem("must map names to values", key, value=value)])
    return dict(value)


def numbers(values: Any, what: str, shape: tuple[int, ...], remedy: str = "") -> np.ndarray:
    """An array of that shape; what is not finite is refused where it is used, by its name."""
    try:
        found = np.asarray(values, float)
    except (TypeError, ValueError):
        raise ScenarioError([Problem(f"{what} must be {math.prod(shape)} numbers", what, value=values)]) from None
    if found.shape != shape:
        raise ScenarioError([Problem(f"{what} must have shape {shape}, not {found.shape}", remedy=remedy)])
    return found
