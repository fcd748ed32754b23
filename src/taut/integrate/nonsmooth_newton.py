"""Newton's iteration of a step, for any of the non-smooth schemes: how far, and when to give up."""

import numpy as np

from taut.integrate.alpha_step import AGEING, LEAST_RATE, NEGLIGIBLE
from taut.kernels.jit import block

MOST_FULL = 25  # iterations with a new matrix each


def newton_loop(newton_iteration):
    """The loop around ``newton_iteration(model, work, h, scheme)``, which returns the size of its correction [m]."""

    @block
    def converge(model, work, h, scheme, goal, most):
        """Iterate to an error of ``goal`` [rad or m]; returns the iterations, or 0 if it does not converge."""
        clock, last = work.clock[0], 0.0
        for iteration in range(1, most + 1):
            size = newton_iteration(model, work, h, scheme)
            if not np.isfinite(size):
                return 0
            if iteration > 1:
                clock.rate = clock.trusted_rate = max(size / last, LEAST_RATE) if last > 0.0 else LEAST_RATE
            rate = clock.trusted_rate
            # what remains after this iteration
            if size <= NEGLIGIBLE * goal or (rate < 1.0 and rate / (1.0 - rate) * size <= goal):
                if iteration == 1:
                    clock.trusted_rate = rate**AGEING
                return iteration
            if iteration > 2 and rate >= 1.0:
                return 0
            last = size
        return 0

    return converge


def full_newton_loop(newton_iteration, refresh_here):
    """The loop with a new matrix in every iteration; ``refresh_here(model, work, h, scheme)`` makes it."""

    @block
    def converge_fully(model, work, h, scheme, goal):
        """A new matrix in every iteration, for laws with a kink: it may lie on the wrong side at the begin."""
        for iteration in range(1, MOST_FULL + 1):
            refresh_here(model, work, h, scheme)
            size = newton_iteration(model, work, h, scheme)
            if not np.isfinite(size):
                return 0
            if size <= goal:
                # the next step looks again how fast it converges
                work.clock[0].trusted_rate = 1.0
                return iteration
        return 0

    return converge_fully
