"""Events inside a Radau step, on the step's own polynomials."""

from taut.dynamics.residual import place_watched
from taut.dynamics.tree.positions import move
from taut.integrate.events.search import event_search, signed_value
from taut.integrate.radau.stages import place_stage
from taut.integrate.radau.step import cubic
from taut.kernels.jit import block, kernel


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
    for j in range(work.Z.shape[1]):
        p0, p1, p2, p3 = cubic(work.z[j], work.Z[0, j], work.Z[1, j], work.Z[2, j])
        data.z[j] = p0 + s * (p1 + s * (p2 + s * p3))
    move(model, work.q, x, data.q)
    data.time[0] = work.clock[0].time + s * h


@block
def place_dense(model, work, h, s):
    """The machine at the fraction s of the step; not closed."""
    dense_state(model, work, h, s, work.stage)
    place_watched(model, work.stage, work.closing)


first_event = event_search(place_dense)


@kernel
def end_value(model, work, h, j):
    """Event function j at the end of the step."""
    place_stage(work, 2, h)
    place_watched(model, work.stage, work.closing)
    return signed_value(model, work.stage, j)
