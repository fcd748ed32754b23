"""Where a machine hangs at rest: forward kinetostatics.

Newton's method on R(q, lam) = 0, g(q) = 0 with the structured matrix of ``dynamics.newton``, followed along a growing
pseudo-time step h (``dynamics.statics``, Eq. 1): small h goes downhill like a motion that is stopped after every step,
large h is Newton's method. Steps that would turn or move anything too far are taken with a smaller h. If that does not
converge, ``descent`` takes over, with the full stiffness matrix; or, if the machine is too large for that, dynamic
relaxation: steps keep their momentum and lose it when they slow down (kinetic damping). A search ends early when
something moves away or turns without limit (``runaway``).

All coordinates with dry friction or a brake stick at first. Where the equilibrium found needs more friction than its
limit, they slip against a constant force of that size. The ground holds likewise; if that leads to no equilibrium, the
search is repeated without its friction.
"""

from dataclasses import dataclass, replace

import numpy as np

from taut.dynamics.events import event_values
from taut.dynamics.forces.laws import state_pace
from taut.dynamics.residual import least_mass_step, place
from taut.dynamics.statics import motion_residual, rest_step
from taut.dynamics.tree.positions import move
from taut.integrate.events.grips import Grips
from taut.integrate.events.holds import Holds
from taut.integrate.rest.descent import LEAST_RADIUS, MOST_COLUMNS, Descent, is_unstable
from taut.integrate.rest.runaway import Runaway, machine_extent, reason
from taut.integrate.rest.slips import Slips
from taut.integrate.rest.tensions import least_tensions
from taut.integrate.start.redundancy import find_rank
from taut.model import Data, Model, new_factor
from taut.model.enums import EventKind
from taut.model.laws import LawKind
from taut.scenario.errors import ScenarioError

FIRST_SQUARE = 1e-4  # square of the first relaxation step [s^2]
LEAST_SQUARE, MOST_SQUARE = 1e-12, 1e12
GROWTH, RETREAT = 3.0, 0.3
MOST_TURN = 0.2  # largest rotation in a step [rad]
MOST_SHIFT = 0.1  # largest translation in a step, relative to the size of the machine
MOST_STEPS = 400
MOST_DESCENTS = 300
MOST_RELAXED = 20_000
GOAL = 1e-12  # unbalanced force aimed at, relative to the largest force
ENOUGH = 1e-8  # unbalanced force that must be reached, relative to the largest force
EXACT = 1e-11  # an equilibrium with a larger residual is improved by ``descent``
STAYED = 1e-6  # a machine that moved less was in equilibrium at the start; relative to its size [m or rad]
CLOSED = 1e-10  # allowed closure error [m], for machines up to 1 m; relative to the size above
INSIDE = 1e-8  # friction limits are lowered by this share, so that what has slipped comes to rest inside the true limit
LEAST_ACCELERATION = 1e-3  # without gravity, forces are compared with the mass times this acceleration [m/s^2]


@dataclass(frozen=True)
class Balance:
    """How well the forces of a state balance."""

    residual: float  # largest unbalanced force, relative to the largest force
    gap: float  # largest closure error [m or 1]
    worst: int  # number of the coordinate with the largest unbalanced force
    method: str
    steps: int


