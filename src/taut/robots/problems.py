"""How the analyses of robots refuse: one clear sentence, and what to do."""

from typing import Any

from taut.scenario.errors import NO_VALUE, Problem, ScenarioError


def refusal(message: str, *, at: str = "", value: Any = NO_VALUE, remedy: str = "") -> ScenarioError:
    """An error to raise: what is wrong, where, and the remedy."""
    return ScenarioError([Problem(message, at, value, remedy)])
