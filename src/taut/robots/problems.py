"""How the analyses of robots refuse: one clear sentence, and what to do."""

from typing import Any

import numpy as np

from taut.scenario.errors import NO_VALUE, Problem, ScenarioError


def refusal(message: str, *, at: str = "", value: Any = NO_VALUE, remedy: str = "") -> ScenarioError:
    """An error to raise: what is wrong, where, and the remedy."""
    return ScenarioError([Problem(message, at, as_written(value), remedy)])


def as_written(value: Any) -> Any:
    """Arrays as lists and numpy's numbers as plain ones, as users write them."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return type(value)(as_written(one) for one in value)
    return value