class Rest:
    """A search for rest in progress."""

    def __init__(self, model: Model, data: Data) -> None:
        """Begin at the state in ``data``, at rest."""
        self.model, self.data, self.factor = relaxed(model), data, new_factor(model)
        n = model.column_count
        self.R, self.x, self.q = np.zeros(n), np.zeros(n), data.q.copy()
        self.mu, self.kept, self.push = np.zeros(model.row_count), np.zeros(n), np.zeros(n)
        self.square, self.steps = FIRST_SQUARE, 0
        self.is_turn = model.tables.columns["is_rotation"].astype(bool)
        self.size = machine_extent(model, data)
        nodes = model.tables.nodes
        gravity = float(np.linalg.norm(model.tables.settings[0].gravity))
        self.weight = float(nodes["mass"].sum() * max(gravity, LEAST_ACCELERATION))
        self.contacts = np.flatnonzero(np.isin(model.tables.events["kind"], (EventKind.CONTACT, EventKind.TETHER)))
        self.values = np.zeros(len(model.tables.events))
        self.holds = Holds(model)
        self.runaway = Runaway(model, self.size)
        data.lam[:] = 0.0
        # friction of rigid ground needs a normal force: start from an equal share of the weight
        pressed = self.holds.rows[(self.holds.drags >= 0) & self.holds.holding(data)]
        data.lam[pressed] = self.weight / max(len(pressed), 1)

    def choose_sides(self) -> None:
        """Which contacts and one-sided closures act here."""
        if len(self.contacts):
            place(self.model.tables, self.data)
            self.data.modes[self.contacts] = -1
            event_values(self.model.tables, self.data, self.values)
            self.data.modes[self.contacts] = np.where(self.values[self.contacts] > 0.0, 1, -1)
        if self.holds.is_any:
            self.choose_holds()

    def solve(self) -> None:
        """Solve for the next step with the present damping h."""
        self.choose_sides()
        self.push[:] = -self.kept / self.square
        rest_step(self.model.tables, self.data, self.factor, self.square, self.push, self.R, self.x, self.mu)

    def choose_holds(self) -> None:
        """Active set: a one-sided closure holds if lam - c g > 0, with any c > 0."""
        data, holds = self.data, self.holds
        held, gaps, lam = holds.holding(data), holds.look(data)[:, 0], data.lam[holds.rows]
        pulled = lam - (self.weight or 1.0) / self.size * gaps > 0.0
        # multipliers are zero at the start: closures that hold keep holding
        pulled = (pulled | (held & (lam == 0.0))) & holds.usable(data)
        data.modes[holds.events] = np.where(pulled, 1, -1)
        data.lam[holds.rows[~pulled]] = 0.0
        if (pulled != held).any():
            find_rank(self.model, data, self.factor)

    def reach(self) -> float:
        """Size of the step against the largest allowed."""
        turn = np.abs(self.x[self.is_turn]).max(initial=0.0) / MOST_TURN
        # the allowed step grows with the distance, so that a runaway is noticed soon
        shift = np.abs(self.x[~self.is_turn]).max(initial=0.0) / (MOST_SHIFT * max(self.size, self.runaway.distance))
        return float(max(turn, shift)) if np.isfinite(turn + shift) else np.inf

    def take(self, step: np.ndarray) -> None:
        """Move along a step, and take its multipliers."""
        self.q[:] = self.data.q
        move(self.model.tables, self.q, step, self.data.q)
        self.data.lam[:] += self.mu / self.square
        self.steps += 1
        self.runaway.note(self.data, step, self.R)

    def balance(self, method: str) -> Balance:
        """How well the state before the last step balanced."""
        scale = max(self.weight, float(np.abs(self.data.lam).max(initial=0.0)), 1e-300)
        worst = int(np.argmax(np.abs(self.R))) if len(self.R) else 0
        gap = float(np.abs(self.data.rows["value"]).max(initial=0.0))
        residual = float(np.abs(self.R).max(initial=0.0)) / scale
        return Balance(residual if np.isfinite(residual) else np.inf, gap, worst, method, self.steps)

    def is_enough(self, balance: Balance) -> bool:
        """Whether the state may be called at rest."""
        return balance.residual <= ENOUGH and balance.gap <= CLOSED * max(self.size, 1.0)


