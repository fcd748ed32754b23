"""Friction of the ground (``dynamics.contact``): which corners stick and which slip, at events and in statics."""

import numpy as np

from taut.dynamics.residual import place
from taut.model import Data, Model
from taut.model.enums import ContactMode, GripMode

AT_LIMIT = 1e-6  # of the limit or of its square, that is left: what reaches it together slips together
RESTING = 0.1  # of v_0 of Eq. (3) there: a faster point slips on
NEAR = 1e-3  # a point this near to the ground at the begin of statics stands on it [m]


class Grips:
    """The contacts of a model whose friction sticks or slips."""

    def __init__(self, model: Model) -> None:
        """Find them."""
        self.model = model
        self.numbers = np.flatnonzero(model.tables.contacts["grip"] >= 0)
        self.rows = model.tables.contacts[self.numbers]
        self.events = self.rows["grip"]
        self.slow = self.rows["presliding"] / self.rows["presliding_time"]  # v_0 of Eq. (3) there [m/s]
        self.closed = np.zeros(len(self.numbers), bool)

    @property
    def is_any(self) -> bool:
        """Whether there are any."""
        return len(self.numbers) > 0

    def look(self, data: Data) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Horizontal places and speeds of the points, and their gaps, at the placed state."""
        here = data.nodes[self.rows["node"]]
        R = here["R"].reshape(-1, 3, 3)
        d = np.einsum("kij,kj->ki", R, self.rows["point"])
        at, u = here["x"] + d, here["v"] + np.cross(here["w"], d)
        return at[:, :2], u[:, :2], at[:, 2] - self.rows["height"]

    def sees_closed(self, data: Data) -> np.ndarray:
        """Which of the contacts are closed."""
        return data.modes[self.numbers] == ContactMode.CLOSED

    def begin(self, data: Data) -> None:
        """Stick or slip at the start of a run; what statics have found to stick does."""
        place(self.model.tables, data)
        self.closed = self.sees_closed(data)
        held = self.closed & (np.linalg.norm(self.pulls(data), axis=1) <= 1.0 + AT_LIMIT)
        self.start(data, ~(held & (data.modes[self.events] == GripMode.STICKS)))

    def pulls(self, data: Data) -> np.ndarray:
        """n of Eq. (2) of ``dynamics.contact``, of those that stick."""
        at, u, _ = self.look(data)
        return (at - data.anchors[self.numbers]) / self.rows["presliding"][:, None] + u / self.slow[:, None]

    def start(self, data: Data, which: np.ndarray) -> None:
        """Points that come to the ground: slow ones stick without force, others slip."""
        at, u, _ = self.look(data)
        speed = np.linalg.norm(u, axis=1)
        is_slow = speed < self.slow
        for k in np.flatnonzero(which):
            data.modes[self.events[k]] = GripMode.STICKS if is_slow[k] else GripMode.SLIPS
            data.anchors[self.numbers[k]] = at[k] if is_slow[k] else u[k] / speed[k]

    def change(self, data: Data, event: int) -> list[tuple[int, int]]:
        """Stick or slip when an event has passed at the placed state; returns the events of friction and new sides."""
        closed = self.sees_closed(data)
        self.start(data, closed & ~self.closed)
        self.closed = closed
        chosen = np.flatnonzero(self.events == event)
        if not len(chosen):
            return []
        before = data.modes[self.events].copy()
        passing = self.slip if before[chosen[0]] == GripMode.STICKS else self.stick
        passing(data, int(chosen[0]))
        after = data.modes[self.events]
        return [(int(self.events[k]), int(after[k])) for k in np.flatnonzero(after != before)]

    def slip(self, data: Data, first: int) -> None:
        """Let one slip, and all others that are at their limit."""
        n = self.pulls(data)
        load = np.linalg.norm(n, axis=1)
        chosen = self.closed & (data.modes[self.events] == GripMode.STICKS) & (load >= 1.0 - AT_LIMIT)
        chosen[first] = True
        data.modes[self.events[chosen]] = GripMode.SLIPS
        data.anchors[self.numbers[chosen]] = n[chosen] / load[chosen, None]

    def stick(self, data: Data, first: int) -> None:
        """One does not slip on as it began: it turns, or it sticks, and all others that have come to rest."""
        at, u, _ = self.look(data)
        speed, y = np.linalg.norm(u, axis=1), data.anchors[self.numbers]
        if speed[first] > RESTING * self.slow[first]:
            data.anchors[self.numbers[first]] = u[first] / speed[first]
            return
        slips = self.closed & (data.modes[self.events] == GripMode.SLIPS)
        chosen = slips & (speed <= RESTING * self.slow) & (np.sum(u * y, axis=1) <= AT_LIMIT * self.slow)
        chosen[first] = True
        for k in np.flatnonzero(chosen):
            n = u[k] + self.slow[k] * y[k] / (1.0 + speed[k] ** 2 / self.slow[k] ** 2)
            way = n / np.linalg.norm(n) - u[k] / self.slow[k]
            data.modes[self.events[k]] = GripMode.STICKS
            data.anchors[self.numbers[k]] = at[k] - self.rows["presliding"][k] * way / max(1.0, np.linalg.norm(way))

    def hold(self, data: Data) -> None:
        """Before a search for rest: points on the ground stay there as far as friction can hold them."""
        if not self.is_any:
            return
        at, _, gap = self.look(data)
        data.modes[self.events] = np.where(gap <= NEAR, GripMode.YIELDS, GripMode.SMOOTHED)
        data.anchors[self.numbers] = at

    def rest(self, data: Data) -> None:
        """At the rest: what is on the ground sticks, with the friction that it has there."""
        if not self.is_any:
            return
        at, _, _ = self.look(data)
        way = at - data.anchors[self.numbers]
        way[data.modes[self.events] != GripMode.YIELDS] = 0.0
        size = np.linalg.norm(way, axis=1) / self.rows["presliding"]
        data.anchors[self.numbers] = at - way / np.maximum(size, 1.0)[:, None]
        data.modes[self.events] = np.where(self.sees_closed(data), GripMode.STICKS, GripMode.SMOOTHED)

    def said(self, data: Data) -> str:
        """What slips, for a message of a search without end."""
        at, _, _ = self.look(data)
        way = np.linalg.norm(at - data.anchors[self.numbers], axis=1)
        slips = (data.modes[self.events] == GripMode.YIELDS) & self.sees_closed(data) & (way > self.rows["presliding"])
        found = [self.model.names.contacts[k] for k in self.numbers[slips]]
        return f"friction of the ground cannot hold {', '.join(found)}; " if found else ""
