"""Dry friction and brakes: which coordinates stick and which slip, decided at events and in statics.

A coordinate that sticks is at rest; friction is the force that keeps it there, up to its limit. A slipping one feels a
force of the size of its law against its rate. Modes (``SlipMode``) change only at events, so that forces are smooth
inside a step. Where coordinates stand still, with W = J M^-1 J^T of them, closures and all that sticks elsewhere
eliminated, and b their accelerations without friction,
    a = W f + b,   |f_i| <= l_i,   a_i = 0  or  f_i = -l_i sign(a_i)                                        (1)
the optimum of 1/2 f.W f + b.f over the box |f| <= l [Pfeiffer 1996, ch. 8]: those inside stick, those at the edge slip.
"""

from typing import Any

import numpy as np

from taut.dynamics.energy import kinetic_energy
from taut.dynamics.events import BEYOND_CONE
from taut.dynamics.residual import consistent_accelerations, factor_plain, least_mass_step, place, place_state
from taut.dynamics.statics import solve_motion
from taut.integrate.start.redundancy import find_rank
from taut.kernels.bounded_qp import bounded_qp
from taut.model import Data, Model, new_factor
from taut.model.enums import SlipMode

STILL = 1e-9  # a slower coordinate may stick [m/s or rad/s]
STILL_SLIP = 1e-6  # slower slip of a rope that stretches may stick [m/s]: neighbouring guides stop at the same instant
HELD = 1e-6  # a coordinate counts as held below this acceleration, relative to the largest without friction
AT_LIMIT = 1e-12  # relative margin below which friction counts as at its limit
MOST_CORRECTIONS = 4  # most corrections per coordinate at rest whose limit follows tensions
# slip of ropes that stretch, whose tensions have more rounding: relative margin that counts as at the limit, and by
# which a force is moved inside the limit
NEAR_CONE, INSIDE = 1e-9, 1e-8
# largest error of a step beyond the friction cone, relative to the force (1e-8 is usual); more is a real force
MOST_EXCESS = 1e-6
# most sweeps over slipping guides that move them into their cones, and step of the difference quotients [m]
MOST_SWEEPS, SECANT = 60, 1e-7
# a coordinate with less of its diagonal in W left over, relative to that diagonal, is determined by others
DEPENDENT = 1e-9
RESTING = (SlipMode.STICKS, SlipMode.PRESSED_FORWARD, SlipMode.PRESSED_BACKWARD)


