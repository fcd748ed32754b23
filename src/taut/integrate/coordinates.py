"""Which coordinates a space keeps, and which closure rows express the others by them.

Columns are eliminated group by group, inside a group the largest remaining entry of J first. A leg whose coupler
may spin about its own axis has one coordinate more than its closure has rows: such internal motions stay among the
kept.
"""

from dataclasses import dataclass

import numpy as np

from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.spaces.elimination import Elimination
from taut.integrate.start.start_state import machine_size
from taut.model import Data, Model
from taut.scenario.errors import Problem, ScenarioError

SPACES = ("extended", "configuration", "actuator", "task", "extended-to-task", "extended-to-actuator")
SMALLEST = 1e-9  # smaller pivots, relative to the largest entry of J, are rounding and end the elimination


@dataclass(frozen=True)
class Choice:
    """Columns and rows that a space keeps, and those that it eliminates."""

    name: str
    kept: tuple[int, ...]  # numbers of the kept columns, preferred ones first
    eliminated: tuple[int, ...]  # numbers of the eliminated columns, in the order of elimination
    pivot_rows: tuple[int, ...]  # rows by which the columns are eliminated, in the same order
    rest: tuple[int, ...]  # rows that are kept as constraints
    is_exact: bool  # whether only the pivot rows may eliminate columns (all others are constraints)


def task_columns(model: Model, body: str) -> list[int]:
    """Columns of the body whose motion is the task.

    Raises:
        ScenarioError: there is no such body, or it hangs on another one.
    """
    if body not in model.names.bodies:
        known = ", ".join(model.names.bodies)
        raise ScenarioError([Problem(f"there is no body named {body!r}: no task space", remedy=f"bodies: {known}")])
    node = model.tables.nodes[model.names.bodies[body]]
    return list(range(int(node.column), int(node.column + node.column_count)))


def check_space(space: str) -> None:
    """Refuse an unknown name of a space."""
    if space not in SPACES:
        raise ScenarioError([Problem("is not a space", source=space, remedy=f"known: {', '.join(SPACES)}")])


def choose_columns(model: Model, data: Data, space: str, body: str = "platform") -> Choice:
    """The columns and rows of a space at a placed state.

    Raises:
        ScenarioError: the space needs actuators or a platform that the machine does not have.
    """
    check_space(space)
    J = np.zeros((model.row_count, model.column_count))
    closure_jacobian(model.tables, data, J)
    every = list(range(model.column_count))
    rotations = model.tables.columns["is_rotation"]
    actuated = [c for c in every if model.tables.columns["is_actuated"][c]]
    if space == "extended":
        return choice_of(space, J, [], every)
    task = task_columns(model, body)
    if space == "configuration":
        return choice_of(space, J, [task], [c for c in every if c not in task])
    # eliminate the task's turns before its translations, after all other columns: a machine with fewer freedoms keeps
    # these
    if space.endswith("task"):
        turns = [c for c in task if rotations[c]]
        slides = [c for c in task if not rotations[c]]
        return choice_of(space, J, [[c for c in every if c not in task], turns, slides], task)
    if not actuated:
        message = "no joint is actuated: there is no actuator space"
        raise ScenarioError([Problem(message, remedy="mark the driven joints with actuated: true")])
    # the order of the groups decides what is eliminated; actuators come last and are kept if possible
    passive = [c for c in every if c not in task and c not in actuated]
    first = [task, passive] if space == "actuator" else [passive, task]
    choice = choice_of(space, J, [*first, actuated], actuated)
    free = [model.names.columns[c] for c in task if c in choice.kept]
    if free:
        message = f"the actuators do not determine the platform: free to move along {', '.join(free)}"
        remedy = "the geometry is singular here, or too few joints are actuated"
        raise ScenarioError([Problem(message, remedy=remedy)])
    return choice


def has_task(model: Model, body: str = "platform") -> bool:
    """Whether the machine has closed loops, a body whose motion is the task, and actuated joints."""
    is_driven = bool(np.any(model.tables.columns["is_actuated"]))
    return is_driven and model.row_count > 0 and body in model.names.bodies


