"""The time loop of the non-smooth methods between two restarts, all of it compiled.

Steps are fixed; one whose Newton iteration fails is halved. One-sided rows and laws that go slack are not located: they
change side inside a step, and the change is recorded. Contacts by springs, the user's events and failures are located,
as by every method. At the end of a step the positions of bilateral rows and of closed one-sided rows are
closed, unless the velocity level alone is asked for.
"""

from taut.dynamics.energy import dissipated_power
from taut.dynamics.residual import place_closures
from taut.integrate.alpha.advance import end_rates
from taut.integrate.events.impact_law import NEAR, SETTLING, STILL
from taut.integrate.events.search import NO_EVENT, TOO_LONG, event_search
from taut.integrate.nonsmooth.energy import begin_energies, grid_step, grow_step, is_gain_allowed, keep_energies, refuse
from taut.integrate.nonsmooth.forces import take_forces
from taut.integrate.nonsmooth.impacts import take_impacts
from taut.integrate.nonsmooth.impulses import end_impulses, keep_impulses, take_impulses
from taut.integrate.nonsmooth.kinks import cut_place, hold_sides, is_kink, read_kinks
from taut.integrate.nonsmooth.rows import close_rates, close_rows
from taut.integrate.nonsmooth.samples import AT_END, CLOSED_SPEED, take_sample
from taut.integrate.status import MORE, NOT_FINITE, REFUSED, UNSOLVED_PROBLEM
from taut.integrate.step.closing import CLOSED
from taut.integrate.step.dense import close_step, dense_unknowns, place_unknowns
from taut.integrate.step.time_loop import sampling, step_trial, time_loop
from taut.integrate.step.to_event import end_value, stepping_to_event
from taut.kernels.arrays import copy
from taut.kernels.jit import block, entry, part
from taut.model.enums import EventKind

UNILATERAL = int(EventKind.UNILATERAL)
FRICTION, FADING = int(EventKind.FRICTION), int(EventKind.FADING)
LEAST_SHARE = 1e-4  # shortest step relative to the fixed one: below it the run ends


@entry
def begin_rows(model, work, is_start):
    """Gaps at the start of a segment; at the start also which rows are closed, and the sides of slack springs."""
    gap_rate_begin, since_struck, gap_begin = work.gap_rate_begin, work.since_struck, work.gap_begin
    at = work.at
    place_unknowns(model, work, work.y_begin, at, work.clock[0].time)
    place_closures(model, at)
    for a in range(len(work.rows)):
        here = at.rows[work.rows[a]]
        gap_begin[a], gap_rate_begin[a] = here.value, here.rate
        if is_start:
            since_struck[a] = SETTLING
            work.closed[a] = 1 if here.value <= NEAR and abs(here.rate) <= STILL else 0
    read_kinks(model, at, work.kinks_begin)
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
    # an old matrix may be the cause: the same step is tried with a fresh one before it is halved
    if is_fresh:
        refuse(work, h)
        count.hold = 0
        count.newton_failed += 1
    return False


@part
def linear_terms(work):
    """Linear dense output for a step with a jump inside."""
    y_begin, y_end = work.y_begin, work.y_end
    F = work.F
    for c in range(len(work.y_end)):
        F[0, c] = y_end[c] - y_begin[c]
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
    place_unknowns(model, work, work.y_now, work.stage, work.clock[0].time + s * h)
    place_closures(model, work.stage)


first_event = event_search(place_inside, is_awaited)


@block
def first_awaited(model, work, h):
    """Search as ``first_event`` does, if any event is waited for."""
    for j in range(len(model.events)):
        if is_awaited(model.events[j].kind):
            return first_event(model, work, h)
    return 2.0, NO_EVENT, 0.0, 0.0, 0.0


@block
def cut_step(model, work, h):
    """Accept a solved step, or solve it again up to the kink of a law inside it; the rest follows as another step."""
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
    """Solve a step that is to end at an event; a second time where that fails, as the matrix may be too old."""
    return solve_step(model, work, h) or solve_step(model, work, h)


step_to_event = stepping_to_event(solve_again, end_value)


