"""Friction in statics: coordinates that stick, until the rest found so needs more of it than there is.

An active set: all stick at first. At a rest the one that is farthest beyond its limit is let slip, with its limit as a
constant force against the way it is pushed, so that it comes to rest where that balances, or not at all. One that was
pushed back behind the place where it began to slip sticks again.
"""

import numpy as np

from taut.dynamics.statics import motion_residual
from taut.integrate.friction import Frictions
from taut.model import Data, Model
from taut.model.enums import SlipMode

BEYOND = 1e-8  # of its limit, that friction holds
MOST_CHANGES = 10  # for each coordinate with friction


class Slips:
    """What slips in a search for rest."""

    def __init__(self, model: Model, data: Data) -> None:
        """Let everything stick that can."""
        self.model, self.frictions = model, Frictions(model)
        self.began: dict[int, float] = {}  # coordinate of those that slip, where they began to
        self.left = MOST_CHANGES * len(self.frictions.numbers)
        self.frictions.hold(data)

    def change(self, data: Data) -> bool:
        """Let another one slip, or stick again, if the rest in ``data`` asks for it; says whether."""
        self.left -= 1
        if not self.frictions.is_any or self.left < 0:
            return False
        return self.catch(data) or self.let_slip(data)

    def catch(self, data: Data) -> bool:
        """One that was pushed back sticks again."""
        for k, start in self.began.items():
            event = self.frictions.events[k]
            moved = self.position(data, k) - start
            if moved * (1.0 if data.modes[event] == SlipMode.FORWARD else -1.0) < 0.0:
                data.modes[event] = SlipMode.STICKS
                del self.began[k]
                return True
        return False

    def let_slip(self, data: Data) -> bool:
        """The one that is farthest beyond its limit slips."""
        friction, limits = self.held(data), self.frictions.limits(data)
        ratios = np.abs(friction) / np.where(limits > 0.0, limits, np.inf)
        k = int(np.argmax(ratios))
        if not ratios[k] > 1.0 + BEYOND:
            return False
        data.modes[self.frictions.events[k]] = SlipMode.BACKWARD if friction[k] > 0.0 else SlipMode.FORWARD
        self.began[k] = self.position(data, k)
        return True

    def held(self, data: Data) -> np.ndarray:
        """Friction of all that stick at the rest in ``data`` [N or N m]."""
        n = self.model.column_count
        motion_residual(self.model.tables, data, np.zeros(n), data.lam, np.zeros(n))
        is_stuck = data.modes[self.frictions.events] > 0
        return np.where(is_stuck, data.columns["friction"][self.frictions.numbers], 0.0)

    def position(self, data: Data, k: int) -> float:
        """Coordinate of one of them; of a turn with a quaternion none, which never counts as pushed back."""
        column = self.model.tables.columns[self.frictions.numbers[k]]
        return float(data.q[column.coordinate]) if column.component < 0 else 0.0

    def said(self, data: Data) -> str:
        """What slips, for a message."""
        names, limits = self.model.names.columns, self.frictions.limits(data)
        found = [f"{names[self.frictions.numbers[k]]} (at most {limits[k]:.4g})" for k in self.began]
        return f"friction or brake cannot hold {', '.join(found)}; " if found else ""
