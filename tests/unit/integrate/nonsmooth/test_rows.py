"""Solves with one-sided rows, against dense matrices."""

import numpy as np
import pytest

from engine import dense_jacobian, dense_mass
from taut.dynamics.residual import place_closures
from taut.dynamics.tree.positions import move
from taut.integrate.nonsmooth.rows import (
    close_rates,
    close_rows,
    condense_mass,
    expand_impulses,
    list_active,
    solve_sided,
    solve_small,
    spread_listed,
)
from taut.kernels.lcp import SOLVED

from .pieces import held_box, method_of, placed_stage

pytestmark = pytest.mark.uncompiled


@pytest.fixture
def split():
    """A method whose rows are condensed by the mass matrix, and dense M and J of the same state."""
    method = method_of(held_box())
    data = placed_stage(method)
    condense_mass(method.model.tables, data, method.work)
    return method, dense_mass(method.model, data), dense_jacobian(method.model, data)


def test_condensed_rows_are_a_schur_complement(split):
    method, M, J = split
    work = method.work
    W = J @ np.linalg.solve(M, J.T)
    one, both = work.rows, np.flatnonzero(work.place < 0)
    assert len(one) >= 4 and len(both) == 3
    Y = np.linalg.solve(W[np.ix_(both, both)], W[np.ix_(both, one)])
    assert work.hard.Y[:, both] == pytest.approx(Y.T, rel=1e-9, abs=1e-9)
    expected = W[np.ix_(one, one)] - W[np.ix_(one, both)] @ Y
    assert work.hard.M == pytest.approx(expected, rel=1e-9, abs=1e-9 * abs(expected).max())


@pytest.mark.parametrize("seed", range(4))
def test_a_solve_meets_both_kinds_of_rows(split, seed):
    method, M, J = split
    work, random = method.work, np.random.default_rng(seed)
    one, both = work.rows, np.flatnonzero(work.place < 0)
    work.bound[:] = random.normal(size=len(one))
    work.shift[:] = random.uniform(0.0, 0.1, size=len(one))
    active = np.array([1] * (len(one) - 1) + [0])
    b, g, x, mu = random.normal(size=len(M)), random.normal(size=len(J)), np.zeros(len(M)), np.zeros(len(J))
    code = solve_sided(method.model.tables, work.stage, work.mass, work.hard, work, active, b, g, x, mu)
    assert code == SOLVED
    assert M @ x - J.T @ mu == pytest.approx(b, abs=1e-8)
    assert J[both] @ x == pytest.approx(g[both], abs=1e-8)
    gap, z = (J[one] @ x - work.bound)[:-1], (mu[one] + work.shift)[:-1]
    assert gap.min() > -1e-8 and z.min() > -1e-10 and np.abs(gap * z).max() < 1e-7
    assert mu[one[-1]] == -work.shift[-1]


def test_impulses_leave_two_sided_rows_at_rest(split):
    method, M, J = split
    work = method.work
    given = np.arange(1.0, len(work.rows) + 1)
    x, mu = np.zeros(len(M)), np.zeros(len(J))
    expand_impulses(method.model.tables, work.stage, work.mass, work.hard, work, given, x, mu)
    assert mu[work.rows] == pytest.approx(given)
    assert M @ x == pytest.approx(J.T @ mu, abs=1e-9)
    assert J[work.place < 0] @ x == pytest.approx(0.0, abs=1e-9)


def test_rates_are_closed_and_take_no_energy_in(split):
    method, M, J = split
    work, data = method.work, method.work.stage
    # no step has made a Newton matrix yet: its place is taken by that of the masses
    work = work._replace(factor=work.mass, soft=work.hard, at=data)
    data.v[:] = np.random.default_rng(7).normal(size=len(M))
    before = 0.5 * data.v @ M @ data.v
    placed = data.v.copy()
    is_closed = np.array([1, 1] + [0] * (len(work.rows) - 2))
    for row, rate in zip(data.rows, J @ placed, strict=True):
        row.rate = rate
    close_rates(method.model.tables, work, data, is_closed, 1e-10, np.zeros(len(M)), np.zeros(len(J)))
    held = np.append(np.flatnonzero(work.place < 0), work.rows[:2])
    assert np.abs(J[held] @ data.v).max() < 1e-9
    assert 0.0 < 0.5 * data.v @ M @ data.v < before


def closed_rows(split, is_closed):
    """Close the positions of a displaced machine; returns the gaps and the coordinates that it had before."""
    method, M, _ = split
    model, work, data = method.model.tables, method.work, method.work.stage
    work = work._replace(factor=work.mass, soft=work.hard, at=data)
    move(model, data.q, 1e-6 * np.random.default_rng(3).normal(size=len(M)), data.q)
    place_closures(model, data)
    gaps, q = data.rows.value.copy(), data.q.copy()
    close_rows(model, work, data, is_closed, 1e-10, np.zeros(len(M)), np.zeros(len(gaps)))
    place_closures(model, data)
    return gaps, q


def test_positions_are_closed_by_the_smallest_displacement(split):
    """To first order, -M^-1 J^T (J M^-1 J^T)^-1 gap, which is the smallest one in the metric of the matrix."""
    method, M, J = split
    both = method.work.place < 0
    gaps, q = closed_rows(split, np.zeros(len(method.work.rows), int))
    assert np.abs(gaps[both]).max() > 1e-7 and np.abs(method.work.stage.rows.value[both]).max() < 1e-10
    B = J[both]
    expected = -np.linalg.solve(M, B.T @ np.linalg.solve(B @ np.linalg.solve(M, B.T), gaps[both]))
    moved = q.copy()
    move(method.model.tables, q, expected, moved)
    assert np.abs(method.work.stage.q - moved).max() < 1e-3 * np.abs(expected).max()


def test_only_marked_rows_are_closed(split):
    work = split[0].work
    lowest = int(np.argmin(work.stage.rows.value[work.rows]))
    is_closed = (np.arange(len(work.rows)) == lowest).astype(int)
    gaps, _ = closed_rows(split, is_closed)
    found = work.stage.rows.value
    # from a gap of centimetres the factor of the start converges by its rate, not quadratically
    least = gaps[work.rows].min()
    assert least > 1e-3 and abs(found[work.rows[lowest]]) < 1e-6 * least
    assert np.abs(found[work.place < 0]).max() < 1e-6 * least
    assert np.abs(np.delete(found[work.rows], lowest)).min() > 1e-6


def test_active_rows_are_listed_and_spread_back():
    work = method_of(held_box()).work
    active = np.zeros(len(work.rows), int)
    active[[1, 3]] = 1
    assert list_active(work, active) == 2 and list(work.listed[:2]) == [1, 3]
    work.z[:2] = 7.0, 8.0
    spread_listed(work.z, work.listed, 2)
    assert list(work.z[:4]) == [0.0, 7.0, 0.0, 8.0]


def test_dependent_rows_of_a_small_system():
    A = np.array([[4.0, 0.0, 0.0], [2.0, 1.0, 0.0], [4.0, 1.0, 9.0]])
    z = np.array([4.0, 2.0, 1.0])
    solve_small(A, z, 2)
    # the second row is half the first: its component is zero, and the third was not asked for
    assert z == pytest.approx([1.0, 0.0, 1.0])
