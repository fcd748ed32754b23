"""Complementarity problems: solved and checked, or a named failure; never a wrong answer."""

import numpy as np
import pytest

from taut.kernels.lcp import NO_SOLUTION, NOT_FINITE, SOLVED, TOO_HARD, new_complementarity
from taut.verify.suspension import lcp
from taut.verify.suspension.lcp import is_right, random_problem, solve_first, solve_second


def solve(M, q, solver=solve_first):
    z, work = np.zeros(len(q)), new_complementarity(len(q))
    return solver(np.array(M, float), np.array(q, float), z, len(q), work), z


@pytest.mark.parametrize("kind", lcp.KINDS)
def test_random_problems(kind):
    assert lcp.count_failures(kind, 2500) == (0, 0)


def test_the_second_solver_alone():
    assert lcp.count_failures("positive definite", 2500, is_second=True) == (0, 0)


@pytest.mark.parametrize("kind", ["positive definite", "degenerate"])
def test_both_solvers_agree_where_the_solution_is_one(kind):
    rng = np.random.default_rng(7)
    for _ in range(200):
        M, q = random_problem(kind, rng)
        M = M + np.diag(np.diag(M) + 1e-6)
        (first, z), (second, x) = solve(M, q), solve(M, q, solve_second)
        assert first == second == SOLVED
        assert z == pytest.approx(x, rel=1e-7, abs=1e-9 * np.abs(x).max())


def test_what_the_random_ones_do_not_meet():
    assert solve([[1.0]], [2.0]) == (SOLVED, 0.0)
    assert solve([[2.0]], [-3.0]) == (SOLVED, 1.5)
    assert solve([[0.0]], [-1.0])[0] == NO_SOLUTION
    assert solve([[np.nan]], [-1.0])[0] == NOT_FINITE
    assert solve([[1.0]], [np.inf])[0] == NOT_FINITE
    # not a Q-matrix: an answer may not exist, but every answer is checked
    code, z = solve([[0.0, 1.0], [-1.0, 0.0]], [-1.0, -1.0])
    assert code in (NO_SOLUTION, TOO_HARD) and not z.any()


def test_a_problem_on_which_plain_rules_cycle():
    # [Cottle 1992, ex. 4.2.16]: the least-index and the naive rule of Lemke's method meet ties here
    M = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]])
    for q in ([-1.0, -1.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]):
        code, z = solve(M, q)
        assert code == SOLVED and is_right(M, np.array(q), z)


def test_the_check_of_the_tests_can_fail():
    M, q = np.eye(2), np.array([-1.0, 1.0])
    assert is_right(M, q, np.array([1.0, 0.0]))
    assert not any(is_right(M, q, np.array(z)) for z in ([0.9, 0.0], [1.0, 0.1], [0.0, 0.0], [1.0, -1e-3]))
