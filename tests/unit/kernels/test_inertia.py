import numpy as np
import pytest

from compare import relative_error
from machines import random_axes
from reference.frames import skew
from taut.kernels.inertia import (
    body_inertia,
    load_inertia,
    mat_less_outer,
    rod_inertia,
    shifted_inertia,
    sym_less_outer,
)

pytestmark = pytest.mark.nojit


def symmetric(s):
    """A 6-tuple as a matrix."""
    xx, xy, xz, yy, yz, zz = s
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def dense(a, b, c):
    """[A B; B^T C]."""
    B = np.reshape(b, (3, 3))
    return np.block([[symmetric(a), B], [B.T, symmetric(c)]])


def shift(r):
    """Maps (alpha, a) at a point to the acceleration a + alpha x r at r from it."""
    return np.block([[np.eye(3), np.zeros((3, 3))], [-skew(r), np.eye(3)]])


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def random_inertia(rng):
    return tuple(rng.normal(size=6)), tuple(rng.normal(size=9)), tuple(rng.normal(size=6))


def test_shift_to_another_point(rng):
    inertia, r = random_inertia(rng), rng.normal(size=3)
    X = shift(r)
    assert relative_error(dense(*shifted_inertia(*inertia, tuple(r))), X.T @ dense(*inertia) @ X) < 1e-14


def test_body_is_a_shifted_centre(rng):
    mass, d, inertia = 2.0, rng.normal(size=3), tuple(rng.normal(size=6))
    centre = inertia, (0.0,) * 9, (mass, 0.0, 0.0, mass, 0.0, mass)
    X = shift(d)
    assert relative_error(dense(*body_inertia(mass, tuple(d), inertia)), X.T @ dense(*centre) @ X) < 1e-14


def test_rod_is_a_body_with_an_axis(rng):
    R, mass, centre, across, along = random_axes(rng), 2.0, -0.3, 0.7, 0.2
    t = R[:, 2]
    turned = (R @ np.diag([across, across, along]) @ R.T)[np.triu_indices(3)]
    expected = dense(*body_inertia(mass, tuple(centre * t), tuple(turned)))
    assert relative_error(dense(*rod_inertia(mass, centre, across, along, tuple(t))), expected) < 1e-14


def test_load(rng):
    inertia = random_inertia(rng)
    assert load_inertia(np.concatenate(inertia)) == inertia


def test_elimination_of_a_column(rng):
    (a, b, c), u, w, f = random_inertia(rng), rng.normal(size=3), rng.normal(size=3), 0.7
    U, (u, w) = np.concatenate([u, w]), (tuple(u), tuple(w))
    found = dense(sym_less_outer(a, u, f), mat_less_outer(b, u, w, f), sym_less_outer(c, w, f))
    assert relative_error(found, dense(a, b, c) - f * np.outer(U, U)) < 1e-14