class Frictions:
    """The coordinates of a model that stick or slip."""

    def __init__(self, model: Model) -> None:
        """Find the columns with dry friction or a brake."""
        columns = model.tables.columns
        self.model = model
        self.numbers = np.flatnonzero(columns["stick"] >= 0)
        self.events = columns["stick"][self.numbers]
        self.factor = new_factor(model)
        # whether the limit of any friction follows tensions
        self.is_loaded = bool((columns["capstan"][self.numbers] >= 0).any())

    @property
    def is_any(self) -> bool:
        """Whether any coordinate may stick."""
        return len(self.numbers) > 0

    def let_go(self, data: Data) -> None:
        """Smooth friction over velocity_scale, for methods that locate no events of friction."""
        data.modes[self.events] = SlipMode.SMOOTHED
        self.numbers, self.events = self.numbers[:0], self.events[:0]

    def free(self, data: Data) -> None:
        """Remove all dry friction, as during an impact: a bounded force has no impulse."""
        data.modes[self.events] = SlipMode.FREE

    def hold(self, data: Data) -> None:
        """Let all stick that have any friction; a search for rest is without friction at guides."""
        data.columns["limit"] = 0.0
        data.modes[self.events] = np.where(self.limits(data) > 0.0, SlipMode.STICKS, SlipMode.FREE)

    def limits(self, data: Data) -> np.ndarray:
        """Largest friction of each coordinate [N or N m]; at guides, by the tensions of the last placed state."""
        columns = self.model.tables.columns[self.numbers]
        switch = columns["brake_switch"]
        is_switched = (switch >= 0) & (data.modes[switch] > 0) if len(data.modes) else switch < -1
        brakes = columns["brake"] * ((columns["is_braked"] != 0) != is_switched)
        return columns["coulomb"] + columns["stiction"] + brakes + data.columns["limit"][self.numbers]

    def rests(self, data: Data) -> np.ndarray:
        """Which coordinates with friction stand still, by their own friction or by that of others."""
        return np.isin(data.modes[self.events], RESTING)

    def settle(self, data: Data) -> float:
        """Let coordinates stick that friction can hold, Eq. (1); sets accelerations; returns the energy lost [J]."""
        if self.is_loaded:
            return settle_loaded(self, data)
        rates, limits = data.v[self.numbers], self.limits(data)
        data.modes[self.events] = np.where(rates > 0.0, SlipMode.FORWARD, SlipMode.BACKWARD)
        chosen = np.flatnonzero((limits > 0.0) & (np.abs(rates) <= STILL))
        if len(chosen):
            data.modes[self.events[chosen]] = SlipMode.FREE
            data.modes[self.events[chosen]], _ = self.decide(data, chosen, limits[chosen])
        find_rank(self.model, data, self.factor)
        lost = self.stop(data)
        consistent_accelerations(self.model.tables, data, self.factor)
        return lost

    def decide(self, data: Data, chosen: np.ndarray, limits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Modes of the coordinates at rest, which must be free now, and whether each would remain at rest.

        Of joints that resist the same motion, as many stick as are independent; the others act with their limits.
        At a dead centre of a linkage friction within its limit leaves an acceleration: it cannot hold there.
        """
        W, b = self.interface(data, chosen)
        f = corner(W, bounded_qp(W, b, -limits, limits)[0], limits)
        a = (W @ f + b) / max(float(np.abs(b).max()), 1e-300)
        is_inside = np.abs(f) < (1.0 - AT_LIMIT) * limits
        is_still = np.abs(a) <= HELD
        sticks = is_inside & is_still
        is_forward = np.where(is_still, -f, a) > 0.0
        modes = np.where(is_forward, SlipMode.FORWARD, SlipMode.BACKWARD)
        presses = ~sticks & is_still & follows(W, sticks)
        pressed = np.where(is_forward, SlipMode.PRESSED_FORWARD, SlipMode.PRESSED_BACKWARD)
        return np.where(sticks, SlipMode.STICKS, np.where(presses, pressed, modes)), is_still

    def interface(self, data: Data, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """W and b of Eq. (1) for the chosen coordinates, on which no friction acts now."""
        tables, columns = self.model.tables, self.numbers[chosen]
        find_rank(self.model, data, self.factor)
        consistent_accelerations(tables, data, self.factor)
        b = data.acceleration[columns].copy()
        factor_plain(tables, data, self.factor)
        n, m = self.model.column_count, self.model.row_count
        W, x, mu = np.zeros((len(columns), len(columns))), np.zeros(n), np.zeros(m)
        for k, c in enumerate(columns):
            solve_motion(tables, data, self.factor, np.eye(n)[c], np.zeros(m), x, mu)
            W[:, k] = x[columns]
        return 0.5 * (W + W.T), b

    def stop(self, data: Data) -> float:
        """Set the remaining velocity of sticking coordinates to zero; returns its kinetic energy [J]."""
        stuck = self.numbers[data.modes[self.events] > 0]
        if not np.any(data.v[stuck] != 0.0):
            return 0.0
        tables, step = self.model.tables, np.zeros(self.model.column_count)
        place(tables, data)
        before = float(kinetic_energy(tables, data))
        data.v[stuck] = 0.0
        place(tables, data)
        least_mass_step(tables, data, self.factor, True, step)
        data.v[:] += step
        place(tables, data)
        return before - float(kinetic_energy(tables, data))


def settle_loaded(frictions: Frictions, data: Data) -> float:
    """``settle`` where limits follow tensions: all at rest stick, then one after the other is corrected.

    The coordinate that needs most beyond its limit slips; one that then moves against its mode sticks again. Returns
    the energy lost [J].
    """
    rates, before = data.v[frictions.numbers], data.modes[frictions.events].copy()
    data.modes[frictions.events] = np.where(rates > 0.0, SlipMode.FORWARD, SlipMode.BACKWARD)
    still = [STILL_SLIP if slips_and_stretches(frictions.model, int(c)) else STILL for c in frictions.numbers]
    chosen = np.flatnonzero(np.abs(rates) <= still)
    data.modes[frictions.events[chosen]] = SlipMode.FREE
    find_rank(frictions.model, data, frictions.factor)
    consistent_accelerations(frictions.model.tables, data, frictions.factor)
    # accelerations without friction: the scale by which those with it count as rounding
    free = float(np.abs(data.acceleration[frictions.numbers[chosen]]).max(initial=0.0))
    data.modes[frictions.events[chosen]] = SlipMode.STICKS
    least = HELD * max(free, 1e-300)
    stopped = chosen[np.isin(before[chosen], (SlipMode.FORWARD, SlipMode.BACKWARD))]
    is_changed = len(stopped) > 0
    lost = enter_cones(frictions, data, stopped)
    for _ in range(MOST_CORRECTIONS * (1 + len(chosen))):
        find_rank(frictions.model, data, frictions.factor)
        lost += frictions.stop(data)
        consistent_accelerations(frictions.model.tables, data, frictions.factor)
        if not correct_one(frictions, data, chosen, least, may_round=False):
            # an event came because one friction force reached its limit: that one is the nearest to its limit
            if is_changed or not correct_one(frictions, data, chosen, least, may_round=True):
                break
        is_changed = True
    return lost


def enter_cones(frictions: Frictions, data: Data, stopped: np.ndarray) -> float:
    """Move ropes that have just stopped slipping, if they stretch, to inside their cones; returns the energy lost [J].

    A rope that stops lies in its cone but for the error of a step. On a rope that stretches this error is a force
    beyond the limit, by which it would slip again at once; inside the cone the forces after this instant decide.
    """
    lost = 0.0
    slips = [int(k) for k in stopped if slips_and_stretches(frictions.model, int(frictions.numbers[k]))]
    # repeated sweeps, because each correction changes the tensions of the neighbours
    for _ in range(MOST_SWEEPS if slips else 0):
        moved = [enter_cone(frictions, data, k) for k in slips]
        lost += sum(moved)
        if not any(moved):
            break
    return lost


def enter_cone(frictions: Frictions, data: Data, k: int) -> float:
    """Move one slip into its cone by a step along the secant; returns the energy lost [J], zero if it is inside."""
    at = int(frictions.model.tables.columns["coordinate"][frictions.numbers[k]])
    excess, f = beyond_cone(frictions, data, k)
    if not 0.5 * INSIDE * abs(f) < excess < MOST_EXCESS * abs(f):
        return 0.0
    data.q[at] += SECANT
    slope = (beyond_cone(frictions, data, k)[0] - excess) / SECANT
    move = -excess / slope if slope != 0.0 else 0.0
    data.q[at] += move - SECANT
    return abs(f * move)


def slips_and_stretches(model: Model, c: int) -> bool:
    """Whether a coordinate is what slips over a guide, of a rope that stretches."""
    column: Any = model.tables.columns[c]
    if not column.is_slip:
        return False
    capstan: Any = model.tables.capstans[column.capstan]
    return int(model.tables.routes["closure"][capstan.before]) < 0


def beyond_cone(frictions: Frictions, data: Data, k: int) -> tuple[float, float]:
    """Excess of the force that holds coordinate k over its cone, narrowed by the share INSIDE, and that force [N]."""
    find_rank(frictions.model, data, frictions.factor)
    consistent_accelerations(frictions.model.tables, data, frictions.factor)
    a = data.acceleration.copy()
    place_state(frictions.model.tables, data, np.zeros_like(a))
    data.acceleration[:] = a
    f, limit = float(data.columns["friction"][frictions.numbers[k]]), float(frictions.limits(data)[k])
    return abs(f) - (1.0 - INSIDE) * limit, f


def correct_one(frictions: Frictions, data: Data, chosen: np.ndarray, least: float, *, may_round: bool) -> bool:
    """Change the mode that is most wrong at the accelerations in ``data``; returns whether any is.

    One slips the wrong way if its acceleration against its mode is more than ``least``. With ``may_round`` one begins
    to slip on a rope that stretches although its friction is at the limit but for rounding.
    """
    a = data.acceleration.copy()
    place_state(frictions.model.tables, data, np.zeros_like(a))
    data.acceleration[:] = a
    numbers, events = frictions.numbers[chosen], frictions.events[chosen]
    f, limits, modes = data.columns["friction"][numbers], frictions.limits(data)[chosen], data.modes[events]
    scale = max(float(limits.max(initial=0.0)), 1e-300)
    stretches = np.array([slips_and_stretches(frictions.model, int(c)) for c in numbers], bool)
    most = np.where(stretches, 1.0 + (0.5 * BEYOND_CONE if not may_round else -NEAR_CONE), 1.0 - AT_LIMIT)
    beyond = np.where(modes == SlipMode.STICKS, (np.abs(f) - most * limits) / scale, -1.0)
    if beyond.max(initial=-1.0) > 0.0:
        k = int(np.argmax(beyond))
        data.modes[events[k]] = SlipMode.FORWARD if f[k] < 0.0 else SlipMode.BACKWARD
        return True
    wrong = np.where(modes == SlipMode.FORWARD, -a[numbers], np.where(modes == SlipMode.BACKWARD, a[numbers], 0.0))
    if wrong.max(initial=0.0) > least:
        data.modes[events[int(np.argmax(wrong))]] = SlipMode.STICKS
        return True
    return False


def corner(W: np.ndarray, f: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """An equivalent optimum with as many entries as possible at their limits; the others are independent in W."""
    f = f.copy()
    for _ in range(len(f)):
        inside = np.flatnonzero(np.abs(f) < (1.0 - AT_LIMIT) * limits)
        if not len(inside):
            break
        # a null vector of W changes forces without changing accelerations: joints that hold the same motion
        scale = 1.0 / np.sqrt(np.maximum(np.diag(W)[inside], 1e-300))
        values, vectors = np.linalg.eigh(W[np.ix_(inside, inside)] * np.outer(scale, scale))
        if values[0] > DEPENDENT:
            break
        way = scale * vectors[:, 0]
        # move along the null vector until the first force reaches its limit; that joint no longer counts as inside
        room = (limits[inside] - np.sign(way) * f[inside]) / np.maximum(np.abs(way), 1e-300)
        k = int(np.argmin(room))
        f[inside] += room[k] * way
        f[inside[k]] = np.sign(way[k]) * limits[inside[k]]
    return f


def follows(W: np.ndarray, sticks: np.ndarray) -> np.ndarray:
    """Which coordinates cannot move while the sticking ones do not."""
    held, diagonal = np.flatnonzero(sticks), np.diag(W)
    if not len(held):
        return np.zeros(len(W), bool)
    left = diagonal - np.sum(W[:, held] * np.linalg.solve(W[np.ix_(held, held)], W[held]).T, axis=1)
    return left <= DEPENDENT * diagonal
