"""The time loop of the non-smooth methods between two restarts, all of it compiled.

Steps are fixed; only one whose Newton iteration fails is halved. One-sided rows and laws that go slack are not waited
for: they change side inside a step, and the change is written down. Contacts by springs, the user's events and failures
are located, as by every method. At the end of a step the positions of bilateral rows and of closed one-sided rows are
closed, unless the velocity level alone is asked for.
"""

from taut.dynamics.energy import dissipated_power
from taut.dynamics.residual import place_closures
from taut.integrate.alpha_advance import end_rates
from taut.integrate.alpha_step import (
    A_BEGIN,
    BEFORE,
    CHANGE,
    LAM,
    LAM_SLOPE,
    LATER,
    MU,
    OFFSET,
    SLOPE,
    A,
    L,
)
from taut.integrate.closing import CLOSED as CLOSED_POSITION
from taut.integrate.event_search import NO_EVENT, TOO_LONG, event_search
from taut.integrate.nonsmooth_energy import begin_energies, grid_step, grow_step, is_gain_allowed, keep_energies, refuse
from taut.integrate.nonsmooth_forces import take_forces
from taut.integrate.nonsmooth_impacts import STILL, TOUCHING, take_impacts
from taut.integrate.nonsmooth_impulses import end_impulses, keep_impulses, take_impulses
from taut.integrate.nonsmooth_kinks import cut_place, hold_sides, is_kink, read_kinks
from taut.integrate.nonsmooth_rows import close_rates, close_rows
from taut.integrate.nonsmooth_samples import AT_END, CLOSED_SPEED, take_sample
from taut.integrate.nonsmooth_work import (
    CLOSED,
    CLOSED_END,
    GAP,
    GAP_END,
    GAP_RATE,
    GAP_RATE_END,
    HIT_BEFORE,
    HIT_BEHIND,
    HIT_IMPULSE,
    PLACE,
    SETTLING,
    SINCE,
    STRUCK,
)
from taut.integrate.status import MORE, NOT_FINITE, REFUSED, UNSOLVED_PROBLEM
from taut.integrate.step_dense import (
    close_step,
    dense_unknowns,
    place_unknowns,
)
from taut.integrate.step_events import end_value, stepping_to_event
from taut.integrate.step_work import BEGIN, FINAL, NOW
from taut.integrate.time_loop import sampling, step_trial, time_loop
from taut.kernels.arrays import copy
from taut.kernels.jit import block, entry, part
from taut.model.enums import EventKind

UNILATERAL = int(EventKind.UNILATERAL)
FRICTION, FADING = int(EventKind.FRICTION), int(EventKind.FADING)
LEAST_SHARE = 1e-4  # of the step: a shorter one does not help


@entry
def begin_rows(model, work, is_start):
    """Gaps at the begin of a segment; at the start also which rows are closed, and the sides of slack springs."""
    at, U = work.at, work.U
    place_unknowns(model, work, BEGIN, at, work.clock[0].time)
    place_closures(model, at)
    for a in range(len(work.rows)):
        here = at.rows[work.rows[a]]
        U[GAP, a], U[GAP_RATE, a] = here.value, here.rate
        if is_start:
            U[SINCE, a] = SETTLING
            work.sides[CLOSED, a] = 1 if here.value <= 100.0 * TOUCHING and abs(here.rate) <= STILL else 0
    read_kinks(model, at, work.kinks[0])
    begin_energies(model, at, work, is_start)


@block
def solve_step(model, work, h):
    """Solve the step and evaluate its end; returns False if it cannot be taken."""
    clock, count = work.clock[0], work.count[0]
    if count.has_forces:
        iterations, is_fresh = take_forces(model, work, h)
    else:
        iterations, is_fresh = take_impulses(model, work, h)
    count.step_iterations = iterations
    is_taken = iterations > 0
    if is_taken and count.has_forces:
        end_rates(model, work, h)
        is_taken = take_impacts(model, work, h)
        if count.has_jump:
            linear_terms(work)
    elif is_taken:
        end_impulses(model, work, h)
    if is_taken:
        clock.error = 0.0
        return True
    clock.factor_step = 0.0
    count.is_started = 0
    # with an old matrix the same step may still converge: that is tried first, and is no failure
    if is_fresh:
        refuse(work, h)
        count.hold = 0
        count.newton_failed += 1
    return False


