"""Close positions and velocities of a state along soft directions: the metric is that of a Newton matrix S.

    S x = J^T (J S^-1 J^T)^-1 g                                                                           (1)

It hardly stretches a stiff cable, as a correction in the metric of the masses would. First with the factor at hand,
formed a step or less away, with which each iteration gains a digit or more; where that is too slow, as in fast
mechanisms with long steps, with a factor of the state itself.
"""

from taut.dynamics.constraints.interface import factor_interface, solve_interface
from taut.dynamics.constraints.projection import add_multipliers, answer_multipliers, fill_answers, project_rows
from taut.dynamics.forces.coupling import add_tensions, couple_tethers
from taut.dynamics.forces.tethers import add_tethers
from taut.dynamics.newton import add_diagonals, clear_rotary
from taut.dynamics.residual import place_gaps
from taut.dynamics.tree.factor import clear_branches, eliminate
from taut.dynamics.tree.positions import move
from taut.dynamics.tree.solve import expand_outwards
from taut.kernels.arrays import add, fill
from taut.kernels.jit import block, part

CLOSED = 1e-11  # allowed closure error of positions at every step [m]; twenty times that at samples
CLOSED_RATE = 1e-10  # allowed closure error of velocities at every step [m/s]
# closure limits are tightened to this share of the tolerated error, because closing changes the energy
OF_TOLERATED = 1e-5
LEAST_PART = 1e-3  # lower bound of the tightened closure limits, relative to the usual ones: rounding
PATIENCE = 4  # most iterations with the factor at hand
MOST_CLOSINGS = 12
GAINED = 0.1  # a factor of an earlier state must reduce the gap to this share, else the present state is factored
DIGIT = 10.0  # expected reduction of the error in every iteration
FAST = 1e3  # closing a position error may change rates by up to this times the error [1/s]
HALTED = 0.5  # if an error falls by less than this factor, only rounding is left
FEW = 3  # first closings with one factor, which go through the tree one by one
MOST_ROWS = 8  # mean number of rows per column up to which answers to all of them are formed
SURE = 5.0  # safety factor of a predicted error that is not checked any more


@block
def close_state(model, at, factor, own, data, f, limit, rate_limit):  # noqa: C901 - one loop
    """Close the state in ``data``; ``factor`` is one formed at ``at``, ``own`` a spare, ``f`` the root of c_K.

    Writes over the accelerations, forces and multipliers of ``data``. Returns the errors of position and speed found.
    """
    rows, q, v, step, change, mu = data.rows, data.q, data.v, data.acceleration, data.force, data.lam
    last_gap = 0.0
    last_speed = 0.0
    first_gap = 0.0
    first_speed = 0.0
    is_own = False
    if len(rows) == 0:
        return first_gap, first_speed
    for k in range(MOST_CLOSINGS):
        place_gaps(model, data, k == 0)
        gap, speed = largest_errors(rows)
        if k == 0:
            first_gap, first_speed = gap, speed
        elif not is_own and is_worse(gap, speed, last_gap, last_speed, limit, rate_limit):
            # the factor at hand does not fit, as with dependent rows: undo the step
            take_back(model, q, v, step, change)
            place_gaps(model, data, False)
            gap, speed, is_own = last_gap, last_speed, True
        if not (gap > limit or speed > rate_limit):
            break
        is_still = is_halted(gap, last_gap, limit, CLOSED) and is_halted(speed, last_speed, rate_limit, CLOSED_RATE)
        if k > PATIENCE and is_still:
            break
        is_own = is_own or k >= PATIENCE
        if is_own:
            factor_closing(model, data, own, f)
            at, factor = data, own
        fill(step, 0.0)
        fill(change, 0.0)
        if gap > limit:
            for j in range(len(rows)):
                mu[j] = -rows[j].value
            closing_step(model, at, factor, mu, step)
            move(model, q, step, q)
        if speed > rate_limit:
            for j in range(len(rows)):
                mu[j] = -rows[j].rate
            closing_step(model, at, factor, mu, change)
            add(change, v)
        # at the rate of convergence so far the next errors are below their limits: skip the check
        if is_sure(gap, last_gap, limit) and is_sure(speed, last_speed, rate_limit):
            break
        last_gap, last_speed = gap, speed
    return first_gap, first_speed


@part
def is_worse(gap, speed, last_gap, last_speed, limit, rate_limit):
    """Whether a correction has not reduced the errors; closing positions may change rates a little."""
    most = DIGIT * (last_speed + rate_limit) + FAST * last_gap
    return not (gap <= GAINED * last_gap + limit and speed <= most)


@part
def take_back(model, q, v, step, change):
    """Undo a step of positions and a change of velocities."""
    for c in range(len(step)):
        step[c] = -step[c]
        v[c] -= change[c]
    move(model, q, step, q)


@part
def note_projection(gaps, gap, speed):
    """Keep the largest errors of position and velocity that were closed; a NaN stays."""
    if not gap <= gaps[0] and gaps[0] == gaps[0]:
        gaps[0] = gap
    if not speed <= gaps[1] and gaps[1] == gaps[1]:
        gaps[1] = speed


@part
def closing_limits(tolerated):
    """Errors of position and velocity that a step may leave, for an error of positions that is tolerated [m]."""
    part = min(1.0, max(OF_TOLERATED * tolerated / CLOSED, LEAST_PART))
    return part * CLOSED, part * CLOSED_RATE


@part
def is_halted(error, last, limit, usual):
    """Whether an error that is small by any measure does not get smaller any more, or need not."""
    return error <= limit or (error <= usual and error > HALTED * last)


@part
def is_sure(error, last, limit):
    """Whether an error that falls at the rate of the last iteration is below the limit after the next.

    Convergence slows down as the fast components vanish: no more than one digit is predicted.
    """
    return error < DIGIT * limit and SURE * error * error < limit * last


@part
def largest_errors(rows):
    """Largest error and largest rate of all closure rows."""
    gap = 0.0
    speed = 0.0
    for j in range(len(rows)):
        # compared so that a NaN is taken as the largest
        gap = gap if abs(rows[j].value) <= gap else abs(rows[j].value)
        speed = speed if abs(rows[j].rate) <= speed else abs(rows[j].rate)
    return gap, speed


@block
def factor_closing(model, data, factor, f):
    """Factor the Newton matrix without its geometric part at the placed state."""
    add_diagonals(model, data, factor, f, f * f)
    clear_rotary(factor)
    clear_branches(model.nodes, factor.nodes)
    add_tethers(model, data, factor, f, f * f)
    eliminate(model, data, factor, f, f * f)
    project_rows(model, data, factor)
    couple_tethers(model, data, factor, f, f * f)
    factor_interface(factor, data.most_rank[0])


@block
def closing_step(model, at, factor, mu, step):
    """Step of positions by Eq. (1) for g = ``mu``, which becomes the multipliers."""
    columns = factor.columns
    solve_interface(factor, mu)
    # from some closing on, forming the answers to all multipliers is cheaper: many samples lie in one step
    factor.closings[0] += 1
    is_narrow = len(factor.answers) <= MOST_ROWS * len(columns)
    if factor.closings[0] > FEW and is_narrow and factor.coupled[0] == 0:
        if factor.closings[0] == FEW + 1:
            fill_answers(model, at, factor, step)
        answer_multipliers(model, factor, mu, step)
        return
    for c in range(len(columns)):
        columns[c].u = 0.0
    add_multipliers(model, factor, mu)
    fill(factor.tether_y, 0.0)
    add_tensions(model, factor, mu)
    expand_outwards(model, at, factor, step)