def choice_of(space: str, J: np.ndarray, groups: list[list[int]], preferred: list[int]) -> Choice:
    """Eliminate group by group; a space with constraints stops after its first group."""
    A, free = J.copy(), list(range(len(J)))
    size = np.abs(J).max(initial=0.0)
    columns: list[int] = []
    rows: list[int] = []
    for group in groups:
        left = list(group)
        while left and free:
            # complete pivoting inside a group: the choice must stay regular away from this position
            part = np.abs(A[np.ix_(free, left)])
            i, j = np.unravel_index(np.argmax(part), part.shape)
            if part[i, j] <= SMALLEST * size:
                break
            row, column = free.pop(int(i)), left.pop(int(j))
            A -= np.outer(np.where(np.arange(len(A)) == row, 0.0, A[:, column]) / A[row, column], A[row])
            rows.append(row)
            columns.append(column)
    # internal motions, which no row determines, are kept as well, after the preferred coordinates
    kept = [c for c in preferred if c not in columns]
    kept += [c for c in range(J.shape[1]) if c not in columns and c not in kept]
    is_exact = space in ("extended", "configuration")
    rest = _independent(A, free, size) if is_exact else []
    return Choice(space, tuple(kept), tuple(columns), tuple(rows), tuple(rest), is_exact)


def _independent(A: np.ndarray, free: list[int], size: float) -> list[int]:
    """Linearly independent rows of the remaining J."""
    A, found = A.copy(), []
    for _ in range(len(free)):
        rows = [i for i in free if i not in found]
        part = np.abs(A[rows])
        i, j = np.unravel_index(np.argmax(part), part.shape)
        if part[i, j] <= SMALLEST * size:
            break
        row = rows[int(i)]
        found.append(row)
        others = [k for k in rows if k != row]
        A[others] -= np.outer(A[others, j] / A[row, j], A[row])
    return sorted(found)


def pattern(model: Model) -> np.ndarray:
    """Which columns a closure row may touch [row, column]."""
    tables = model.tables
    touched = np.zeros((model.row_count, model.column_count), bool)
    for end in tables.ends:
        closure = tables.closures[int(end.closure)]
        i = int(end.node)
        while i > 0:
            node = tables.nodes[i]
            touched[closure.row : closure.row + closure.row_count, node.column : node.column + node.column_count] = True
            i = int(node.parent)
    return touched


def new_elimination(model: Model, choice: Choice) -> Elimination:
    """The workspace of an elimination, in blocks that have no column in common."""
    touched = pattern(model)
    rows: list[int] = []
    columns: list[int] = []
    blocks = []
    for block_rows, block_columns in _blocks(touched, choice):
        kept = [c for c in choice.kept if touched[block_rows, c].any()]
        blocks.append((len(rows), len(rows) + len(block_rows), len(columns), len(columns) + len(block_columns),
                       len(columns) + len(block_columns) + len(kept)))  # fmt: skip
        rows += block_rows
        columns += [*block_columns, *kept]
    n, k = model.column_count, len(choice.kept)
    place = np.full(n, -1)
    place[list(choice.kept)] = np.arange(k)
    followers = [not choice.is_exact or row in choice.pivot_rows for row in rows]
    Gamma = np.zeros((n, k))
    Gamma[list(choice.kept), np.arange(k)] = 1.0
    return Elimination(
        blocks=np.array(blocks, np.int64).reshape(-1, 5),
        rows=np.array(rows, np.int64),
        followers=np.array(followers, np.int64),
        columns=np.array(columns, np.int64),
        kept=np.array(choice.kept, np.int64),
        place=place,
        order=np.zeros(len(rows), np.int64),
        J=np.zeros((model.row_count, n)),
        inverse_pivots=np.zeros(n),
        pivot_rows=np.full(n, -1),
        Gamma=Gamma,
        b=np.zeros(model.row_count),
        x=np.zeros(n),
    )


def _blocks(touched: np.ndarray, choice: Choice) -> list[tuple[list[int], list[int]]]:
    """Connected groups of rows and eliminated columns, which share entries of J."""
    left, found = list(choice.eliminated), []
    while left:
        columns, rows = {left[0]}, set()
        while True:
            more = {int(r) for c in columns for r in np.flatnonzero(touched[:, c])} - rows
            rows |= more
            joined = {c for c in left if touched[sorted(rows), c].any()} | columns
            if joined == columns and not more:
                break
            columns = joined
        found.append((sorted(rows), [c for c in choice.eliminated if c in columns]))
        left = [c for c in left if c not in columns]
    return found


def size_of(data: Data) -> np.ndarray:
    """Size of the machine, for tolerances."""
    return np.array([max(machine_size(data), 1e-3)])