@part
def linear_terms(work):
    """A step with a jump inside is shown as a line."""
    y, F = work.y, work.F
    for c in range(y.shape[1]):
        F[0, c] = y[FINAL, c] - y[BEGIN, c]
        F[1, c] = 0.0
        F[2, c] = 0.0


@part
def is_awaited(kind):
    """Whether an event of that kind is located: not one of a law that goes slack, of friction, of a one-sided row."""
    return not is_kink(kind) and kind not in (UNILATERAL, FRICTION, FADING)


@block
def place_inside(model, work, h, s):
    """The machine at the fraction s of the step; not closed."""
    dense_unknowns(work, s)
    place_unknowns(model, work, NOW, work.stage, work.clock[0].time + s * h)
    place_closures(model, work.stage)


first_event = event_search(place_inside, is_awaited)


@block
def first_awaited(model, work, h):
    """``first_event``, if any event is waited for."""
    for j in range(len(model.events)):
        if is_awaited(model.events[j].kind):
            return first_event(model, work, h)
    return 2.0, NO_EVENT, 0.0, 0.0, 0.0


@block
def cut_step(model, work, h):
    """Take a step that was solved as it is, or anew up to the kink of a law in it, with the rest to follow."""
    count = work.count[0]
    s = cut_place(model, work, h) if len(model.events) > 0 else 1.0
    count.is_cut = 0
    if s == 1.0:
        return h
    if not solve_step(model, work, s * h):
        return 0.0
    count.is_cut = 1
    return s * h


@block
def solve_again(model, work, h):
    """Solve a step that is to end at an event; once more with its own matrix, as that may be of another step."""
    return solve_step(model, work, h) or solve_step(model, work, h)


step_to_event = stepping_to_event(solve_again, end_value)


@block
def take_step(model, work, samples, h):
    """Take a step; one with an event in it is taken anew until it ends there.

    Returns its size, 0 if it cannot be taken, -1 if the event is at its begin.
    """
    if not solve_step(model, work, h):
        return 0.0
    s, event, slope, low, high = first_awaited(model, work, h)
    if event == NO_EVENT:
        return cut_step(model, work, h)
    if event == TOO_LONG:
        refuse(work, h)
        return 0.0
    work.count[0].event = event
    return step_to_event(model, work, s * h, slope, low * h, high * h)


@block
def close_end(model, work, h):
    """The end of the step, closed, and its gaps."""
    stage, U, n = work.stage, work.U, work.X.shape[1]
    place_unknowns(model, work, FINAL, stage, work.clock[0].time + h)
    if work.count[0].is_closed and len(stage.rows) > 0:
        close_rows(model, work, stage, work.sides[CLOSED_END], CLOSED_POSITION, work.X[CHANGE], work.Y[MU])
        close_rates(model, work, stage, work.sides[CLOSED_END], CLOSED_SPEED, work.X[CHANGE], work.Y[MU])
    elif len(work.rows) > 0:
        place_closures(model, stage)
    copy(stage.q, work.q[FINAL])
    copy(stage.v, work.y[FINAL, n : 2 * n])
    for a in range(len(work.rows)):
        here = stage.rows[work.rows[a]]
        U[GAP_END, a], U[GAP_RATE_END, a] = here.value, here.rate
        if work.count[0].has_forces and work.sides[CLOSED_END, a]:
            force = work.Y[L, work.rows[a]]
            work.clock[0].overlap = max(work.clock[0].overlap, abs(min(h * force, here.rate)))


@block
def pass_kinks(model, work, h):
    """Write down which laws have gone slack or taut in the step; their dampers change side at its end."""
    kinks, K, is_any = work.kinks, work.K, False
    read_kinks(model, work.stage, kinks[1])
    for j in range(len(model.events)):
        if (kinks[0, j] >= 0.0) != (kinks[1, j] >= 0.0):
            s = kinks[0, j] / (kinks[0, j] - kinks[1, j])
            write_down(work, work.clock[0].time + s * h, j, 1 if kinks[1, j] >= 0.0 else -1)
            is_any = True
    copy(kinks[1], kinks[0])
    if is_any:
        hold_sides(model, work)
        # the lost power jumps; its slope, by which the next step's work is found, does not
        last = K.shape[1] - 1
        jump = dissipated_power(model, work.stage) - K[LATER, last]
        K[0, last] += jump
        K[LATER, last] += jump


