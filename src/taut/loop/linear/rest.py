"""The linear model at rest, from the matrices of small motions and those of the signals.

With M, D, K, S, P, Q, J of ``analyses.modes``, Eq. (1), a signal's course w0, w1, w2 and
    F_k = dR/dw_k,   g_w = dg/dw0,   p_w = df/dw0,   J G = -g_w                                             (1)
the motion in minimal coordinates y, columns of the machine that the closures leave free (J X = 0, X = 1 there),
    dq = X y + G w0,   dv = X y' + G w1,   da = X y'' + G w2                                               (2)
    X^T (M da + D dv + K dq + S z + F_0 w0 + F_1 w1 + F_2 w2 - e u_force) = 0,   z' = P dq + Q z + p_w w0   (3)
and the multipliers follow from the rest of Eq. (3). Outputs are differences along these motions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import block_diag, qr

from taut.analyses.modes import Linearised, balances, linearise
from taut.dynamics.residual import place
from taut.dynamics.statics import motion_residual
from taut.loop.linear.inputs import Input
from taut.model import Data, Model, data_beside, set_moment
from taut.model.commands import HALF, RATE, VALUE

# entries of a command's row and their values for unit w0, w1, w2 (value, rate, second rate)
ENTRIES = ((VALUE, 1.0), (RATE, 1.0), (HALF, 0.5))
DEPENDENT = 1e-9  # a closure row follows from others if its pivot in J is smaller than this share of the largest
MOVES = 1e-9  # a signal counts as a force if its rates have less effect than this share of that of its value
# steps of the differences, in the unit of the quantity that is changed
USUAL_STEPS = (1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5)
# steps for second rates and forces, in which the equations of motion are linear: the longer the step, the less matters
# the rounding of elastic forces, which the light elements of cables turn into large accelerations
LONG_STEPS = (1e6, 1e5, 1e4, 1e3, 100.0, 10.0, *USUAL_STEPS)
KEPT = 0.1  # weight of bodies' columns when the dependent ones are chosen: those of cables become dependent rather


@dataclass(frozen=True)
class Motions:
    """Directions of the full machine, one column for every state and every input."""

    q: np.ndarray  # displacements of all columns [column, direction]
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    z: np.ndarray
    w: np.ndarray  # value, rate and second rate of the inputs' signals [input, 3, direction]


def free_columns(model: Model, J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns that the closures leave free, and the motions X of all by them."""
    n = model.column_count
    if not len(J):
        return np.arange(n), np.eye(n)
    owners = [name.split(".")[0] for name in model.names.columns]
    weight = np.where([name in model.names.bodies for name in owners], KEPT, 1.0)
    found: Any = qr(J * weight, pivoting=True, mode="economic")
    _, R, order = found
    diagonal = np.abs(np.diag(R))
    rank = int((diagonal > DEPENDENT * diagonal.max(initial=0.0)).sum())
    dependent, free = np.sort(order[:rank]), np.sort(order[rank:])
    X = np.zeros((n, len(free)))
    X[free, range(len(free))] = 1.0
    X[dependent] = -np.linalg.lstsq(J[:, dependent], J[:, free], rcond=None)[0]
    return free, X


def signal_slopes(model: Model, data: Data, chosen: Input) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """F [3, column], g_w [row] and p_w [state] of Eq. (1), and whether the signal moves something."""
    if chosen.row < 0:
        F = np.zeros((3, model.column_count))
        F[0, chosen.column] = -1.0
        return F, np.zeros(model.row_count), np.zeros(model.state_count), False
    work = data_beside(model, data)._replace(commands=data.commands.copy())
    set_moment(work, data)
    work.still[0] = 0.0
    work.q[:], work.z[:], work.lam[:] = data.q, data.z, data.lam
    zero, before = np.zeros(model.column_count), work.commands[chosen.row].copy()

    def look(entry: int, value: float) -> np.ndarray:
        work.commands[chosen.row] = before
        work.commands[chosen.row, entry] += value
        result = np.zeros(model.column_count)
        motion_residual(model.tables, work, zero, work.lam, result)
        place(model.tables, work)
        moving = [work.nodes["v"].ravel(), work.nodes["w"].ravel()]
        return np.concatenate([result, work.rows["value"], work.z_rate, *moving])

    steps = (USUAL_STEPS, USUAL_STEPS, LONG_STEPS)
    slopes = np.array([slope(lambda h, e=entry, s=scale: look(e, s * h), taken)
                       for (entry, scale), taken in zip(ENTRIES, steps, strict=True)])  # fmt: skip
    n, rows, states = model.column_count, model.row_count, model.state_count
    F, gaps, inner, rates = np.split(slopes, [n, n + rows, n + rows + states], axis=1)
    # a signal moves something if closures follow it, bodies are carried by it, or its rates cause forces
    moves = bool(gaps[0].any() or rates[1].any()) or np.abs(F[1:]).max(initial=0.0) > MOVES * np.abs(F[0]).max(
        initial=0.0
    )
    return F, gaps[0], inner[0], bool(moves)


