"""A step whose reactions are impulses: start, active rows, guess, solution, end. Its equations, and Newton's iteration
on them, are those of ``nonsmooth_impulse_newton``.

A row is active if it overlaps at the predictor v~'_1 = 0 (generalized-alpha), or half a step ahead (Moreau-Jean). That
is decided once, before the iteration, which starts from the last steps carried on.
"""

from taut.dynamics.residual import expand_newton, place_closures, reduce_newton, residual
from taut.integrate.alpha_advance import step_work
from taut.integrate.alpha_step import A_BEGIN, LATER, MU, SAME_STEP, SLOW_RATE, A, B, G, L
from taut.integrate.nonsmooth_impacts import JUMP, PARTING, STILL
from taut.integrate.nonsmooth_impulse_newton import (
    NOTHING,
    TOTAL,
    converge_impulses,
    converge_impulses_fully,
    impulse_iteration,
    mean_motion,
    place_impulses,
    refresh_impulses,
)
from taut.integrate.nonsmooth_rows import condense_mass
from taut.integrate.nonsmooth_work import (
    ACTIVE,
    CLOSED,
    CLOSED_END,
    FIRST_RATE,
    GAP,
    GAP_RATE,
    HAS_JUMP,
    IS_ROUGH,
    IS_THETA,
    OVERLAP,
    STEADY,
    STEP_LOSS,
    STRUCK,
    WAS_ROUGH,
    rebound,
)
from taut.integrate.radau_stages import displacement_rates
from taut.integrate.radau_work import EVALUATED, FACTOR_STEP, IS_FIRST, LAST_STEP, RATE, TIME
from taut.integrate.step_dense import hermite_terms, place_unknowns, powers
from taut.integrate.step_work import ALPHA_F, ALPHA_M, BEGIN, FINAL, GAMMA, GOAL, IS_CLOSED, IS_STARTED, MOST_ITERATIONS
from taut.kernels.arrays import copy, fill
from taut.kernels.jit import block, part

JUMPS = (8, 9, 10)  # rows of X: jumps of the last three steps, the last one first
A_BEFORE, A_EARLIER = 11, 12  # rows of X: accelerations at the begin of the last step, and of the one before
IMPULSES = (7, 8, 9)  # rows of Y: impulses of the last three steps, the last one first
AGED = 2.0  # a rate of convergence so much worse than with a new matrix
HELD = 1e-2  # of the velocities' error that Newton's iteration may leave: rates of the rows, which it makes vanish
MOST_POLISHING = 2
LOOK = 0.5  # of the step: how far ahead Moreau-Jean looks for an overlap


@block
def start_impulses(model, work):
    """Accelerations that know no reaction, at the begin of the step: v~'_0 and a_0."""
    at, X, n = work.at, work.X, work.X.shape[1]
    place_unknowns(model, work, BEGIN, at, work.clock[TIME])
    fill(X[A], 0.0)
    residual(model, at, X[A], work.Y[NOTHING], X[B])
    for c in range(n):
        X[B, c] = -X[B, c]
    condense_mass(model, at, work)
    reduce_newton(model, at, work.mass, X[B], work.Y[MU])
    fill(work.Y[MU], 0.0)
    expand_newton(model, at, work.mass, work.Y[MU], X[A])
    for c in range(n):
        work.K[0, n + c] = X[A, c]
        X[A_BEGIN, c] = X[A, c]
    work.count[IS_STARTED] = 1


@block
def choose_active(model, work, h):
    """Rows that overlap at the predictor; with stabilisation also those that are closed."""
    clock, X, sides, U = work.clock, work.X, work.sides, work.U
    if len(work.rows) == 0:
        return
    if not work.count[IS_THETA]:
        f = 1.0 / (1.0 - clock[ALPHA_M])
        for c in range(X.shape[1]):
            X[A, c] = f * (clock[ALPHA_F] * work.K[0, X.shape[1] + c] - clock[ALPHA_M] * X[A_BEGIN, c])
            X[JUMP, c] = 0.0
        place_impulses(model, work, h)
        place_closures(model, work.stage)
    for a in range(len(work.rows)):
        gap = U[GAP, a] + LOOK * h * U[GAP_RATE, a]
        if not work.count[IS_THETA]:
            gap = work.stage.rows[work.rows[a]].value
        sides[ACTIVE, a] = 1 if gap <= 0.0 or (work.count[IS_CLOSED] and sides[CLOSED, a]) else 0


