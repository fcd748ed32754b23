"""The quick solver finds what the plain one finds, and refuses other sizes; kernels for eight cables and for others."""

import numpy as np
import pytest

from taut.kernels.robots.distribution import NO_BALANCE, new_distribution, solve_distribution
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
    for wrong in ((W[:, 1:], w), (W, w[1:])):
        with pytest.raises(ValueError, match="shape"):
            solver(*wrong)
    for limits in ((hi, lo), (lo, hi[1:]), (np.full(m, np.nan), hi)):
        with pytest.raises(ValueError, match="limits must be"):
            TensionSolver(limits, n)


@pytest.mark.parametrize("near", [1.0, 1e-3, 1e-5, 1e-8])
def test_eight_cables_near_singular_poses(near):
    rng, all_free = np.random.default_rng(5), 0
    lo, hi = np.full(8, 1.0), np.full(8, 9.0)
    solver = TensionSolver((lo, hi), 6, 5.0)
    for _ in range(40):
        W = rng.normal(size=(6, 8))
        W[5] = W[:5].T @ rng.normal(size=5) + near * W[5]
        w = W @ rng.uniform(2.0, 8.0, 8)
        assert solver(W, w) == SOLVED
        f = solver.tensions
        assert W @ f == pytest.approx(w, abs=1e-11) and np.all((f >= lo) & (f <= hi))
        if np.all((f > lo) & (f < hi)):
            # nothing in the nullspace leads nearer to the goal
            assert np.linalg.svd(W)[2][6:] @ (f - 5.0) == pytest.approx(0.0, abs=1e-13 / near)
            all_free += 1
    assert all_free >= 10


def test_what_is_singular_or_no_number_is_not_solved():
    solver, W = TensionSolver((np.zeros(8), np.ones(8)), 6), np.random.default_rng(1).normal(size=(6, 8))
    flat = W.copy()
    flat[3] = flat[0] - flat[2]
    assert solver(flat, np.ones(6)) == NO_BALANCE
    for row in range(6):
        flat = W.copy()
        flat[row, row] = np.nan
        assert solver(flat, W @ np.full(8, 0.5)) != SOLVED
    assert solver(W, np.full(6, np.nan)) != SOLVED
    assert solver(W, W @ np.full(8, 0.5)) == SOLVED
