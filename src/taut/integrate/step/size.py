"""The size of the next step to try: what was proposed, what the inputs allow, and what is left of the segment."""

from taut.kernels.jit import block, part
from taut.model.commands import DECAY, INVERSE_LAG, SINCE

DECAYED = 12.0  # lags after which a command counts as settled: 6e-6 of the change is left
IN_ONE_STEP = 1.5  # largest step, in lags, before a command has settled


@part
def fitted_step(h, left):
    """A step that meets the end of the segment, alone or as the first of two equal ones."""
    if h >= 0.999 * left:
        return left
    return 0.5 * left if 2.0 * h > left else h


@block
def next_step(work):
    """Step to try: the proposed one, stretched or halved so that the end is met."""
    clock = work.clock[0]
    return fitted_step(min(clock.step, clock.largest_step), clock.end - clock.time)


@block
def paced_step(model, work):
    """Step to try by an adaptive method: not longer than signals and commands allow (``build/freeze/paces.py``)."""
    clock = work.clock[0]
    h = min(clock.step, clock.largest_step)
    h = command_limit(work.stage.commands, clock.time, h)
    h = pace_limit(model.paces, clock.time, min(h, clock.end - clock.time))
    return fitted_step(h, clock.end - clock.time)


@block
def asked_step(model, work):
    """Step to try by a method that may have a fixed step."""
    return next_step(work) if work.count[0].is_fixed else paced_step(model, work)


@part
def pace_limit(paces, time, h):
    """The longest step from a time on; it enters a later region by at most the longest step of that region."""
    low = 0
    high = len(paces) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if paces[middle].start <= time:
            low = middle
        else:
            high = middle - 1
    h = min(h, paces[low].longest)
    k = low + 1
    while k < len(paces) and paces[k].start < time + h:
        h = min(h, paces[k].start - time + paces[k].longest)
        k += 1
    return h


@part
def command_limit(commands, time, h):
    """Limit the step while a command still approaches its set point with a lag."""
    for k in range(len(commands)):
        if commands[k, DECAY] != 0.0:
            lag = 1.0 / commands[k, INVERSE_LAG]
            if time - commands[k, SINCE] < DECAYED * lag:
                h = min(h, IN_ONE_STEP * lag)
    return h
