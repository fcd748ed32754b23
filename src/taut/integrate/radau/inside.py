"""Velocities inside a Radau step: loops must be closed there too, or the step is refused.

The error estimate is tangential, J e_v = 0, so it does not see how far the cubic of the velocities opens the loops
between the stages. Where a signal's third derivative jumps inside the step, as at the end of its blended start, that
may be hundreds of times what it is in the steps before and after. With nodes 0, c_1, c_2, 1 of the cubic, the
error at two points is at least 1/2.6 of the largest one in the step, wherever the second or third derivative of the
velocity jumps; so a third of the audit's limit is allowed at them.
"""

import numpy as np

from taut.dynamics.residual import place_gaps
from taut.integrate.radau.events import dense_state
from taut.integrate.step.closing import largest_errors
from taut.kernels.jit import block
from taut.results.limits import OPEN_RATE

LATE, EARLY = 0.86, 0.4  # fractions of the step at which the cubic's error is largest
ALLOWED = 1.0 / 3.0  # share of the audit's limit
CLEAR = 0.1  # share of what is allowed below which one point is enough: there it is at least 1/30 of the largest
NEAR = 0.3  # share of what is allowed above which the next step is limited
POWER = 0.25  # the error of a cubic is of fourth order
LEAST_FACTOR, MOST_FACTOR = 0.3, 0.8
PATIENCE = 20  # most steps taken with open loops, where shorter ones do not reduce the error


@block
def rate_inside(model, work, h, s):
    """Largest closure error of the velocities at the fraction s of the step."""
    dense_state(model, work, h, s, work.stage)
    place_gaps(model, work.stage, True)
    gap, rate = largest_errors(work.stage.rows)
    return rate


@block
def is_closed_inside(model, work, h):
    """Whether the loops stay closed inside the step; if not, a shorter one is proposed."""
    clock, count = work.clock[0], work.count[0]
    if len(work.stage.rows) == 0:
        return True
    allowed = ALLOWED * OPEN_RATE * clock.tolerated / clock.time_scale
    rate = rate_inside(model, work, h, LATE)
    if rate <= CLEAR * allowed:
        return True
    rate = max(rate, rate_inside(model, work, h, EARLY))
    if rate <= NEAR * allowed:
        return True
    factor = min(max((NEAR * allowed / rate) ** POWER, LEAST_FACTOR), MOST_FACTOR)
    if rate <= allowed:
        if count.event < 0:
            clock.step = min(clock.step, h * factor)
        return True
    # a shorter step did not reduce the error: its size is not the cause. Go on for a while; the audit judges the error
    if clock.open_step > h and not rate < clock.open_rate * h / clock.open_step:
        count.let_open = PATIENCE
    if count.let_open > 0 and rate < np.inf:
        count.let_open -= 1
        return True
    clock.open_rate, clock.open_step = rate, h
    clock.step = h * factor
    count.rejected += 1
    count.is_rejected = 1
    count.event = -1
    return False
