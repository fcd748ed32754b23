"""The start state: taut closes the loops itself, moving as little mass as possible, and says when it cannot.

Given values are kept if anything else can adapt (``given.py``); those that had to change are reported.

Newton's method on the closures g(q) = 0, each step the smallest in the norm of the mass matrix,
    (J M^-1 J^T) mu = -g,    q <- q (+) M^-1 J^T mu                                    (1)
halved while it does not help. Velocities follow in one such step, J v = -dg/dt.
"""

from dataclasses import dataclass, replace

import numpy as np

from taut.dynamics.residual import least_mass_step, place
from taut.dynamics.tree.positions import move
from taut.integrate.events.friction import Frictions
from taut.integrate.events.holds import Holds
from taut.integrate.rest.equilibrium import rates_agree, relax_states, solve_equilibrium
from taut.integrate.start.given import Moved, find_moved, held_columns, holding
from taut.integrate.start.inertia_check import check_inertia
from taut.integrate.start.redundancy import find_rank, general_rank, redundant_rows
from taut.kernels.bounded_qp import bounded_qp
from taut.model import Data, Factor, Model, new_data, new_factor
from taut.model.duplicate import duplicate
from taut.model.remembered import remembered
from taut.scenario.errors import ScenarioError

MOST_ITERATIONS = 60
MOST_HALVINGS = 30
RATE_ROUNDING = 1e-9  # rates that violate the closures by less, relative to the largest, are kept
SOFT = 1e-7  # regularisation of one-sided closures, relative to the sum of their diagonals
ROUNDING = 2e-14  # loops are not closed more tightly than this, relative to the machine's size


@dataclass(frozen=True)
class Start:
    """A start state whose loops are closed."""

    data: Data
    given_error: float  # largest closure error of the state as given [m or -]
    error: float  # largest closure error of the state found [m or -]
    iterations: int
    redundant: tuple[str, ...]  # names of closure rows that follow from the others
    rank: int  # number of independent closure rows
    moved: tuple[Moved, ...] = ()  # bodies, joints and lengths that were not found as given


def start_state(model: Model) -> Start:
    """Close the loops from the given state; its workspace is the caller's own.

    Raises:
        ScenarioError: a loop cannot be closed; names it and the gap that remains.
    """
    known = remembered(model, "start", found_start)
    return replace(known, data=duplicate(model, known.data))


def found_start(model: Model) -> Start:
    """Find the start state: close the loops, then search for the equilibrium if the scenario asks for it."""
    check_inertia(model)
    data, factor = new_data(model), new_factor(model)
    tolerance, is_solved = settings(model)
    given = place(model.tables, data)
    tolerance = max(tolerance, ROUNDING * machine_size(data))
    holds = Holds(model)
    holds.touch(data, tolerance)
    error, iterations = close_in_stages(model, data, tolerance, is_solved=is_solved)
    for _ in range(len(holds.numbers)):
        # closing one cable may have pulled another one taut: repeat until none changes
        if not holds.touch(data, -tolerance):
            break
        error, more = close_in_stages(model, data, tolerance, is_solved=is_solved)
        iterations += more
    if is_solved and holds.is_any and not error <= tolerance:
        error, iterations = close_one_sided(model, data, holds, tolerance)
    # with ``solve: none`` any error is taken as given
    if not error <= max(tolerance, 0.0 if is_solved else np.inf):
        raise cannot_close(model, data, error, tolerance)
    if model.row_count and is_solved and rates_agree(model):
        if holds.is_any:
            # inelastic impact: taut cables whose ends separate too fast are stopped, those that go slack open
            holds.strike(data, is_bouncing=False)
        close_rates(model, data, factor)
    moved = find_moved(model, placed_as_given(model), data, machine_size(data))
    if model.plan.initial.solve == "equilibrium":
        moved = ()  # given poses only started the search for the equilibrium: not reported as moved
        solve_equilibrium(model, data)
        # release all friction: the run decides which coordinates stick
        Frictions(model).let_go(data)
        error = place(model.tables, data)
    relax_states(model, data)
    rank, redundant = redundant_rows(model, data, factor)
    if rank < model.row_count:
        data.most_rank[0] = general_rank(model, data, factor, rank, max(tolerance, 1e-12))
    return Start(data, given, error, iterations, redundant, rank, moved)


def close_in_stages(model: Model, data: Data, tolerance: float, *, is_solved: bool) -> tuple[float, int]:
    """Close the loops and keep as many given values as possible; the last stage may leave an error."""
    q, error, iterations = data.q.copy(), place(model.tables, data), 0
    if not is_solved or not error > tolerance:
        return error, iterations
    for held in held_columns(model).stages():
        data.q[:] = q
        error, iterations = close_loops(model, data, tolerance, is_solved=True, held=held)
        if error <= tolerance:
            break
    return error, iterations


