"""The nearest point of a polytope against scipy, and proofs that there is none."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from taut.kernels.jit import entry
from taut.kernels.robots.nearest import INFEASIBLE, SOLVED, nearest, new_nearest

pytestmark = pytest.mark.nojit


@entry
def solve(A, low, high, x, work):
    return nearest(A, low, high, x, A.shape[0], A.shape[1], 1e-12, work)


def random_problem(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    A = rng.normal(size=(int(rng.integers(d, 9)), d))
    centre = A @ rng.normal(size=d) + rng.normal(size=len(A)) * rng.integers(0, 2)
    return A, centre - rng.random(len(A)), centre + rng.random(len(A)), 3.0 * rng.normal(size=d)


@pytest.mark.parametrize("seed", range(40))
def test_nearest_point_or_proof(seed):
    A, low, high, start = random_problem(seed)
    work, x = new_nearest(*A.shape), start.copy()
    code = solve(A, low, high, x, work)
    exists = linprog(np.zeros(A.shape[1]), np.vstack([A, -A]), np.r_[high, -low], bounds=(None, None)).status == 0
    assert code == (SOLVED if exists else INFEASIBLE)
    if exists:
        sides = ({"type": "ineq", "fun": lambda y: high - A @ y}, {"type": "ineq", "fun": lambda y: A @ y - low})
        other = minimize(lambda y: ((y - start) ** 2).sum(), x, constraints=sides, options={"ftol": 1e-14})
        assert np.all(A @ x >= low - 1e-11) and np.all(A @ x <= high + 1e-11)
        assert ((x - start) ** 2).sum() <= other.fun + 1e-7
    else:
        y = work.proof
        assert y @ A == pytest.approx(0.0, abs=1e-9)
        assert np.where(y > 0, y * low, y * high).sum() > 1e-9


def test_rows_that_nothing_moves_are_proved_violated():
    x, work = np.zeros(1), new_nearest(2, 1)
    rows = np.array([[1.0], [2e-17]])
    assert solve(rows, np.array([-1.0, 3.0]), np.array([1.0, np.inf]), x, work) == INFEASIBLE
    assert work.proof[1] > 0.0


def test_bounds_that_hold_are_met_exactly():
    x, work = np.array([5.0, -4.0]), new_nearest(2, 2)
    assert solve(np.eye(2), np.array([0.0, -1.0]), np.array([1.0, np.inf]), x, work) == SOLVED
    assert x.tolist() == [1.0, -1.0] and work.count[0] == 2
