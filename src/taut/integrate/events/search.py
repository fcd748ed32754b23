"""The first event inside a step, on its polynomial.

All event functions are sampled at five points of the step. Where those cannot exclude that one of them passes zero
(``events.panels``), or where the machine turns by more than a radian, the step is divided into panels, halved again and
again and looked at in the order of time, until on one of them a function falls through zero and all others are known.
So a function that passes twice, or touches zero, inside the step is found, and of several the first.
"""

import numpy as np

from taut.dynamics.events import event_rounding, event_value
from taut.integrate.events.panels import (
    CLEAR,
    CROSSES,
    STARTS_BEHIND,
    UNSURE,
    panel_slope,
    panel_verdict,
    smallest_verdict,
)
from taut.kernels.arrays import copy
from taut.kernels.jit import block, part

MOST_ITERATIONS = 60  # most iterations for a root on the step's polynomial
SMALLEST = 1e-13  # accuracy of a root, relative to the step
MOST_TURN = 1.0  # turn of a watched node within one panel that five points still resolve [rad]
SMALLEST_PANEL = 1e-9  # shorter panels are not divided any more [s]
MOST_HALVINGS = 45
MOST_PLACINGS = 20_000  # evaluations of the machine in one step, after which the step is shortened
LEAST_PART = 1.0 / 64.0  # least fraction to which a step is shortened
BEYOND = 4.0  # half-width of the bracket of an event, in panels, when the step is taken again
NO_EVENT, TOO_LONG = -1, -2


@block
def signed_value(model, data, j):
    """Event function j at the placed state; negative once it has crossed zero."""
    return data.modes[j] * event_value(model, data, j)


@part
def is_any(kind):
    """Whether events of a kind are waited for: of every kind."""
    return True


