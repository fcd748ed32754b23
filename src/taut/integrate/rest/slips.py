"""Friction in statics: coordinates that stick, until the rest found so needs more of it than there is.

All coordinates stick at first. At a rest it is decided as in a run (``friction``, Eq. 1) which of them friction can
hold. The others slip against a constant force of their limit, to a new rest, if there is one; then the decision is
repeated.
"""

import numpy as np

from taut.integrate.events.friction import Frictions
from taut.model import Data, Model
from taut.model.enums import SlipMode

MOST_CHANGES = 10  # most changes of the mode of each coordinate with friction


class Slips:
    """Contacts and coordinates with friction that slip in a search for rest."""

    def __init__(self, model: Model, data: Data) -> None:
        """Let everything stick that can."""
        self.model, self.frictions = model, Frictions(model)
        self.slipped = np.zeros(len(self.frictions.numbers), bool)
        self.left = MOST_CHANGES * len(self.frictions.numbers)
        self.modes = np.zeros(len(self.frictions.numbers), np.int64)
        self.frictions.hold(data)

    def change(self, data: Data) -> bool:
        """Decide again what sticks at the rest in ``data``; returns whether that has changed."""
        self.left -= 1
        if not self.frictions.is_any or self.left < 0:
            return False
        frictions, limits, lam = self.frictions, self.frictions.limits(data), data.lam.copy()
        before = data.modes[frictions.events].copy()
        chosen = np.flatnonzero(limits > 0.0)
        data.v[:] = 0.0
        frictions.free(data)
        found, is_still = frictions.decide(data, chosen, limits[chosen]) if len(chosen) else (before[:0], before[:0])
        # a coordinate that slipped to where its friction limit balances the load keeps that mode
        is_there = is_still.astype(bool) & np.isin(before[chosen], (SlipMode.FORWARD, SlipMode.BACKWARD))
        data.modes[frictions.events] = before
        data.modes[frictions.events[chosen]] = np.where(is_there, before[chosen], found)
        data.lam[:] = lam
        self.slipped[chosen] |= ~is_still.astype(bool)
        return bool(np.any(data.modes[frictions.events] != before))

    def free(self, data: Data) -> None:
        """Remember the modes, and remove all friction until they are restored."""
        self.modes = data.modes[self.frictions.events].copy()
        self.frictions.free(data)

    def hold(self, data: Data) -> None:
        """Restore the modes; coordinates that slipped to a new rest stick there."""
        is_there = np.isin(self.modes, (SlipMode.FORWARD, SlipMode.BACKWARD))
        data.modes[self.frictions.events] = np.where(is_there, SlipMode.STICKS, self.modes)

    def said(self, data: Data) -> str:
        """Names of what slips, for a message."""
        names, limits = self.model.names.events, self.frictions.limits(data)
        found = [f"{names[self.frictions.events[k]]} (at most {limits[k]:.4g})" for k in np.flatnonzero(self.slipped)]
        return f"friction or brake cannot hold {', '.join(found)}; " if found else ""
