"""The time loop of every method between two restarts, compiled with what the method puts into it.

A step is tried, closed and judged; its samples are taken; its end becomes the start of the next. A full sample buffer
interrupts the step between its solution and its end; the next call carries on from there.
"""

from typing import Any

from taut.integrate.status import AT_EVENT, DONE, MORE, REFUSED, SAMPLES_FULL
from taut.integrate.step.dense import before_step, open_step
from taut.kernels.jit import block


@block
def again(work, h):
    """Default: try the step again with the proposed size."""
    return REFUSED


@block
def as_it_is(model, work, h):
    """Default: the end of a step needs no closing or judging."""
    return MORE


def step_trial(asked: Any, take: Any, *, refused: Any = again, settle: Any = as_it_is) -> Any:
    """One step of a method: MORE if it waits for its samples, REFUSED, or why the run ends.

    ``asked(model, work)`` is its size; ``take(model, work, samples, h)`` solves it and returns the size taken, 0 if it
    could not be, -1 if an event is at its start; ``refused(work, h)`` says what follows from 0; ``settle(model, work,
    h)`` closes and judges its end.
    """

    @block
    def try_step(model, work, samples):
        work.count[0].event = -1
        h = asked(model, work)
        code = before_step(work, samples.log, h)
        if code != MORE:
            return code
        # solved before judged: the end is closed only if the step itself was acceptable
        taken = take(model, work, samples, h)
        if taken < 0.0:
            return AT_EVENT
        if taken == 0.0:
            return refused(work, h)
        code = settle(model, work, taken)
        return code if code != MORE else open_step(model, work, taken)

    return try_step


def sampling(take_sample: Any, late: float = 0.0) -> Any:
    """The samples in a step, by ``take_sample(model, work, samples)``; false if the buffer is full before the last.

    A sample that is ``late`` by that share of the step belongs to it.
    """

    @block
    def sample_step(model, work, samples):
        clock, count = work.clock[0], work.count[0]
        end = clock.step_end + late * clock.done_step
        while count.next_sample < len(samples.times):
            if not samples.times[count.next_sample] <= end:
                return True
            take_sample(model, work, samples)
        return False

    return sample_step


def time_loop(try_step: Any, sample_step: Any, finish_step: Any) -> Any:
    """Steps until the segment's end; returns a code of ``integrate.status``."""

    @block
    def loop(model, work, samples, most_steps):
        clock, count = work.clock[0], work.count[0]
        for _ in range(most_steps):
            # a pending step was solved in the last call, whose sample buffer was full
            if not count.is_pending:
                code = try_step(model, work, samples)
                if code == REFUSED:
                    continue
                if code != MORE:
                    return code
            if not sample_step(model, work, samples):
                return SAMPLES_FULL
            finish_step(model, work, samples)
            if count.event >= 0:
                return AT_EVENT
            # back to Python, which keeps the witness before the stages are overwritten
            if count.is_witness:
                break
        return DONE if clock.time >= clock.end else MORE

    return loop