def solve_equilibrium(model: Model, data: Data) -> Balance:
    """Move the state in ``data`` (loops closed) to rest; signals are taken at data.time, without their rates.

    On return the velocities are the smallest that agree with the signals' rates.

    Raises:
        ScenarioError: no equilibrium was found; names what is unbalanced.
    """
    data.still[0] = 1.0
    place(model.tables, data)
    slips, grips, start = Slips(model, data), Grips(model), data.q.copy()
    grips.hold(data)
    rest, balance = settle(model, data, slips, grips)
    said = slips.said(data) + grips.said(data)
    if grips.is_any and not rest.is_enough(balance):
        # release the ground contacts: a machine that starts far from equilibrium must not be held where it happens to
        # stand
        data.q[:], slips = start, Slips(model, data)
        grips.let_go(data)
        rest, balance = settle(model, data, slips, grips)
    data.still[0] = 0.0
    if not rest.is_enough(balance):
        raise no_equilibrium(model, balance, rest, said or slips.said(data))
    data.v[:] = 0.0
    slips.free(data)
    relax_states(model, data, with_motors=True)
    place(model.tables, data)
    grips.rest(data)
    if model.row_count:
        # remove self-stress, but not with friction of rigid ground, which other multipliers would change
        if data.most_rank[0] < model.row_count and rest.holds.is_any and not rest.holds.rubs:
            least_tensions(model, data, rest.holds)
    if model.row_count and rates_agree(model):
        lam = data.lam.copy()
        least_mass_step(model.tables, data, rest.factor, True, rest.x)
        data.v[:] += rest.x
        data.lam[:] = lam
        place(model.tables, data)
    slips.hold(data)
    return balance


def settle(model: Model, data: Data, slips: Slips, grips: Grips) -> tuple[Rest, Balance]:
    """Repeat the search until friction can hold everything that sticks."""
    rest, balance = come_to_rest(model, data)
    while rest.is_enough(balance) and (slips.change(data) or grips.give_way(data)):
        rest, balance = come_to_rest(model, data)
    return rest, balance


def come_to_rest(model: Model, data: Data) -> tuple[Rest, Balance]:
    """Newton's method; if it does not converge, descent with the full matrix or dynamic relaxation.

    A machine that starts in equilibrium stays there, even if it is unstable.
    """
    start = data.q.copy()
    first = rest = Rest(model, data)
    balance = follow(rest)
    if rest.is_enough(balance):
        return improve(rest, balance, is_there=bool(np.allclose(data.q, start, rtol=0.0, atol=STAYED * rest.size)))
    data.q[:] = start
    rest = Rest(model, data)
    balance = descend(rest) if model.column_count <= MOST_COLUMNS else relax(rest)
    rest.runaway = first.runaway if first.runaway.is_lost and not rest.runaway.is_lost else rest.runaway
    return rest, balance


def improve(rest: Rest, balance: Balance, *, is_there: bool) -> tuple[Rest, Balance]:
    """Continue from an equilibrium that is inaccurate or unstable."""
    model, data = rest.model, rest.data
    if model.column_count > MOST_COLUMNS:
        return rest, balance
    is_falling = not is_there and is_unstable(model, data)
    if not is_falling and balance.residual <= EXACT:
        return rest, balance
    q, lam, modes = data.q.copy(), data.lam.copy(), data.modes.copy()
    rest.steps = 0
    found = descend(rest, is_kicked=is_falling)
    if rest.is_enough(found) and (is_falling or found.residual < balance.residual):
        return rest, replace(found, steps=found.steps + balance.steps)
    data.q[:], data.lam[:], data.modes[:] = q, lam, modes
    place(model.tables, data)
    return rest, balance


def relaxed(model: Model) -> Model:
    """The model of the search: laws with an internal state are relaxed, friction limits slightly lowered.

    A slipping coordinate then comes to rest clearly inside its true limit, and sticks in spite of rounding.
    """
    columns = model.tables.columns.copy()
    columns["state"] = -1
    for name in ("coulomb", "stiction", "brake"):
        columns[name] *= 1.0 - INSIDE
    return replace(model, tables=model.tables._replace(columns=columns))


def relax_states(model: Model, data: Data, *, with_motors: bool = False) -> None:
    """Move the internal states of laws to where their rates vanish: the branches carry no force.

    A motor at rest gives what it is asked for; at the start of a run it has its own torque.
    """
    if model.state_count == 0:
        return
    n = model.column_count
    motion_residual(model.tables, data, np.zeros(n), np.zeros(model.row_count), np.zeros(n))
    columns = model.tables.columns
    for column in columns[(columns["state"] >= 0) & (with_motors | (columns["law"] != LawKind.LAGGED_MOTOR))]:
        data.z[column.state] += data.z_rate[column.state] / state_pace(column)


