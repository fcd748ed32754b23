"""Steps whose end the audit looks at: their equations are solved to rounding.

Newton's iteration ends when its error is small against the tolerance; in a stiff cable the forces are then off by the
stiffness times that error, which would hide a wrong mass. A few steps of a run are iterated further, so that at their
end, the last stage, the equations of motion hold to rounding.
"""

from taut.integrate.radau.stages import newton_iteration, settle_stages
from taut.kernels.jit import block

MOST_POLISHES = 40
POLISHED = 1e-9  # corrections below this end the iteration; relative to the tolerated error
JUDGED = 1e-5  # a step with a larger last correction is not used for the audit; relative to the tolerated error
CONVERGING = 1e-4  # last correction assumed where corrections were still falling, hence not at rounding
HARMLESS = 1e-2  # a step with a larger last correction is rejected; relative to the tolerated error


@block
def polish(model, work, h):
    """Carry Newton's iteration on; returns the size of the last correction in tolerated errors."""
    before = 1.0
    last = 1.0
    for _ in range(MOST_POLISHES):
        size = newton_iteration(model, work, h)
        # converged to rounding when corrections no longer decrease. One that does not may be chance where the iteration
        # converges slowly, as with friction, whose slope in the Newton matrix is that of another state
        if not POLISHED < size < before:
            settle_stages(model, work, h)
            return size
        before, last = last, size
    settle_stages(model, work, h)
    return max(last, CONVERGING)
