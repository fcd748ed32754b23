"""Steps that end at an event.

The first event is found on the step's polynomial (``events.search``). The method then takes the step anew so that it
ends there, and corrects its size by Newton's method and the secant, within a bracket, until the function vanishes at
its end: the time of the event has the accuracy of the method, not of the interpolation.
"""

from typing import Any

from taut.dynamics.residual import place_watched
from taut.integrate.events.search import NO_EVENT, event_search, signed_value
from taut.integrate.step.dense import dense_unknowns, place_unknowns
from taut.kernels.jit import block, part

MOST_CORRECTIONS = 8  # most corrections of the size of a step that ends at an event
SHORTER = 0.9  # factor on a step that is too long for its events to be resolved
LEAST_STEP = 1e-13  # an event nearer than this, relative to the time, counts as at the start of the step


@block
def place_dense(model, work, h, s):
    """The machine at the fraction s of the step; not closed."""
    dense_unknowns(work, s)
    place_unknowns(model, work, work.y_now, work.stage, work.clock[0].time + s * h)
    place_watched(model, work.stage, work.closing)


first_event = event_search(place_dense)


@block
def end_value(model, work, h, j):
    """Event function j at the end of the step."""
    place_unknowns(model, work, work.y_end, work.stage, work.clock[0].time + h)
    place_watched(model, work.stage, work.closing)
    return signed_value(model, work.stage, j)


@part
def narrowed(f, h, low, high):
    """The bracket of the event, narrowed by the value f at the end of a step of size h."""
    return (h, high) if f > 0.0 else (low, h)


@part
def without_event(work, s, event, h):
    """Size of a step without an event; 0 if it is too long to be sure, and must be shortened."""
    if event == NO_EVENT:
        return h
    # clearly shorter, because near the end of a segment a step is stretched to meet it
    work.clock[0].step = min(s, SHORTER) * h
    return 0.0


@part
def secant_slope(k, slope, h, f, last_h, last_f):
    """Slope of the function at the end of the step against its size, from the last two; it falls."""
    if k == 0 or h == last_h or not (f - last_f) / (h - last_h) < 0.0:
        return slope
    return (f - last_f) / (h - last_h)


@part
def next_size(h, f, slope, low, high):
    """Size of a step that brings the event to its end, within the bracket."""
    size = h - f / slope if slope < 0.0 else h
    return size if low <= size <= high else 0.5 * (low + high)


@part
def is_negligible(k, change, h, time):
    """Whether a change of the step size is rounding."""
    return abs(change) < LEAST_STEP * max(abs(time), 1.0) or (k > 0 and abs(change) < 1e-12 * h)


def stepping_to_event(solve: Any, end_value: Any) -> Any:
    """Steps of a method repeated so that they end at an event; ``solve(model, work, h)`` returns whether one could be.

    ``end_value(model, work, h, event)`` is the function at its end.
    """

    @block
    def step_to_event(model, work, h, slope, low, high):
        """The event lies at about h, between ``low`` and ``high``.

        Returns the size of the step, 0 if it cannot be solved, -1 if the event is at its start.
        """
        clock, count = work.clock[0], work.count[0]
        last_h, last_f = 0.0, 0.0
        for k in range(MOST_CORRECTIONS + 1):
            if not h > LEAST_STEP * max(abs(clock.time), 1.0):
                return -1.0
            if not solve(model, work, h):
                count.event = -1
                return 0.0
            # Newton's method on the size of the step, by secants, inside a bracket that only narrows
            f = end_value(model, work, h, count.event)
            low, high = narrowed(f, h, low, high)
            slope = secant_slope(k, slope, h, f, last_h, last_f)
            size = next_size(h, f, slope, low, high)
            if k == MOST_CORRECTIONS or is_negligible(k, size - h, h, clock.time):
                break
            last_h, last_f = h, f
            h = size
        # this step had an unusual size: its Newton matrix must not be used again
        clock.factor_step = 0.0
        return h

    return step_to_event


def ending_at_event(first_event: Any, step_to_event: Any) -> Any:
    """The check of a solved step for events, from a method's search and its stepping to an event."""

    @block
    def end_at_event(model, work, h):
        """The step's size, or less if an event lies in it; 0 if it must be tried again, -1 if one is at its start."""
        if len(model.events) == 0:
            return h
        s, event, slope, low, high = first_event(model, work, h)
        if event < 0:
            return without_event(work, s, event, h)
        work.count[0].event = event
        return step_to_event(model, work, s * h, slope, low * h, high * h)

    return end_at_event
