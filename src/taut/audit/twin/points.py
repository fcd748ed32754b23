"""Moments of a run at which the audit looks at the machine as a whole.

A **witness** is the end of a step at which the method has solved the equations of motion. A **sample** is a state of
the result. All arrays have the moments along their first axis.
"""

from dataclasses import dataclass, fields

import numpy as np

from taut.model import Model
from taut.model.commands import new_commands
from taut.model.remembered import remembered


@dataclass(frozen=True)
class Points:
    """States of the machine at some moments [point, ...]."""

    time: np.ndarray  # times of the states [s], shape [point]
    low: np.ndarray  # lower limit of the time at which signals choose their piece; decides the side of a jump [s]
    high: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    z: np.ndarray
    modes: np.ndarray  # side of every event, as recorded in the run [point, event]
    anchors: np.ndarray  # anchors of ground contacts: where they stick, or their slip direction [point, contact, 2]
    side: np.ndarray  # side of the dampers of laws that may be slack; 0 where the stretch decides [point, column]
    commands: np.ndarray  # state of the commanded signals [point, command, entry]

    def __len__(self) -> int:
        """How many moments."""
        return len(self.time)


NAMES = tuple(field.name for field in fields(Points))


def joined(parts: list[Points]) -> Points:
    """Several sets of moments joined one after the other."""
    return Points(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in NAMES})


def no_points(model: Model) -> Points:
    """Empty points with the shapes of a model."""
    return remembered(model, "no points", found_no_points)


def found_no_points(model: Model) -> Points:
    """Empty arrays with the shapes of a model's states."""
    n, m = model.column_count, len(model.tables.events)
    shapes = {"q": (model.coordinate_count,), "v": (n,), "a": (n,), "lam": (model.row_count,),
              "z": (model.state_count,), "modes": (m,), "side": (n,), "anchors": (len(model.tables.contacts), 2),
              "commands": new_commands(model.tables).shape}  # fmt: skip
    return Points(**{name: np.zeros((0, *shapes.get(name, ()))) for name in NAMES})


def given_start(model: Model) -> Points:
    """The start state as the scenario gives it."""
    empty = vars(no_points(model))
    found = {name: np.zeros((1, *value.shape[1:])) for name, value in empty.items()}
    found |= {"q": model.start_coordinates[None], "v": model.start_velocities[None], "z": model.start_states[None]}
    found |= {"low": np.array([np.nextafter(0.0, 1.0)]), "high": np.array([np.inf]), "modes": found["modes"] - 1.0}
    return Points(**found)
