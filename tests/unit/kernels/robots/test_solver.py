"""The quick solver finds what the plain one finds, and refuses other sizes; kernels for eight cables and for others."""

import numpy as np
import pytest

from taut.kernels.robots.distribution import new_distribution, solve_distribution
from taut.kernels.robots.nearest import INFEASIBLE, SOLVED
from taut.kernels.robots.solver import TensionSolver

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize(("n", "m"), [(6, 8), (6, 7), (3, 4), (2, 5)])
def test_same_as_the_plain_call(n, m):
    rng = np.random.default_rng(m)
    lo, hi, goal = np.full(m, 1.0), np.full(m, 9.0), rng.uniform(0, 10, m)
    solver, f = TensionSolver((lo, hi), n, goal), np.zeros(m)
    for _ in range(20):
        W = rng.normal(size=(n, m))
        w = W @ rng.uniform(1.0, 9.0, m)
        assert solver(W, w) == SOLVED == solve_distribution(W, w, lo, hi, goal, f, new_distribution(m, n))
        assert solver.tensions == pytest.approx(f, abs=1e-12) and W @ f == pytest.approx(w, abs=1e-9)
        assert solver(W, w + 1e3 * W.sum(axis=1)) == INFEASIBLE
    with pytest.raises(ValueError, match="shape"):
        solver(W[:, 1:], w)
