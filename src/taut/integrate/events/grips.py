"""Friction of the ground (``dynamics.forces.contact``): which corners stick or slip, at events and in statics."""

import numpy as np

from taut.dynamics.residual import consistent_accelerations, gap_motion, place
from taut.integrate.start.redundancy import find_rank
from taut.model import Data, Model, new_factor
from taut.model.enums import ContactMode, GripMode

AT_LIMIT = 1e-6  # relative margin within which points count as at their limit and slip together
RESTING = 0.1  # a point faster than this share of v_0, Eq. (3) of ``dynamics.forces.contact``, keeps slipping
DEPENDENT = 1e-9  # singular values below this, relative to the largest: the friction of two points has the same effect
# most Newton steps for the friction that keeps points in place, and their relative tolerance
MOST_KEEPINGS, KEPT = 20, 1e-10
NEAR = 1e-3  # in statics a contact point closer to the ground than this stands on it [m]


class Grips:
    """The contacts of a model whose friction sticks or slips."""

    def __init__(self, model: Model) -> None:
        """Find the contacts with friction."""
        self.model = model
        self.numbers = np.flatnonzero(model.tables.contacts["grip"] >= 0)
        self.rows = model.tables.contacts[self.numbers]
        self.events = self.rows["grip"]
        # v_0 of Eq. (3) in ``dynamics.forces.contact`` [m/s]
        self.slow = self.rows["presliding"] / self.rows["presliding_time"]
        self.closed = np.zeros(len(self.numbers), bool)
        self.is_rigid = bool(np.any(self.rows["drag"] >= 0))

    @property
    def is_any(self) -> bool:
        """Whether any contact may stick."""
        return len(self.numbers) > 0

    def look(self, data: Data) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Horizontal positions and velocities of the points, and their gaps, at the placed state."""
        here = data.nodes.view(np.ndarray)[self.rows["node"]]
        R = here["R"].reshape(-1, 3, 3)
        d = np.einsum("kij,kj->ki", R, self.rows["point"])
        at, u = here["x"] + d, here["v"] + crossed(here["w"], d)
        return at[:, :2], u[:, :2], at[:, 2] - self.rows["height"]

    def sees_closed(self, data: Data) -> np.ndarray:
        """Which of the contacts are closed."""
        return data.modes[self.rows["side"]] == ContactMode.CLOSED

    def begin(self, data: Data) -> None:
        """Let points stick or slip at the start of a run as statics has found them."""
        place(self.model.tables, data)
        self.closed = self.sees_closed(data)
        held = self.closed & (np.linalg.norm(self.pulls(data), axis=1) <= 1.0 + AT_LIMIT)
        held &= data.modes[self.events] == GripMode.STICKS
        self.start(data, ~held)
        _, u, _ = self.look(data)
        self.stand(data, np.flatnonzero(self.closed & ~held & (np.linalg.norm(u, axis=1) <= RESTING * self.slow)))

    def pulls(self, data: Data) -> np.ndarray:
        """Directions n of Eq. (2) of ``dynamics.forces.contact`` for the sticking points."""
        at, u, _ = self.look(data)
        return (at - data.anchors[self.numbers]) / self.rows["presliding"][:, None] + u / self.slow[:, None]

    def start(self, data: Data, which: np.ndarray) -> None:
        """The points on the ground: slow ones stick without force, others slip."""
        at, u, _ = self.look(data)
        speed = np.linalg.norm(u, axis=1)
        is_slow = speed < self.slow
        for k in np.flatnonzero(which):
            data.modes[self.events[k]] = GripMode.STICKS if is_slow[k] else GripMode.SLIPS
            data.anchors[self.numbers[k]] = at[k] if is_slow[k] else u[k] / speed[k]

    def arrive(self, data: Data) -> None:
        """After an impact, at the placed state: all points stick or slip as they move now, also those in the air."""
        self.start(data, np.ones(len(self.numbers), bool))

    def settle(self, data: Data) -> None:
        """After an impact, with the holding closures known: points at rest stick with the friction they need."""
        place(self.model.tables, data)
        self.closed = self.sees_closed(data)
        _, u, _ = self.look(data)
        self.stand(data, np.flatnonzero(self.closed & (np.linalg.norm(u, axis=1) <= RESTING * self.slow)))

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
        """Let one point on the ground slip, and all others that are at their limit of friction."""
        n = self.pulls(data)
        load = np.linalg.norm(n, axis=1)
        chosen = self.closed & (data.modes[self.events] == GripMode.STICKS) & (load >= 1.0 - AT_LIMIT)
        chosen[first] = True
        data.modes[self.events[chosen]] = GripMode.SLIPS
        data.anchors[self.numbers[chosen]] = n[chosen] / load[chosen, None]

    def stick(self, data: Data, first: int) -> None:
        """A point reverses its slip: it slips the other way, or sticks, with all others that have come to rest."""
        _, u, _ = self.look(data)
        speed = np.linalg.norm(u, axis=1)
        if speed[first] > RESTING * self.slow[first]:
            data.anchors[self.numbers[first]] = u[first] / speed[first]
            return
        slips = self.closed & (data.modes[self.events] == GripMode.SLIPS)
        chosen = slips & (speed <= RESTING * self.slow)
        chosen[first] = True
        self.stand(data, np.flatnonzero(chosen))

    def stand(self, data: Data, chosen: np.ndarray) -> None:
        """Let points at rest stick with the friction that holds them; points that need more than their limit slip."""
        if not len(chosen):
            return
        data.modes[self.events[chosen]] = GripMode.STICKS
        at, u, _ = self.look(data)
        n = self.keeping(data, chosen)
        for k, pull in zip(chosen, n, strict=True):
            if np.linalg.norm(pull) <= 1.0:
                data.anchors[self.numbers[k]] = at[k] - self.rows["presliding"][k] * pull
                continue
            # slip in the direction of the pull, unless the point still moves the other way
            way = pull if u[k] @ pull >= 0.0 else u[k]
            data.modes[self.events[k]] = GripMode.SLIPS
            data.anchors[self.numbers[k]] = way / np.linalg.norm(way)

    def keeping(self, data: Data, chosen: np.ndarray) -> np.ndarray:
        """The least n of the chosen points, which stick, with which none of them is accelerated.

        Linear in n on springs; on rigid ground the normal forces depend on n too, hence a few Newton steps.
        """
        at, u, _ = self.look(data)
        v, numbers, count = data.v.copy(), self.numbers[chosen], 2 * len(chosen)
        factor = new_factor(self.model)
        find_rank(self.model, data, factor)

        def accelerations(n: np.ndarray) -> np.ndarray:
            # choose the anchor at which Eq. (2) of ``dynamics.forces.contact`` gives this n
            rows = self.rows[chosen]
            data.anchors[numbers] = (
                at[chosen]
                + rows["presliding_time"][:, None] * u[chosen]
                - rows["presliding"][:, None] * n.reshape(-1, 2)
            )
            data.v[:] = v
            place(self.model.tables, data)
            consistent_accelerations(self.model.tables, data, factor)
            return self.accelerated(data)[chosen].ravel()

        n = np.zeros(count)
        for _ in range(MOST_KEEPINGS if self.is_rigid else 1):
            b = accelerations(n)
            W = np.array([accelerations(n + unit) - b for unit in np.eye(count)]).T
            step = np.linalg.lstsq(W, -b, rcond=DEPENDENT)[0]
            n = n + step
            if np.abs(step).max() <= KEPT:
                break
        data.v[:] = v
        place(self.model.tables, data)
        return n.reshape(-1, 2)

    def accelerated(self, data: Data) -> np.ndarray:
        """Horizontal accelerations of the points at the state and accelerations in ``data``."""
        gap_motion(self.model.tables, data, np.zeros((len(self.model.tables.closures), 3)))
        here = data.nodes.view(np.ndarray)[self.rows["node"]]
        d = np.einsum("kij,kj->ki", here["R"].reshape(-1, 3, 3), self.rows["point"])
        own = crossed(here["alpha"], d) + crossed(here["w"], crossed(here["w"], d))
        return (here["a"] + self.model.tables.settings[0].gravity + own)[:, :2]

    def hold(self, data: Data) -> None:
        """Before a search for rest: points on the ground stick, with unlimited friction."""
        if not self.is_any:
            return
        at, _, gap = self.look(data)
        data.modes[self.events] = np.where(gap <= NEAR, GripMode.STICKS, GripMode.SMOOTHED)
        data.anchors[self.numbers] = at

    def let_go(self, data: Data) -> None:
        """Search for rest without friction of the ground."""
        data.modes[self.events] = GripMode.SMOOTHED

    def give_way(self, data: Data) -> bool:
        """Let points yield, at a rest, that need more friction than their limit; returns whether there are any."""
        if not self.is_any:
            return False
        over = np.linalg.norm(self.pulls(data), axis=1) > 1.0 + AT_LIMIT
        over &= self.sees_closed(data) & (data.modes[self.events] == GripMode.STICKS)
        data.modes[self.events[over]] = GripMode.YIELDS
        return bool(over.any())

    def rest(self, data: Data) -> None:
        """Let points on the ground stick with the friction found at the rest."""
        if not self.is_any:
            return
        at, _, _ = self.look(data)
        way = at - data.anchors[self.numbers]
        way[data.modes[self.events] == GripMode.SMOOTHED] = 0.0
        size = np.linalg.norm(way, axis=1) / self.rows["presliding"]
        data.anchors[self.numbers] = at - way / np.maximum(size, 1.0)[:, None]
        data.modes[self.events] = np.where(self.sees_closed(data), GripMode.STICKS, GripMode.SMOOTHED)

    def said(self, data: Data) -> str:
        """Names of the points that slip, for the message of a failed search for rest."""
        at, _, _ = self.look(data)
        way = np.linalg.norm(at - data.anchors[self.numbers], axis=1)
        slips = (data.modes[self.events] == GripMode.YIELDS) & self.sees_closed(data) & (way > self.rows["presliding"])
        found = [self.model.names.contacts[k] for k in self.numbers[slips]]
        return f"friction of the ground cannot hold {', '.join(found)}; " if found else ""


def crossed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of vectors [n, 3]; numpy's own takes five times as long for a few."""
    (x, y, z), (u, v, w) = a.T, b.T
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)
