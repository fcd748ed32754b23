"""Commands of controllers: each follows a course from the instant at which it was last set.

With s the time since then, the course is
    value + rate s + half s^2 + decay exp(-s / lag)                                        (1)
so that a held value, a ramp, a held rate or acceleration and a first-order lag of each are exact between samples.
"""

from typing import Any

import numpy as np

from taut.model.enums import TermKind

# columns of the table of commands: time since which the course holds [s], then the numbers of Eq. (1)
SINCE, VALUE, RATE, HALF, DECAY, INVERSE_LAG = range(6)
ENTRIES = 6


def new_commands(tables: Any) -> np.ndarray:
    """All commands at their initial values, before any controller acts."""
    terms = tables.terms[tables.terms["kind"] == TermKind.COMMAND]
    commands = np.zeros((int(terms["piece"].max(initial=-1)) + 1, ENTRIES))
    commands[terms["piece"], VALUE] = terms["offset"]
    return commands
