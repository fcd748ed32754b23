"""Events inside a step, found on its polynomial and then stepped to exactly.

The first event function that is on its other side at one of a few places in the step is traced back by the Illinois
method. The method then takes the step anew so that it ends there and corrects its size by the secant, within a bracket,
until the function vanishes at its end: the time of the event has the accuracy of the method, not of the interpolation.
"""

from taut.dynamics.events import event_value
from taut.dynamics.residual import place_watched
from taut.integrate.radau_work import TIME
from taut.integrate.step_dense import dense_unknowns, place_unknowns
from taut.integrate.step_work import FINAL, NOW
from taut.kernels.jit import block, part

CHECKS = 6  # places in a step at which events are looked for
MOST_CORRECTIONS = 8  # of the size of a step that ends at an event
MOST_HALVINGS = 60
SMALLEST = 1e-13  # of the step: the root is not looked for more closely
LEAST_STEP = 1e-13  # against the time: an event this near is at the begin of the step


@block
def signed_value(model, data, j):
    """Event function j at the placed state; negative once it has passed to its other side."""
    return data.modes[j] * event_value(model, data, j)


def root_search(place_dense):  # noqa: C901 - two functions that share place_dense
    """Location of one event in a step whose dense output ``place_dense`` places."""

    @block
    def good_side(model, work, h, j, high):
        """A fraction before ``high`` at which function j is on its own side still; 0 if there is none.

        Just behind an event its function is zero but for rounding, maybe on the wrong side.
        """
        for _ in range(MOST_HALVINGS):
            high *= 0.5
            place_dense(model, work, h, high)
            if signed_value(model, work.stage, j) > 0.0:
                return high
        return 0.0

    @block
    def locate(model, work, h, j, low, high):
        """Root of event function j between two fractions of the step (Illinois method)."""
        data = work.stage
        place_dense(model, work, h, low)
        f_low = signed_value(model, data, j)
        if not f_low > 0.0:
            low = good_side(model, work, h, j, high)
            if low == 0.0:
                return 0.0
            high = 2.0 * low
            place_dense(model, work, h, low)
            f_low = signed_value(model, data, j)
        place_dense(model, work, h, high)
        f_high = signed_value(model, data, j)
        for _ in range(MOST_HALVINGS):
            if high - low < SMALLEST or f_high == 0.0:
                break
            s = (low * f_high - high * f_low) / (f_high - f_low)
            if not low < s < high:
                s = 0.5 * (low + high)
            place_dense(model, work, h, s)
            f = signed_value(model, data, j)
            if f > 0.0:
                low, f_low = s, f
                f_high *= 0.5
            else:
                high, f_high = s, f
                f_low *= 0.5
        return high

    return locate


def event_search(place_dense):
    """A method's search for the first event in a step; ``place_dense(model, work, h, s)`` places its dense output."""
    locate = root_search(place_dense)

    @block
    def first_event(model, work, h):
        """Fraction of the step at which the first event lies, and which; 2 and -1 if there is none."""
        data = work.stage
        best = 2.0
        found = -1
        for i in range(1, CHECKS + 1 if len(model.events) > 0 else 1):
            place_dense(model, work, h, i / CHECKS)
            is_any = False
            for j in range(len(model.events)):
                if signed_value(model, data, j) < 0.0:
                    is_any = True
            if is_any:
                for j in range(len(model.events)):
                    place_dense(model, work, h, i / CHECKS)
                    if signed_value(model, data, j) < 0.0:
                        s = locate(model, work, h, j, (i - 1) / CHECKS, i / CHECKS)
                        if s < best:
                            best = s
                            found = j
                break
        return best, found

    return first_event


@block
def place_dense(model, work, h, s):
    """The machine at the fraction s of the step; not closed."""
    dense_unknowns(work, s)
    place_unknowns(model, work, NOW, work.stage, work.clock[TIME] + s * h)
    place_watched(model, work.stage, work.closing)


first_event = event_search(place_dense)


@block
def end_value(model, work, h, j):
    """Event function j at the end of the step."""
    place_unknowns(model, work, FINAL, work.stage, work.clock[TIME] + h)
    place_watched(model, work.stage, work.closing)
    return signed_value(model, work.stage, j)


@part
def narrowed(f, h, low, high):
    """The bracket of the event's place, with the value at the end of a step of size h known."""
    return (h, high) if f > 0.0 else (low, h)


@part
def next_size(k, h, f, last_h, last_f, low, high):
    """Size of a step that brings the event to its end, by the secant within the bracket; first a small change."""
    if k == 0:
        size = h * (1.0 + 1e-6) if f > 0.0 else h * (1.0 - 1e-6)
        return size if low < size < high else h * (1.0 - 1e-6)
    size = h - f * (h - last_h) / (f - last_f) if f != last_f else h
    return size if low <= size <= high else 0.5 * (low + high)


@part
def is_negligible(k, change, h, time):
    """Whether a change of size cannot be told from none."""
    return abs(change) < LEAST_STEP * max(abs(time), 1.0) or (k > 0 and abs(change) < 1e-12 * h)
