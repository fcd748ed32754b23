"""Laws that go slack: a step in which one does is cut in two there, once, by linear interpolation.

Force and stiffness of such a law have a kink where it changes side. A step across it is of order 2 still, but its error
depends on where in the step the kink lies; cut in two near it, the error is that of any other step. Nothing is located:
the cut costs one more step. Where many laws change side in one step, as in a slack cable of many elements, it is taken
as it is.
"""

from taut.dynamics.events import event_value
from taut.dynamics.residual import place_closures
from taut.integrate.step.dense import place_unknowns
from taut.kernels.jit import block, part
from taut.model.enums import EventKind

SLACK, TETHER = int(EventKind.SLACK), int(EventKind.TETHER)
MOST_KINKS = 4  # a step in which more laws change side is not divided
LEAST_PART = 0.02  # fraction of a step: kinks closer to its ends are ignored


@part
def is_kink(kind):
    """Whether an event is one of a law that may be slack."""
    return kind == SLACK or kind == TETHER


@block
def read_kinks(model, data, values):
    """Event functions of laws that may go slack, at the placed state: positive where the law pulls."""
    for j in range(len(model.events)):
        values[j] = event_value(model, data, j) if is_kink(model.events[j].kind) else 0.0


@block
def hold_sides(model, work):
    """Dampers of such laws stay on the side of the start of the step: their forces would jump in it."""
    events, kinks = model.events, work.kinks_begin
    for j in range(len(events)):
        if events[j].kind == SLACK:
            hold_side(work.at.columns[events[j].index], -1.0)
            hold_side(work.stage.columns[events[j].index], -1.0)
    for j in range(len(events)):
        # backlash has two gaps, and the law acts beyond either of them
        if events[j].kind == SLACK and kinks[j] >= 0.0:
            hold_side(work.at.columns[events[j].index], 1.0)
            hold_side(work.stage.columns[events[j].index], 1.0)


@part
def hold_side(column, side):
    """Set the side of one column in a workspace."""
    column.side = side


@block
def cut_place(model, work, h):
    """Fraction of the step at which the first law changes side; 1 if none does, or too many, or it was cut before."""
    begin, end, first, count = work.kinks_begin, work.kinks_end, 1.0, 0
    place_unknowns(model, work, work.y_end, work.stage, work.clock[0].time + h)
    place_closures(model, work.stage)
    read_kinks(model, work.stage, end)
    for j in range(len(model.events)):
        if is_kink(model.events[j].kind) and (begin[j] >= 0.0) != (end[j] >= 0.0):
            count += 1
            first = min(first, begin[j] / (begin[j] - end[j]))
    is_whole = count > MOST_KINKS or work.count[0].is_cut != 0
    return 1.0 if is_whole or first < LEAST_PART or first > 1.0 - LEAST_PART else first
