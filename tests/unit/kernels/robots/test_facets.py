"""Capacity margins against the convex hull of all extreme wrenches, and closure against a linear program."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from taut.kernels.jit import entry
from taut.kernels.robots.facets import find_margins, new_facets

pytestmark = pytest.mark.nojit
SIZES = [(2, 2), (2, 4), (3, 4), (3, 6), (6, 6), (6, 7), (6, 8)]


@entry
def margins(lo, hi, direction, work):
    return find_margins(lo, hi, direction, work)


def new_work(W, w0, half):
    work = new_facets(W.shape[1], W.shape[0])
    work.W[:], work.w0[:], work.half[:] = W, w0, half
    return work


@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("seed", range(3))
def test_margin_is_that_of_the_hull(n, m, seed):
    rng = np.random.default_rng(seed)
    W, lo, half = rng.normal(size=(n, m)), rng.random(m), 0.1 * rng.random(n)
    hi = lo + 1.0 + rng.random(m)
    w0 = W @ (lo + rng.uniform(-0.2, 1.2, m) * (hi - lo))
    work = new_work(W, w0, half)
    margins(lo, hi, np.zeros(n), work)
    extremes = np.array([W @ np.where(pick, hi, lo) for pick in itertools.product((False, True), repeat=m)])
    facets = ConvexHull(extremes, qhull_options="Qt").equations
    hull = np.min(-facets[:, :-1] @ w0 - facets[:, -1] - np.abs(facets[:, :-1]) @ half)
    assert work.found[0] == pytest.approx(hull, abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_closure_is_that_of_the_linear_program(seed):
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(3, 6)) + 0.6
    work = new_work(W, np.zeros(3), np.zeros(3))
    margins(np.zeros(6), np.ones(6), np.zeros(3), work)
    # max t with W f = 0, f >= t, sum f = 1
    rows = np.hstack([-np.eye(6), np.ones((6, 1))])
    equal = np.vstack([np.hstack([W, np.zeros((3, 1))]), [*np.ones(6), 0.0]])
    best = linprog([*np.zeros(6), -1.0], rows, np.zeros(6), equal, [0, 0, 0, 1], bounds=(None, None))
    assert (work.found[1] > 0.0) == (best.status == 0 and -best.fun > 0.0)


def test_reach_ends_on_the_hull():
    rng = np.random.default_rng(1)
    W, lo, hi, direction = rng.normal(size=(3, 5)), np.zeros(5), np.ones(5), np.array([1.0, -0.5, 0.3])
    work = new_work(W, W @ np.full(5, 0.5), np.zeros(3))
    margins(lo, hi, direction, work)
    reach = work.found[2]
    work.w0[:] += reach * direction
    margins(lo, hi, direction, work)
    assert reach > 0.0 and work.found[0] == pytest.approx(0.0, abs=1e-12)


def test_a_singular_pose_has_no_margin():
    W = np.array([[1.0, -1.0, 0.5], [2.0, -2.0, 1.0]])
    work = new_work(W, np.array([0.0, 1.0]), np.zeros(2))
    assert margins(np.zeros(3), np.ones(3), np.zeros(2), work) < 1e-11
    assert work.found[0] == pytest.approx(-1.0 / np.sqrt(5.0)) and work.found[1] == 0.0
