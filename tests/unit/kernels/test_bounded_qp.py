"""Quadratic problems with bounds: the conditions of an optimum, scipy's answers, and problems without one."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from taut.kernels.bounded_qp import bounded_qp, new_bounded, solve_rows
from taut.kernels.lcp import SOLVED

KINDS = ["one-sided", "wide and narrow boxes", "free or one-sided", "any", "boxes away from zero"]
ROUNDING = 1e-11


def random_bounds(kind, rng, n):
    inf = np.full(n, np.inf)
    if kind == "one-sided":
        return np.zeros(n), inf
    if kind == "wide and narrow boxes":
        high = 10.0 ** rng.uniform(-6, 6, size=n)
        return -high, high
    if kind == "free or one-sided":
        return np.where(rng.random(n) < 0.5, 0.0, -inf), inf
    if kind == "any":
        return (np.where(rng.random(n) < 0.5, sign * rng.random(n), sign * inf) for sign in (-1.0, 1.0))
    low = rng.normal(size=n)
    return low, low + np.maximum(rng.normal(size=n), 0.0)


def random_problem(kind, rng):
    """W = Y^T Y and b in its range, of any rank and all scales."""
    n = int(rng.integers(1, 10))
    Y = rng.normal(size=(int(rng.integers(0, n + 1)), n)) * 10.0 ** rng.uniform(-2, 2, size=n)
    c = rng.normal(size=len(Y)) * 10.0 ** rng.uniform(-3, 3)
    return (Y, c, *random_bounds(kind, rng, n))


@pytest.mark.parametrize("kind", KINDS)
def test_the_optimum_obeys_its_conditions_whatever_the_rank(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(120):
        Y, c, low, high = random_problem(kind, rng)
        W, b = Y.T @ Y, Y.T @ c
        x, _ = bounded_qp(W, b, low, high)
        assert np.all((low <= x) & (x <= high))
        g, most = W @ x + b, ROUNDING * (np.abs(W) @ np.abs(x) + np.abs(b)).max()
        assert np.all((x == low) | (g <= most)) and np.all((x == high) | (g >= -most))


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_no_worse_than_scipy(kind):
    rng = np.random.default_rng(10 + KINDS.index(kind))
    for _ in range(40):
        Y, c, low, high = random_problem(kind, rng)
        if len(Y) and np.all(low < high):
            x, _ = bounded_qp(Y.T @ Y, Y.T @ c, low, high)
            other = lsq_linear(Y, -c, (low, high), tol=1e-14)
            assert np.linalg.norm(Y @ x + c) <= np.linalg.norm(other.fun) + 1e-9 * np.linalg.norm(c)


def test_where_the_optimum_is_one_it_is_that_of_scipy():
    rng = np.random.default_rng(3)
    for _ in range(50):
        Y, c, high = rng.normal(size=(8, 6)), rng.normal(size=8), rng.random(6)
        expected = lsq_linear(Y, -c, (-high, high), method="bvls", tol=1e-15).x
        assert bounded_qp(Y.T @ Y, Y.T @ c, -high, high)[0] == pytest.approx(expected, abs=1e-10)


def test_two_walls_of_which_one_moves_away():
    # b is not in the range of W, and there is a solution all the same
    x, violation = bounded_qp(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, 2.0]), 0.0)
    assert x == pytest.approx([1.0, 0.0], abs=1e-14) and violation == 0.0


def test_without_an_optimum_the_violation_says_so():
    assert bounded_qp(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, -1.0]), 0.0)[1] > 0.1
    assert bounded_qp(np.zeros((1, 1)), np.array([-1.0]), 0.0)[1] == 1.0
    assert bounded_qp(np.zeros((1, 1)), np.array([-1.0]), 0.0, 3.0) == (3.0, 0.0)


def test_redundant_rows_share_what_they_hold():
    # four feet of a table: three of them hold it
    J = np.array([[1.0, x, y] for x in (-1.0, 1.0) for y in (-1.0, 1.0)])
    x, violation = bounded_qp(J @ J.T, -J @ np.array([4.0, 0.5, -0.3]), 0.0)
    assert violation < 1e-14 and J.T @ x == pytest.approx([4.0, 0.5, -0.3], abs=1e-13)


def test_bounds_that_leave_nothing_and_problems_of_no_rows():
    assert bounded_qp(np.eye(2), np.array([1.0, -5.0]), 2.0, 2.0)[0] == pytest.approx([2.0, 2.0])
    assert len(bounded_qp(np.zeros((0, 0)), np.zeros(0), 0.0)[0]) == 0


def test_the_compiled_core_alone():
    W, b, x = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-3.0, 1.0]), np.zeros(2)
    low, high = np.array([0.0, -np.inf]), np.array([0.5, np.inf])
    assert solve_rows(W, b, low, high, x, 0.0, new_bounded(2)) == SOLVED
    assert x == pytest.approx([0.5, -0.75], abs=1e-15)
