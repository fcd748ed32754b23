"""The start state: taut closes the loops itself, moving as little mass as possible, and says when it cannot.

Newton's method on the closures g(q) = 0, each step the smallest in the norm of the mass matrix,
    (J M^-1 J^T) mu = -g,    q <- q (+) M^-1 J^T mu                                    (1)
halved while it does not help. Velocities follow in one such step, J v = -dg/dt.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.dynamics.closures import closures
from taut.dynamics.factor import factor_mass
from taut.dynamics.interface import factor_interface, solve_interface
from taut.dynamics.kinematics import kinematics
from taut.dynamics.positions import move
from taut.dynamics.projection import add_multipliers, project_rows
from taut.dynamics.solve import expand_outwards
from taut.integrate.redundancy import redundant_rows
from taut.kernels.jit import kernel
from taut.model import Data, Model, new_data, new_factor
from taut.scenario.errors import Problem, ScenarioError

MOST_ITERATIONS = 60
MOST_HALVINGS = 30
ROUNDING = 2e-14  # closes no further than this times the size of the machine


@dataclass(frozen=True)
class Start:
    """A start state whose loops are closed."""

    data: Data
    given_error: float  # largest closure error of the state as given [m or -]
    error: float  # and of the state found
    iterations: int
    redundant: tuple[str, ...]  # closure rows that follow from the others
    rank: int  # independent rows


def start_state(model: Model) -> Start:
    """Close the loops from the given state.

    Raises:
        ScenarioError: a loop cannot be closed; names it and the gap that remains.
    """
    data, factor = new_data(model), new_factor(model)
    q, step = data.q.copy(), np.zeros(model.column_count)
    tolerance, is_solved = settings(model)
    kinematics(model.tables, data)
    given = error = closure_error(model.tables, data)
    tolerance = max(tolerance, ROUNDING * machine_size(data))
    iterations = 0
    while is_solved and error > tolerance and iterations < MOST_ITERATIONS:
        least_mass_step(model.tables, data, factor, False, step)
        q[:] = data.q
        better = improve(model, data, q, step, error)
        if not better < error:
            break
        error = better
        iterations += 1
    if not error <= max(tolerance, 0.0 if is_solved else np.inf):
        raise cannot_close(model, data, error, tolerance)
    if model.row_count and is_solved:
        least_mass_step(model.tables, data, factor, True, step)
        data.v[:] += step
        kinematics(model.tables, data)
    rank, redundant = redundant_rows(model, data, factor)
    return Start(data, given, error, iterations, redundant, rank)


def settings(model: Model) -> tuple[float, bool]:
    """Tolerance of the closures, and whether to solve at all."""
    if model.scenario is None:
        return 1e-10, True
    initial = model.scenario.initial
    return initial.tolerance, initial.solve == "closures"


def machine_size(data: Data) -> float:
    """Largest distance of a node from the world's origin [m]."""
    return float(np.abs(data.nodes["x"]).max(initial=0.0))


def improve(model: Model, data: Data, q: np.ndarray, step: np.ndarray, error: float) -> float:
    """Move along the step, halved until the error falls; leaves the state placed there and returns its error."""
    factor = 1.0
    for _ in range(MOST_HALVINGS):
        move(model.tables, q, factor * step, data.q)
        kinematics(model.tables, data)
        found = closure_error(model.tables, data)
        if found < error:
            return found
        factor *= 0.5
    data.q[:] = q
    kinematics(model.tables, data)
    return closure_error(model.tables, data)


def cannot_close(model: Model, data: Data, error: float, tolerance: float) -> ScenarioError:
    """Name the loop that stays open."""
    row = int(np.nanargmax(np.abs(data.rows["value"]))) if model.row_count else 0
    owner = int(np.searchsorted(model.tables.closures["row"], row, side="right")) - 1
    name = model.names.closures[owner]
    message = f"the loop at '{name}' cannot be closed: a gap of {error:.3g} remains (allowed {tolerance:.1g})"
    remedy = "check the positions, points and lengths of this loop, or start nearer to a closed position"
    problem: Any = Problem(message, remedy=remedy)
    if model.scenario is not None:
        problem = model.scenario.problem(closure_path(model, name), message, remedy=remedy)
    return ScenarioError([problem])


def closure_path(model: Model, name: str) -> str:
    """Key path of a closure in the scenario: its own entry, or the cable it ends."""
    for key in ("closures", "cables"):
        for i, record in enumerate(getattr(model.scenario, key)):
            if record.name in (name, name.rsplit(".", 1)[0]):
                return f"{key}[{i}]"
    return ""


@kernel
def closure_error(model, data):
    """Largest closure error at the placed state."""
    closures(model, data)
    worst = 0.0
    for i in range(len(data.rows)):
        size = abs(data.rows[i].value)
        if not size <= worst:  # a NaN counts
            worst = size
    return worst


@kernel
def least_mass_step(model, data, factor, is_velocity, step):
    """Eq. (1): the smallest step that closes the linearised loops (or corrects the velocities)."""
    closures(model, data)
    factor_mass(model, data, factor)
    project_rows(model, data, factor)
    factor_interface(factor)
    for i in range(len(data.lam)):
        data.lam[i] = -(data.rows[i].rate if is_velocity else data.rows[i].value)
    solve_interface(factor, data.lam)
    for c in range(len(factor.columns)):
        factor.columns[c].u = 0.0
    add_multipliers(model, factor, data.lam)
    expand_outwards(model, data, factor, step)