@part
def write_down(work, time, event, side):
    """One line in the list of what has passed, while there is room."""
    k = work.count[0].passed
    if k < len(work.passed):
        work.passed[k, 0], work.passed[k, 1], work.passed[k, 2] = time, event, side
        work.passed[k, 3], work.passed[k, 4], work.passed[k, 5] = 0.0, 0.0, 0.0
        work.count[0].passed += 1


@part
def write_hit(work, a):
    """Beside the line just written for a row that was struck: what the impact did. Not where it may not rebound."""
    k, U = work.count[0].passed - 1, work.U
    is_new = U[STRUCK, a] != 0.0 and U[SINCE, a] >= SETTLING
    if work.count[0].has_forces and is_new and work.passed[k, 1] == work.hold[a]:
        work.passed[k, 3], work.passed[k, 4] = U[HIT_BEFORE, a], U[HIT_BEHIND, a]
        work.passed[k, 5] = U[HIT_IMPULSE, a]


@block
def finish_step(model, work, samples):
    """The end of the step becomes the begin of the next."""
    h, n, K, X, Y, U, sides = work.clock[0].done_step, work.X.shape[1], work.K, work.X, work.Y, work.U, work.sides
    count = work.count[0]
    is_steady = True
    for a in range(len(work.rows)):
        is_steady = is_steady and sides[CLOSED_END, a] == sides[CLOSED, a] and U[STRUCK, a] == 0.0
    if not count.has_forces:
        keep_impulses(work, X[A_BEGIN], is_steady)
    copy(K[0], K[BEFORE])
    copy(K[LATER], K[0])
    for c in range(n):
        X[SLOPE, c] = (X[A, c] - X[A_BEGIN, c]) / h
        X[OFFSET, c] = (X[A, c] - K[0, n + c]) / h
        X[A_BEGIN, c] = X[A, c]
    for j in range(Y.shape[1]):
        Y[LAM_SLOPE, j] = (Y[L, j] - Y[LAM, j]) / h
        Y[LAM, j] = Y[L, j]
    for a in range(len(work.rows)):
        U[GAP, a], U[GAP_RATE, a] = U[GAP_END, a], U[GAP_RATE_END, a]
        time = work.clock[0].time + (U[PLACE, a] if count.has_forces else 1.0) * h
        if sides[CLOSED_END, a] != sides[CLOSED, a]:
            write_down(work, time, work.hold[a], 1 if sides[CLOSED_END, a] else -1)
            write_hit(work, a)
            count.switched += 1
        elif U[STRUCK, a] != 0.0 and not sides[CLOSED, a]:
            write_down(work, time, work.hold[a], 0)
            write_hit(work, a)
        sides[CLOSED, a] = sides[CLOSED_END, a]
        U[SINCE, a] = 0.0 if U[STRUCK, a] != 0.0 else U[SINCE, a] + 1.0
    count.impacts += count.has_jump
    work.clock[0].impact_loss += work.clock[0].step_loss
    keep_energies(work)
    close_step(work, samples)
    grow_step(work, h)
    if (count.has_forces and (count.has_jump or count.is_cut)) or (count.is_theta and count.is_cut):
        # the forces, or their slopes, have changed
        count.is_started = 0
        count.is_first = 1


@block
def why_not(work, h):
    """A step so much shorter than asked for does not help: why the run ends, or that it is tried anew."""
    if h > LEAST_SHARE * work.clock[0].nominal:
        return REFUSED
    return UNSOLVED_PROBLEM if work.problem.count[2] > 0 else NOT_FINITE


@block
def settle_step(model, work, h):
    """Close the end of a step, and judge its energy."""
    close_end(model, work, h)
    if not is_gain_allowed(model, work, h):
        return REFUSED
    if len(model.events) > 0:
        pass_kinks(model, work, h)
    return MORE


try_step = step_trial(grid_step, take_step, refused=why_not, settle=settle_step)
loop = time_loop(try_step, sampling(take_sample, AT_END), finish_step)


@entry
def nonsmooth_advance(model, work, samples, most_steps):
    """Steps until the segment's end; returns a code of ``integrate.status``."""
    hold_sides(model, work)
    return loop(model, work, samples, most_steps)
