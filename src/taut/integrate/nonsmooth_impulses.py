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
    GAP,
    GAP_RATE,
    STRUCK,
    rebound,
)
from taut.integrate.radau_stages import displacement_rates
from taut.integrate.step_dense import hermite_terms, place_unknowns, powers
from taut.integrate.step_work import BEGIN, FINAL
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
    place_unknowns(model, work, BEGIN, at, work.clock[0].time)
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
    work.count[0].is_started = 1


@block
def choose_active(model, work, h):
    """Rows that overlap at the predictor; with stabilisation also those that are closed."""
    clock, X, sides, U = work.clock[0], work.X, work.sides, work.U
    if len(work.rows) == 0:
        return
    if not work.count[0].is_theta:
        f = 1.0 / (1.0 - clock.alpha_m)
        for c in range(X.shape[1]):
            X[A, c] = f * (clock.alpha_f * work.K[0, X.shape[1] + c] - clock.alpha_m * X[A_BEGIN, c])
            X[JUMP, c] = 0.0
        place_impulses(model, work, h)
        place_closures(model, work.stage)
    for a in range(len(work.rows)):
        gap = U[GAP, a] + LOOK * h * U[GAP_RATE, a]
        if not work.count[0].is_theta:
            gap = work.stage.rows[work.rows[a]].value
        sides[ACTIVE, a] = 1 if gap <= 0.0 or (work.count[0].is_closed and sides[CLOSED, a]) else 0


@part
def carried_on(work, h):
    """Weights of the last three steps at the start of an iteration: as many as are alike go on along a parabola."""
    last, steady = work.clock[0].last_step, work.count[0].steady
    if steady <= 0 or not abs(h - last) < SAME_STEP * h:
        return 1.0, 0.0, 0.0
    if steady == 1:
        return 2.0, -1.0, 0.0
    return 3.0, -3.0, 1.0


@block
def guess_impulses(work, h):
    """Start of the iteration: the last steps carried on; open rows have no impulse."""
    X, Y, last = work.X, work.Y, work.clock[0].last_step
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
    return clock.rate > SLOW_RATE or (clock.first_rate > 0.0 and clock.rate > AGED * clock.first_rate)


@block
def take_impulses(model, work, h):
    """The step; returns iterations, or 0, and if the matrix was fresh."""
    clock, count = work.clock[0], work.count[0]
    is_fresh = False
    scheme = (clock.alpha_m, clock.alpha_f, clock.gamma, 0.0)
    if not count.is_started:
        start_impulses(model, work)
    choose_active(model, work, h)
    guess_impulses(work, h)
    if not abs(clock.factor_step - h) < SAME_STEP * h or is_aged(clock):
        refresh_impulses(model, work, h)
        is_fresh = True
    iterations = converge_impulses(model, work, h, scheme, clock.goal, count.most_iterations)
    if clock.first_rate < 0.0 and clock.rate > 0.0:
        clock.first_rate = clock.rate
    if iterations == 0 and is_fresh:
        guess_impulses(work, h)
        iterations = converge_impulses_fully(model, work, h, scheme, clock.goal)
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
    work.count[0].steady = work.count[0].steady + 1 if is_steady else 0
    work.count[0].was_rough = work.count[0].is_rough


@block
def evaluate_end(model, work, h):
    """The equations at the end of the step, with its mean accelerations and multipliers."""
    stage, X, Y, n = work.stage, work.X, work.Y, work.X.shape[1]
    place_impulses(model, work, h)
    mean_motion(work, work.K[LATER, n : 2 * n], h)
    copy(Y[G], stage.lam)
    residual(model, stage, X[TOTAL], Y[G], X[B])
    work.count[0].evaluated += 1


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
    stage, count, K, y, X, Y, F = work.stage, work.count[0], work.K, work.y, work.X, work.Y, work.F
    first = K.shape[1] - 2
    if count.is_rough or count.was_rough:
        place_unknowns(model, work, BEGIN, stage, work.clock[0].time)
        copy(Y[G], stage.lam)
        residual(model, stage, X[TOTAL], Y[G], X[B])
        count.evaluated += 1
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
    if not work.count[0].is_closed:
        for _ in range(MOST_POLISHING):
            if not held_rate(work) > HELD * work.clock[0].goal / h:
                break
            impulse_iteration(model, work, h, (0.0, 0.0, 0.0, 0.0))
            evaluate_end(model, work, h)
    powers(model, stage, K[LATER, K.shape[1] - 2 :])
    copy(stage.z_rate, K[LATER, 2 * n : 2 * n + len(stage.z)])
    displacement_rates(model, y[FINAL, :n], stage.v, K[LATER, :n])
    for c in range(n):
        K[0, c] = y[BEGIN, n + c]
    work.count[0].has_jump = 0
    is_rough = work.count[0].is_first != 0 or not abs(h - work.clock[0].last_step) < SAME_STEP * h
    lost = 0.0
    for a in range(len(work.rows)):
        impulse, rate, before = Y[L, work.rows[a]], stage.rows[work.rows[a]].rate, min(U[GAP_RATE, a], 0.0)
        is_active = work.sides[ACTIVE, a]
        U[STRUCK, a] = is_active and before < -STILL and impulse > 0.0 and not work.sides[CLOSED, a]
        work.sides[CLOSED_END, a] = 1 if is_active and impulse > 0.0 and rate <= PARTING else 0
        if is_active:
            overlap = abs(min(impulse, rate + rebound(work, a) * before))
            work.clock[0].overlap = max(work.clock[0].overlap, overlap)
            lost -= 0.5 * impulse * (before + rate)
        is_rough = is_rough or work.sides[CLOSED_END, a] != work.sides[CLOSED, a]
        if U[STRUCK, a] != 0.0:
            work.count[0].has_jump += 1
    work.count[0].is_rough = 1 if is_rough or work.count[0].has_jump > 0 else 0
    impulse_work(model, work, h)
    work.clock[0].step_loss = lost
    y[FINAL, K.shape[1] - 1] += lost
    hermite_terms(work, h, LATER)
    # velocities as a line: the smooth accelerations at both ends know nothing of the reactions between them
    for c in range(n, 2 * n):
        work.F[1, c] = 0.0
        work.F[2, c] = 0.0