@part
def carried_on(work, h):
    """Weights of the last three steps at the start of an iteration: as many as are alike go on along a parabola."""
    last, steady = work.clock[LAST_STEP], work.count[STEADY]
    if steady <= 0 or not abs(h - last) < SAME_STEP * h:
        return 1.0, 0.0, 0.0
    if steady == 1:
        return 2.0, -1.0, 0.0
    return 3.0, -3.0, 1.0


@block
def guess_impulses(work, h):
    """Start of the iteration: the last steps carried on; open rows have no impulse."""
    X, Y, last = work.X, work.Y, work.clock[LAST_STEP]
    p, q, r = carried_on(work, h)
    f = h / last if last > 0.0 else 1.0
    for c in range(X.shape[1]):
        X[A, c] = p * X[A_BEGIN, c] + q * X[A_BEFORE, c] + r * X[A_EARLIER, c]
        X[JUMP, c] = f * (p * X[JUMPS[0], c] + q * X[JUMPS[1], c] + r * X[JUMPS[2], c])
    for j in range(Y.shape[1]):
        Y[L, j] = f * (p * Y[IMPULSES[0], j] + q * Y[IMPULSES[1], j] + r * Y[IMPULSES[2], j])
    for a in range(len(work.rows)):
        row = work.rows[a]
        Y[L, row] = max(Y[L, row], 0.0) if work.sides[ACTIVE, a] else 0.0


@part
def is_aged(clock):
    """Whether a new Newton matrix saves iterations: this one is slow, or much slower than it was."""
    return clock[RATE] > SLOW_RATE or (clock[FIRST_RATE] > 0.0 and clock[RATE] > AGED * clock[FIRST_RATE])


@block
def take_impulses(model, work, h):
    """The step; returns iterations, or 0, and if the matrix was fresh."""
    clock, count = work.clock, work.count
    is_fresh = False
    scheme = (clock[ALPHA_M], clock[ALPHA_F], clock[GAMMA], 0.0)
    if not count[IS_STARTED]:
        start_impulses(model, work)
    choose_active(model, work, h)
    guess_impulses(work, h)
    if not abs(clock[FACTOR_STEP] - h) < SAME_STEP * h or is_aged(clock):
        refresh_impulses(model, work, h)
        is_fresh = True
    iterations = converge_impulses(model, work, h, scheme, clock[GOAL], count[MOST_ITERATIONS])
    if clock[FIRST_RATE] < 0.0 and clock[RATE] > 0.0:
        clock[FIRST_RATE] = clock[RATE]
    if iterations == 0 and is_fresh:
        guess_impulses(work, h)
        iterations = converge_impulses_fully(model, work, h, scheme, clock[GOAL])
    return iterations, is_fresh


@part
def keep_impulses(work, a_begin, is_steady):
    """After a step: its jump and impulses, from which the next one starts, if no row has closed or opened."""
    X, Y = work.X, work.Y
    copy(X[A_BEFORE], X[A_EARLIER])
    copy(a_begin, X[A_BEFORE])
    copy(X[JUMPS[1]], X[JUMPS[2]])
    copy(X[JUMPS[0]], X[JUMPS[1]])
    copy(X[JUMP], X[JUMPS[0]])
    copy(Y[IMPULSES[1]], Y[IMPULSES[2]])
    copy(Y[IMPULSES[0]], Y[IMPULSES[1]])
    copy(Y[L], Y[IMPULSES[0]])
    work.count[STEADY] = work.count[STEADY] + 1 if is_steady else 0
    work.count[WAS_ROUGH] = work.count[IS_ROUGH]


@block
def evaluate_end(model, work, h):
    """The equations at the end of the step, with its mean accelerations and multipliers."""
    stage, X, Y, n = work.stage, work.X, work.Y, work.X.shape[1]
    place_impulses(model, work, h)
    mean_motion(work, work.K[LATER, n : 2 * n], h)
    copy(Y[G], stage.lam)
    residual(model, stage, X[TOTAL], Y[G], X[B])
    work.count[EVALUATED] += 1