def slope(function: Callable[[float], np.ndarray], steps: tuple[float, ...] = USUAL_STEPS) -> np.ndarray:
    """The slope at zero by central differences, extrapolated; of all steps the one with the smallest error."""
    best, least, last = np.zeros(0), np.inf, None
    for h in steps:
        found = (function(h) - function(-h)) / (2.0 * h)
        if last is not None:
            # Richardson extrapolation: errors in h^2, the step before was ten times longer
            better = found + (found - last) / 99.0
            error = float(np.abs(found - last).max(initial=0.0))
            if error < least and np.isfinite(error):
                best, least = better, error
            # the function is linear up to rounding: smaller steps are not better
            if error <= 1e-13 * np.abs(found).max(initial=0.0):
                return last
        last = found
    return best


@dataclass(frozen=True)
class Reduced:
    """Matrices of Eq. (3) in minimal coordinates."""

    linear: Linearised
    X: np.ndarray
    Y: np.ndarray
    G: np.ndarray  # displacements of the columns by unit signals [column, input]
    F: np.ndarray  # forces on the columns by value, rate and second rate of the signals [3, column, input]
    p: np.ndarray  # rates of internal states by the signals [state, input]


def reduce(model: Model, data: Data, inputs: list[Input]) -> tuple[np.ndarray, Reduced, list[Input]]:
    """Choose free columns, and find the matrices and the inputs as they can be used."""
    linear = linearise(model, data)
    free, X = free_columns(model, linear.J)
    dependent = np.setdiff1d(np.arange(model.column_count), free)
    F, g, p = [], [], []
    used = []
    for chosen in inputs:
        f, gap, rate, moves = signal_slopes(model, data, chosen)
        used.append(chosen.smooth_for(moves=moves))
        F.append(f)
        g.append(gap)
        p.append(rate)
    count, G = len(inputs), np.zeros((model.column_count, len(inputs)))
    if count and len(linear.J) and len(dependent):
        # rows at the end are those of columns held by friction, which no signal moves
        gaps = np.zeros((len(linear.J), count))
        gaps[: model.row_count] = np.array(g).T
        G[dependent] = -np.linalg.lstsq(linear.J[:, dependent], gaps, rcond=None)[0]
    F_all = np.array(F).transpose(1, 2, 0) if count else np.zeros((3, model.column_count, 0))
    p_all = np.array(p).T if count else np.zeros((model.state_count, 0))
    return free, Reduced(linear, X, balances(linear, X), G, F_all, p_all), used


def state_space(parts: Reduced, inputs: list[Input]) -> tuple[np.ndarray, np.ndarray, Motions]:
    """A, B of x = (y, y', z, states of actuators), and the motions of the full machine by Eq. (2)."""
    linear, X, Y = parts.linear, parts.X, parts.Y
    n, f = X.shape
    m, chains = len(linear.Q), [chosen.chain() for chosen in inputs]
    extra = sum(len(chain.B) for chain in chains)
    size, count = 2 * f + m + extra, len(inputs)
    # matrices on (x, u) that select y, y', z and the states of the actuators
    y, v, z, x_w = np.split(np.eye(size, size + count), [f, 2 * f, 2 * f + m])
    u = np.eye(size + count)[size:]
    C = np.asarray(block_diag(*[chain.C for chain in chains])).reshape(3 * count, extra)
    D = np.asarray(block_diag(*[chain.D[:, None] for chain in chains])).reshape(3 * count, count)
    w = (C @ x_w + D @ u).reshape(count, 3, size + count)
    q, rates = X @ y + parts.G @ w[:, 0], X @ v + parts.G @ w[:, 1]
    pushed = sum((parts.F[k] @ w[:, k] for k in range(3)), np.zeros((n, size + count)))
    # Eq. (3) without the unknown X y''
    known = linear.M @ parts.G @ w[:, 2] + linear.D @ rates + linear.K @ q + linear.S @ z + pushed
    second = -np.linalg.solve(Y.T @ linear.M @ X, Y.T @ known) if f else np.zeros((0, size + count))
    a = X @ second + parts.G @ w[:, 2]
    inner = linear.P @ q + linear.Q @ z + parts.p @ w[:, 0]
    A_w = np.asarray(block_diag(*[chain.A for chain in chains])).reshape(extra, extra)
    B_w = np.asarray(block_diag(*[chain.B[:, None] for chain in chains])).reshape(extra, count)
    rows = np.vstack([v, second, inner, A_w @ x_w + B_w @ u])
    known = known + linear.M @ X @ second
    lam = -np.linalg.lstsq(linear.L, known, rcond=None)[0] if linear.L.size else np.zeros((0, size + count))
    motions = Motions(q, rates, a, lam, z, w)
    return rows[:, :size], rows[:, size:], motions