def rates_agree(model: Model) -> bool:
    """Whether the velocities at the start are to agree with the signals' rates."""
    return model.plan.initial.rates == "consistent"


def follow(rest: Rest) -> Balance:
    """Newton's method for the state of rest, with steps of time that grow while it converges."""
    best = balance = Balance(np.inf, np.inf, 0, "newton", 0)
    stalled = 0
    while rest.steps < MOST_STEPS and stalled < 4 and not rest.runaway.is_lost:
        rest.solve()
        while rest.reach() > 1.0 and rest.square > LEAST_SQUARE:
            rest.square *= RETREAT
            rest.solve()
        balance = rest.balance("newton")
        if not np.isfinite(rest.reach()) or (balance.residual <= GOAL and rest.is_enough(balance)):
            break
        # count steps without progress once the balance is good enough: rounding
        stalled = stalled + 1 if rest.is_enough(balance) and balance.residual > 0.3 * best.residual else 0
        best = balance if balance.residual < best.residual else best
        rest.take(rest.x)
        if rest.reach() < 0.5:
            rest.square = min(GROWTH * rest.square, MOST_SQUARE)
    return balance


def descend(rest: Rest, *, is_kicked: bool = False) -> Balance:
    """Descent with the full stiffness matrix (``descent``)."""
    best = balance = Balance(np.inf, np.inf, 0, "descent", 0)
    descent, stalled, rest.mu[:] = Descent(rest), 0, 0.0
    if is_kicked:
        descent.kick()
        rest.take(rest.x)
    while rest.steps < MOST_DESCENTS and stalled < 4 and not rest.runaway.is_lost and descent.radius > LEAST_RADIUS:
        descent.look()
        balance = rest.balance("descent")
        if not np.isfinite(rest.reach()) or (balance.residual <= GOAL and rest.is_enough(balance)):
            break
        stalled = stalled + 1 if rest.is_enough(balance) and balance.residual > 0.3 * best.residual else 0
        best = balance if balance.residual < best.residual else best
        rest.take(rest.x)
    return balance


def relax(rest: Rest) -> Balance:
    """Dynamic relaxation with kinetic damping."""
    balance = Balance(np.inf, np.inf, 0, "relaxation", 0)
    while rest.steps < MOST_RELAXED and not rest.runaway.is_lost:
        rest.solve()
        while rest.reach() > 0.5 and rest.square > LEAST_SQUARE:
            rest.square *= RETREAT
            rest.kept[:] = 0.0
            rest.solve()
        balance = rest.balance("relaxation")
        if not np.isfinite(rest.reach()) or rest.is_enough(balance):
            break
        # the force along the step has reversed: past the minimum of potential energy
        is_slower = rest.x @ rest.kept < rest.kept @ rest.kept
        rest.take(rest.x)
        rest.kept[:] = 0.0 if is_slower else rest.x
        if rest.steps % 50 == 0:
            rest.square = min(1.5 * rest.square, 1.0)
    return balance


def no_equilibrium(model: Model, balance: Balance, rest: Rest, slipping: str) -> ScenarioError:
    """The error message: what does not come to rest, and a likely reason."""
    what, remedy = open_loop(model, balance, rest) or reason(model, rest.runaway, rest.data, slipping)
    if not what:
        name = model.names.columns[balance.worst] if model.names.columns else ""
        what = f"{balance.residual:.2g} of the largest force is unbalanced, most at {name}"
        remedy = f"start {name} nearer to rest, or give it a spring"
    message = f"no equilibrium found after {balance.steps} steps: {slipping}{what}"
    return model.plan.error("initial", message, remedy=remedy)


def open_loop(model: Model, balance: Balance, rest: Rest) -> tuple[str, str] | None:
    """The loop that stays open, if there is one and nothing runs away."""
    if balance.gap <= CLOSED * max(rest.size, 1.0) or rest.runaway.is_lost:
        return None
    row = int(np.nanargmax(np.abs(rest.data.rows["value"])))
    return (f"the loop at {model.names.rows[row]} is open by {balance.gap:.2g}",
            "start nearer to a position in which the loops close")  # fmt: skip
