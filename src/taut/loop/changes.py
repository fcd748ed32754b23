"""Numbers of a machine that are changed for an episode: given, or drawn by a seed.

A range is [low, high] (uniform), or a function of numpy's Generator that returns a number. Keys are those of ``--set``,
such as ``bodies.load.mass``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from taut.build.numbers import with_numbers
from taut.loop.given import is_number
from taut.model import Model
from taut.scenario.errors import Problem, ScenarioError

Draw = Sequence[float] | Callable[[np.random.Generator], float]


def check_ranges(ranges: Mapping[str, Draw]) -> None:
    """Refuse what nothing can be drawn from."""
    for key, draw in ranges.items():
        is_range = isinstance(draw, list | tuple | np.ndarray) and len(draw) == 2 and all(map(is_number, draw))
        if not callable(draw) and not (is_range and draw[0] <= draw[1]):
            raise ScenarioError([Problem("must be [low, high], or a function of a Generator", key, value=draw)])


def drawn(ranges: Mapping[str, Draw], generator: np.random.Generator) -> dict[str, float]:
    """A number for every key, in the order of the keys."""
    return {
        key: float(draw(generator) if callable(draw) else generator.uniform(draw[0], draw[1]))
        for key, draw in ranges.items()
    }


def changed_model(model: Model, changes: Mapping[str, Any]) -> Model:
    """The machine with other numbers: those of a built model where that is possible, else built again."""
    return with_numbers(model, dict(changes), structure="any")