def close_one_sided(model: Model, data: Data, holds: Holds, tolerance: float) -> tuple[float, int]:
    """From the given state: in each step those one-sided closures hold that must, so that none is stretched.

    Of cables that are all too short at the start some go slack when others are closed.
    """
    data.q[:] = placed_as_given(model).q
    factor, step, chosen = new_factor(model), np.zeros(model.column_count), np.flatnonzero(holds.usable(data))
    for iteration in range(MOST_ITERATIONS):
        gaps = holds.look(data)[chosen, 0].copy()
        W = holds.interface(data, chosen)
        # regularise, because redundant cables may have contradictory gaps
        W += SOFT * np.trace(W) * np.eye(len(W))
        pulled = bounded_qp(W, gaps, 0.0)[0] > 0.0
        data.modes[holds.events[chosen]] = np.where(pulled, 1, -1)
        find_rank(model, data, factor)
        error = max(place(model.tables, data), float(-gaps.min(initial=0.0)))
        if error <= tolerance:
            return error, iteration
        least_mass_step(model.tables, data, factor, False, step)
        move(model.tables, data.q.copy(), step, data.q)
        place(model.tables, data)
    return error, MOST_ITERATIONS


def close_rates(model: Model, data: Data, factor: Factor) -> None:
    """One step in the velocities; given ones stay if the others can follow."""
    step, v = np.zeros(model.column_count), data.v.copy()
    place(model.tables, data)
    allowed = RATE_ROUNDING * (1.0 + float(np.abs(data.rows["rate"]).max()))
    for held in held_columns(model).rate_stages():
        data.v[:] = v
        place(model.tables, data)
        least_mass_step(holding(model.tables, held), data, factor, True, step)
        data.v[:] += step
        place(model.tables, data)
        if np.abs(data.rows["rate"]).max() <= allowed:
            break


def placed_as_given(model: Model) -> Data:
    """The state as given, placed before loops are closed."""
    data = new_data(model)
    place(model.tables, data)
    return data


def close_loops(
    model: Model, data: Data, tolerance: float, *, is_solved: bool, held: np.ndarray | None = None
) -> tuple[float, int]:
    """Close the loops by Eq. (1) with columns held; returns the largest error and the number of steps."""
    tables = model.tables if held is None else holding(model.tables, held)
    factor, q, step = new_factor(model), data.q.copy(), np.zeros(model.column_count)
    error = place(model.tables, data)
    iterations = 0
    while is_solved and error > tolerance and iterations < MOST_ITERATIONS:
        least_mass_step(tables, data, factor, False, step)
        q[:] = data.q
        better = improve(model, data, q, step, error)
        if not better < error:
            break
        error = better
        iterations += 1
    return error, iterations


def settings(model: Model) -> tuple[float, bool]:
    """Tolerance of the closures, and whether to solve at all."""
    initial = model.plan.initial
    return initial.tolerance, initial.solve != "none"


def machine_size(data: Data) -> float:
    """Largest distance of a node from the world's origin [m]."""
    return float(np.abs(data.nodes["x"]).max(initial=0.0))


def improve(model: Model, data: Data, q: np.ndarray, step: np.ndarray, error: float) -> float:
    """Move along the step, halved until the error falls; leaves the state placed there and returns its error."""
    factor = 1.0
    for _ in range(MOST_HALVINGS):
        move(model.tables, q, factor * step, data.q)
        found = place(model.tables, data)
        if found < error:
            return found
        factor *= 0.5
    data.q[:] = q
    return place(model.tables, data)


def cannot_close(model: Model, data: Data, error: float, tolerance: float) -> ScenarioError:
    """Error that names the loop that stays open."""
    gaps = np.abs(data.rows["value"])
    # contradictory loops share the gap: name the first
    row = int(np.argmax(gaps >= 0.99 * np.nanmax(gaps))) if model.row_count else 0
    owner = int(np.searchsorted(model.tables.closures["row"], row, side="right")) - 1
    name = model.names.closures[owner]
    message = f"the loop at '{name}' cannot be closed: a gap of {error:.3g} remains (allowed {tolerance:.1g})"
    remedy = "check the positions, points and lengths of this loop, or start nearer to a closed position"
    return model.plan.error(closure_key(model, name), message, remedy=remedy)


def closure_key(model: Model, name: str) -> str:
    """Key path of a closure: its own entry, or that of the cable it ends."""
    keys = model.plan.closure_keys
    return keys.get(name) or keys.get(name.rsplit(".", 1)[0], "")