@part
def turn_rate(watch, places):
    """Largest angular speed of the watched nodes [rad/s]."""
    largest = 0.0
    for k in range(len(watch.nodes)):
        w = places[watch.nodes[k]].w
        largest = max(largest, w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    return np.sqrt(largest)


@part
def panel_values(values, j):
    """Values of event function j at the five points of a panel."""
    return values[0, j], values[1, j], values[2, j], values[3, j], values[4, j]


@part
def first_behind(values, zero):
    """The first point of a panel at which a function is below zero; 9 if there is none."""
    _, f1, f2, f3, f4 = values
    if f1 < zero or f2 < zero:
        return 0.25 if f1 < zero else 0.5
    if f3 < zero or f4 < zero:
        return 0.75 if f3 < zero else 1.0
    return 9.0


@part
def keep_left(watch):
    """Reuse three points of a panel for its left half, of which they are the first, the third and the last."""
    copy(watch.values[2], watch.values[4])
    copy(watch.values[1], watch.values[2])
    watch.turns[4], watch.turns[2] = watch.turns[2], watch.turns[1]


@part
def keep_end(watch):
    """Keep the values at the end of a panel as those at the start of the next."""
    copy(watch.values[4], watch.values[0])
    watch.turns[0] = watch.turns[4]


@part
def largest_of(turns):
    """Largest of the values at five points."""
    return max(turns[0], turns[1], turns[2], turns[3], turns[4])


@part
def next_panel(k, level, coarsest):
    """The panel after panel k of 2**level; two finished halves are merged into their parent."""
    k += 1
    while k % 2 == 0 and level > coarsest:
        k //= 2
        level -= 1
    return k, level


@part
def is_smallest(level, width, time):
    """Whether a panel of that width [s] is not divided any more."""
    return level >= MOST_HALVINGS or width < SMALLEST_PANEL * max(abs(time), 1.0)


@block
def judge_panel(watch, is_start, is_last, width):
    """Verdict on a panel for all functions together, and the function that starts below zero."""
    verdict = CLEAR
    for j in range(watch.values.shape[1]):
        values, rounding = panel_values(watch.values, j), watch.rounding[j]
        found = smallest_verdict(values, rounding, is_start) if is_last else panel_verdict(
            values, rounding, is_start, width)  # fmt: skip
        if found == STARTS_BEHIND:
            return STARTS_BEHIND, j
        verdict = max(verdict, found)
    return verdict, NO_EVENT


def root_search(place_dense):
    """Location of one event in a step whose dense output ``place_dense(model, work, h, s)`` places."""

    @block
    def locate(model, work, h, j, low, high):
        """Root of event function j between two fractions of the step (Illinois method)."""
        data = work.stage
        place_dense(model, work, h, low)
        f_low = signed_value(model, data, j)
        # the event lies at the left end already
        if not f_low > 0.0:
            return low
        place_dense(model, work, h, high)
        f_high = signed_value(model, data, j)
        for _ in range(MOST_ITERATIONS):
            if high - low < SMALLEST or f_high == 0.0:
                break
            s = (low * f_high - high * f_low) / (f_high - f_low)
            if not low < s < high:
                s = 0.5 * (low + high)
            place_dense(model, work, h, s)
            f = signed_value(model, data, j)
            if f > 0.0:
                low, f_low = s, f
                # Illinois: halve the value of an end that stays, or regula falsi would creep towards it from one side
                f_high *= 0.5
            else:
                high, f_high = s, f
                f_low *= 0.5
        return high

    return locate


def panel_search(place_dense, is_awaited):
    """Sampling of panels, and the first root on one."""
    locate = root_search(place_dense)

    @block
    def sample(model, work, h, s, i):
        """All functions at the fraction s of the step, as point i of the panel."""
        watch, data = work.watch, work.stage
        place_dense(model, work, h, s)
        for j in range(len(model.events)):
            is_asked = is_awaited(model.events[j].kind)
            watch.values[i, j] = signed_value(model, data, j) if is_asked else np.inf
        watch.turns[i] = turn_rate(watch, data.nodes)

    @block
    def sample_panel(model, work, h, low, width, is_half):
        """All functions at the points of a panel that are not known; of a left half, two are unknown."""
        if not is_half:
            sample(model, work, h, low + 0.5 * width, 2)
            sample(model, work, h, low + width, 4)
        sample(model, work, h, low + 0.25 * width, 1)
        sample(model, work, h, low + 0.75 * width, 3)

    @block
    def first_root(model, work, h, low, width):
        """First root on a panel on which every function is clear or falls through zero."""
        watch, best, found = work.watch, 2.0, NO_EVENT
        for j in range(len(model.events)):
            u = first_behind(panel_values(watch.values, j), -watch.rounding[j])
            # functions that become negative only after the best root so far need not be located
            if low + (u - 0.25) * width < best:
                s = locate(model, work, h, j, low + (u - 0.25) * width, low + u * width)
                if s < best:
                    best, found = s, j
        return best, found

    return sample, sample_panel, first_root


def event_search(place_dense, is_awaited=is_any):
    """A method's search for the first event in a step, on its dense output."""
    sample, sample_panel, first_root = panel_search(place_dense, is_awaited)

    @block
    def first_event(model, work, h):
        """Fraction of the step at which the first event lies, and which; the slope of its function [1/s]; its panel.

        NO_EVENT: there is none. TOO_LONG: none before that fraction, and the step is too long to search the rest.
        """
        watch = work.watch
        k, level, coarsest, is_half, placings = 0, 0, 0, False, 1
        # the start of the step is sampled once; every panel then reuses the end of the one before
        sample(model, work, h, 0.0, 0)
        for j in range(len(model.events)):
            watch.rounding[j] = event_rounding(model, work.stage, j)
        while k < 1 << level and placings < MOST_PLACINGS:
            width = 1.0 / (1 << level)
            low = k * width
            sample_panel(model, work, h, low, width, is_half)
            placings += 2 if is_half else 4
            is_last = is_smallest(level, width * h, work.clock[0].time)
            verdict, event = judge_panel(watch, k == 0, is_last, width * h)
            is_turning = largest_of(watch.turns) * width * h > MOST_TURN
            # undecided: look at the left half first, because the first event is asked for
            if (verdict == UNSURE or is_turning) and not is_last:
                k, level, is_half = 2 * k, level + 1, True
                coarsest = level if is_turning else coarsest
                keep_left(watch)
            elif verdict == STARTS_BEHIND:
                return 0.0, event, 0.0, 0.0, 0.0
            elif verdict == CROSSES:
                s, event = first_root(model, work, h, low, width)
                slope = panel_slope(panel_values(watch.values, event), (s - low) / width) / (width * h)
                return s, event, slope, max(low - BEYOND * width, 0.0), min(low + (1.0 + BEYOND) * width, 1.0)
            else:
                k, level = next_panel(k, level, coarsest)
                is_half = False
                keep_end(watch)
        # budget used up: no event lies before this point, and the step shall end there
        if k < 1 << level:
            return max(k / (1 << level), LEAST_PART), TOO_LONG, 0.0, 0.0, 0.0
        return 2.0, NO_EVENT, 0.0, 0.0, 0.0

    return first_event
