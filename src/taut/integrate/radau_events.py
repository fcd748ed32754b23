"""Events inside a Radau step: found at the stages, located on the step's own polynomials, then stepped to exactly.

The first event function that has passed to its other side at a stage is traced back by the Illinois method on the dense
output. The step is then taken anew so that it ends there, and its size corrected by the secant until the function
vanishes at its end: the time of the event has the accuracy of the method, not of the interpolation.
"""

from taut.dynamics.events import event_value, is_passed
from taut.dynamics.positions import move
from taut.dynamics.residual import place_closures
from taut.integrate.methods.radau_tableau import C
from taut.integrate.radau_stages import place_stage
from taut.integrate.radau_step import cubic
from taut.integrate.radau_work import TIME
from taut.kernels.jit import block, kernel

MOST_HALVINGS = 60
SMALLEST = 1e-13  # of the step: the root is not looked for more closely


@kernel
def dense_state(model, work, h, s, data):
    """State at the fraction s of the step, from its polynomials; not closed."""
    v, V, rates, x, rate = work.v, work.V, work.D_rate, work.x, data.v
    for c in range(len(v)):
        p0, p1, p2, p3 = cubic(v[c], V[0, c], V[1, c], V[2, c])
        rate[c] = p0 + s * (p1 + s * (p2 + s * p3))
        # the displacement is the integral of its rate, which differs from v for rotation vectors
        p0, p1, p2, p3 = cubic(v[c], rates[0, c], rates[1, c], rates[2, c])
        x[c] = h * s * (p0 + s * (p1 / 2.0 + s * (p2 / 3.0 + s * p3 / 4.0)))
    move(model, work.q, x, data.q)
    data.time[0] = work.clock[TIME] + s * h


@block
def first_event(model, work, h):
    """Fraction of the step at which the first event lies, and which; 2 and -1 if there is none."""
    best = 2.0
    found = -1
    for i in range(3):
        place_stage(work, i, h)
        place_closures(model, work.stage)
        is_any = False
        for j in range(len(model.events)):
            if is_passed(model, work.stage, j):
                is_any = True
        if is_any:
            for j in range(len(model.events)):
                place_stage(work, i, h)
                place_closures(model, work.stage)
                if is_passed(model, work.stage, j):
                    s = locate(model, work, h, j, C[i])
                    if s < best:
                        best = s
                        found = j
            break
    return best, found


@kernel
def locate(model, work, h, j, high):
    """Root of event function j on the dense output between the begin and ``high`` (Illinois method)."""
    data = work.stage
    side = data.modes[j]
    low = 0.0
    dense_state(model, work, h, low, data)
    place_closures(model, data)
    f_low = side * event_value(model, data, j)
    dense_state(model, work, h, high, data)
    place_closures(model, data)
    f_high = side * event_value(model, data, j)
    if f_low <= 0.0:
        return 0.0
    for _ in range(MOST_HALVINGS):
        if high - low < SMALLEST or f_high == 0.0:
            break
        s = (low * f_high - high * f_low) / (f_high - f_low)
        if not low < s < high:
            s = 0.5 * (low + high)
        dense_state(model, work, h, s, data)
        place_closures(model, data)
        f = side * event_value(model, data, j)
        if f > 0.0:
            low, f_low = s, f
            f_high *= 0.5
        else:
            high, f_high = s, f
            f_low *= 0.5
    return high


@kernel
def end_value(model, work, h, j):
    """Event function j at the end of the step."""
    place_stage(work, 2, h)
    place_closures(model, work.stage)
    return event_value(model, work.stage, j)
