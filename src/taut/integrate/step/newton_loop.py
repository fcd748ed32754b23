"""Newton's iteration of a step, for every implicit method: how far, and when to give up.

With the rate of convergence r, a correction of size s leaves an error of about r / (1 - r) s, and n more iterations
leave r^n times that [Hairer 1996, sec. IV.8].
"""

from typing import Any

import numpy as np

from taut.kernels.jit import block

LEAST_RATE = 1e-4  # lower bound of the measured rate of convergence
AGEING = 0.8  # a rate of convergence that a step does not measure anew is raised to this power [Hairer 1996, sec. IV.8]
NEGLIGIBLE = 1e-2  # a correction this small relative to the goal ends the iteration at any rate of convergence
MOST_FULL = 25  # most iterations of full Newton, with a new matrix each


def newton_loop(correct: Any, *, patience: int = 1, halted: float = 0.0, is_foreseeing: bool = True) -> Any:
    """The loop around ``correct(model, work, h, scheme)``, which returns the size of its correction.

    After ``patience`` iterations it gives up if it diverges, or, with ``is_foreseeing``, if the remaining iterations
    will not suffice at the present rate; an error estimate up to ``halted`` is then accepted all the same.
    """

    @block
    def converge(model, work, h, scheme, goal, most):
        """Iterate to an error of ``goal``; returns the iterations, or 0 if it does not converge."""
        clock, count, last = work.clock[0], work.count[0], 0.0
        for iteration in range(1, most + 1):
            size = correct(model, work, h, scheme)
            count.iterations += 1
            if not np.isfinite(size):
                return 0
            # one correction measures no rate: the trusted one of earlier steps serves until the second
            if iteration > 1:
                clock.rate = clock.trusted_rate = max(size / last, LEAST_RATE) if last > 0.0 else LEAST_RATE
            rate = clock.trusted_rate
            rest = rate / (1.0 - rate) * size if rate < 1.0 else size
            # estimate of the error that is left: a geometric series with the rate
            if size <= NEGLIGIBLE * goal or (rate < 1.0 and rest <= goal):
                if iteration == 1:
                    clock.trusted_rate = rate**AGEING
                return iteration
            # in real time the budget of iterations is fixed, and the last iterate is taken
            if count.is_real_time:
                if iteration == most:
                    return iteration
            elif iteration > patience and (rate >= 1.0 or (is_foreseeing and rest * rate ** (most - iteration) > goal)):
                return iteration if rest <= halted else 0
            last = size
        return 0

    return converge


def full_newton_loop(correct: Any, refresh_here: Any) -> Any:
    """The loop with a new matrix in every iteration; ``refresh_here(model, work, h, scheme)`` makes it."""

    @block
    def converge_fully(model, work, h, scheme, goal):
        """A new matrix in every iteration, for laws with a kink: it may lie on the wrong side at the start."""
        for iteration in range(1, MOST_FULL + 1):
            refresh_here(model, work, h, scheme)
            size = correct(model, work, h, scheme)
            work.count[0].iterations += 1
            if not np.isfinite(size):
                return 0
            if size <= goal:
                # full Newton measures no rate: the next step does
                work.clock[0].trusted_rate = 1.0
                return iteration
        return 0

    return converge_fully