@part
def held_rate(work):
    """Largest rate of a row that the step should hold."""
    worst = 0.0
    for j in range(len(work.place)):
        a = work.place[j]
        if a < 0 or (work.sides[ACTIVE, a] and work.restitution[a] == 0.0 and work.Y[L, j] > 0.0):
            worst = max(worst, abs(work.stage.rows[j].rate))
    return worst


@block
def impulse_work(model, work, h):
    """Works of the step from the powers at its ends; moves the stage.

    A reaction is a mean over its step. Where it changes much, its power at the begin is that of this step's reaction,
    not of the last one's: the sum over unequal steps would not hold.
    """
    stage, count, K, y, X, Y, F = work.stage, work.count, work.K, work.y, work.X, work.Y, work.F
    first = K.shape[1] - 2
    if count[IS_ROUGH] or count[WAS_ROUGH]:
        place_unknowns(model, work, BEGIN, stage, work.clock[TIME])
        copy(Y[G], stage.lam)
        residual(model, stage, X[TOTAL], Y[G], X[B])
        count[EVALUATED] += 1
        powers(model, stage, F[0, first:])
        for j in range(first, K.shape[1]):
            y[FINAL, j] = 0.5 * h * (F[0, j] + K[LATER, j])
    else:
        for j in range(first, K.shape[1]):
            y[FINAL, j] = step_work(work, j, h)


@block
def end_impulses(model, work, h):
    """Rates at the end of the step, its work and polynomial; marks the rows that are closed.

    Where nothing closes the rows afterwards, one correction more may be needed: they have turned since the matrix was
    made.
    """
    stage, K, y, Y, U, n = work.stage, work.K, work.y, work.Y, work.U, work.X.shape[1]
    evaluate_end(model, work, h)
    if not work.count[IS_CLOSED]:
        for _ in range(MOST_POLISHING):
            if not held_rate(work) > HELD * work.clock[GOAL] / h:
                break
            impulse_iteration(model, work, h, (0.0, 0.0, 0.0, 0.0))
            evaluate_end(model, work, h)
    powers(model, stage, K[LATER, K.shape[1] - 2 :])
    copy(stage.z_rate, K[LATER, 2 * n : 2 * n + len(stage.z)])
    displacement_rates(model, y[FINAL, :n], stage.v, K[LATER, :n])
    for c in range(n):
        K[0, c] = y[BEGIN, n + c]
    work.count[HAS_JUMP] = 0
    is_rough = work.count[IS_FIRST] != 0 or not abs(h - work.clock[LAST_STEP]) < SAME_STEP * h
    lost = 0.0
    for a in range(len(work.rows)):
        impulse, rate, before = Y[L, work.rows[a]], stage.rows[work.rows[a]].rate, min(U[GAP_RATE, a], 0.0)
        is_active = work.sides[ACTIVE, a]
        U[STRUCK, a] = is_active and before < -STILL and impulse > 0.0 and not work.sides[CLOSED, a]
        work.sides[CLOSED_END, a] = 1 if is_active and impulse > 0.0 and rate <= PARTING else 0
        if is_active:
            overlap = abs(min(impulse, rate + rebound(work, a) * before))
            work.clock[OVERLAP] = max(work.clock[OVERLAP], overlap)
            lost -= 0.5 * impulse * (before + rate)
        is_rough = is_rough or work.sides[CLOSED_END, a] != work.sides[CLOSED, a]
        if U[STRUCK, a] != 0.0:
            work.count[HAS_JUMP] += 1
    work.count[IS_ROUGH] = 1 if is_rough or work.count[HAS_JUMP] > 0 else 0
    impulse_work(model, work, h)
    work.clock[STEP_LOSS] = lost
    y[FINAL, K.shape[1] - 1] += lost
    hermite_terms(work, h, LATER)
    # velocities as a line: the smooth accelerations at both ends know nothing of the reactions between them
    for c in range(n, 2 * n):
        work.F[1, c] = 0.0
        work.F[2, c] = 0.0