@block
def take_step(model, work, samples, h):
    """Take a step; one with an event in it is repeated until it ends there.

    Returns its size, 0 if it cannot be taken, -1 if the event is at its start.
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
    gap_rate_end, gap_end = work.gap_rate_end, work.gap_end
    stage, n = work.stage, len(work.a_end)
    place_unknowns(model, work, work.y_end, stage, work.clock[0].time + h)
    # positions before velocities: closing the positions turns the rows whose rates must vanish
    if work.count[0].is_closed and len(stage.rows) > 0:
        close_rows(model, work, stage, work.closed_end, CLOSED, work.answer, work.mu)
        close_rates(model, work, stage, work.closed_end, CLOSED_SPEED, work.answer, work.mu)
    elif len(work.rows) > 0:
        place_closures(model, stage)
    copy(stage.q, work.q_end)
    copy(stage.v, work.y_end[n : 2 * n])
    for a in range(len(work.rows)):
        here = stage.rows[work.rows[a]]
        gap_end[a], gap_rate_end[a] = here.value, here.rate
        # audit of complementarity: force and separation rate may not both be positive
        if work.count[0].has_forces and work.closed_end[a]:
            force = work.lam_end[work.rows[a]]
            work.clock[0].overlap = max(work.clock[0].overlap, abs(min(h * force, here.rate)))


@block
def pass_kinks(model, work, h):
    """Record which laws have gone slack or taut in the step; their dampers change side at its end."""
    K_end, K_begin = work.K_end, work.K_begin
    begin, end, is_any = work.kinks_begin, work.kinks_end, False
    read_kinks(model, work.stage, end)
    for j in range(len(model.events)):
        if (begin[j] >= 0.0) != (end[j] >= 0.0):
            s = begin[j] / (begin[j] - end[j])
            write_down(work, work.clock[0].time + s * h, j, 1 if end[j] >= 0.0 else -1)
            is_any = True
    copy(end, begin)
    if is_any:
        hold_sides(model, work)
        # shift both powers by the jump, so that the next step's quadrature sees no slope across it
        last = len(work.K_end) - 1
        jump = dissipated_power(model, work.stage) - K_end[last]
        K_begin[last] += jump
        K_end[last] += jump


@part
def write_down(work, time, event, side):
    """Append a record to the list of changes, while there is room."""
    k = work.count[0].passed
    if k < len(work.passed):
        line = work.passed[k]
        line.time, line.event, line.side = time, event, side
        line.before, line.behind, line.impulse = 0.0, 0.0, 0.0
        work.count[0].passed += 1


@part
def write_hit(work, a):
    """Add rates and impulse of an impact to the record just written, unless the row may not rebound."""
    hit_impulse, hit_before, hit_behind = work.hit_impulse, work.hit_before, work.hit_behind
    was_struck, since_struck = work.was_struck, work.since_struck
    line = work.passed[work.count[0].passed - 1]
    is_new = was_struck[a] != 0.0 and since_struck[a] >= SETTLING
    if work.count[0].has_forces and is_new and line.event == work.hold[a]:
        line.before, line.behind, line.impulse = hit_before[a], hit_behind[a], hit_impulse[a]


@block
def finish_step(model, work, samples):
    """The end of the step becomes the start of the next."""
    a_begin, offset, a_slope, a_end = work.a_begin, work.offset, work.a_slope, work.a_end
    lam_slope, lam_begin, lam_end, gap_rate_end = work.lam_slope, work.lam_begin, work.lam_end, work.gap_rate_end
    gap_rate_begin, gap_end, was_struck = work.gap_rate_begin, work.gap_end, work.was_struck
    struck_at, since_struck, gap_begin = work.struck_at, work.since_struck, work.gap_begin
    closed_end, closed, K_before, K_end = work.closed_end, work.closed, work.K_before, work.K_end
    K_begin = work.K_begin
    h, n = work.clock[0].done_step, len(work.a_end)
    count = work.count[0]
    is_steady = True
    for a in range(len(work.rows)):
        is_steady = is_steady and closed_end[a] == closed[a] and was_struck[a] == 0.0
    if not count.has_forces:
        keep_impulses(work, a_begin, is_steady)
    copy(K_begin, K_before)
    copy(K_end, K_begin)
    for c in range(n):
        a_slope[c] = (a_end[c] - a_begin[c]) / h
        offset[c] = (a_end[c] - K_begin[n + c]) / h
        a_begin[c] = a_end[c]
    for j in range(len(work.lam_end)):
        lam_slope[j] = (lam_end[j] - lam_begin[j]) / h
        lam_begin[j] = lam_end[j]
    for a in range(len(work.rows)):
        gap_begin[a], gap_rate_begin[a] = gap_end[a], gap_rate_end[a]
        time = work.clock[0].time + (struck_at[a] if count.has_forces else 1.0) * h
        if closed_end[a] != closed[a]:
            write_down(work, time, work.hold[a], 1 if closed_end[a] else -1)
            write_hit(work, a)
            count.switched += 1
        elif was_struck[a] != 0.0 and not closed[a]:
            write_down(work, time, work.hold[a], 0)
            write_hit(work, a)
        closed[a] = closed_end[a]
        since_struck[a] = 0.0 if was_struck[a] != 0.0 else since_struck[a] + 1.0
    count.impacts += count.has_jump
    work.clock[0].impact_loss += work.clock[0].step_loss
    keep_energies(work)
    close_step(work, samples)
    grow_step(work, h)
    if (count.has_forces and (count.has_jump or count.is_cut)) or (count.is_theta and count.is_cut):
        # forces or their slopes have changed: restart the multistep formulas
        count.is_started = 0
        count.is_first = 1


@block
def why_not(work, h):
    """REFUSED to try a shorter step; below LEAST_SHARE, the reason why the run ends."""
    if h > LEAST_SHARE * work.clock[0].nominal:
        return REFUSED
    return UNSOLVED_PROBLEM if work.problem.count[0].failed > 0 else NOT_FINITE


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
