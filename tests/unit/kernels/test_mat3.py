import numpy as np
import pytest

from machines import random_axes
from taut.kernels.mat3 import (
    column,
    load6,
    load9,
    mat_mat,
    mat_t_vec,
    mat_vec,
    store9,
    sym_add,
    sym_rotated,
    sym_vec,
)

pytestmark = pytest.mark.nojit

RNG = np.random.default_rng(4)
M, N, R = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3)), random_axes(RNG)
A = RNG.normal(size=3)
S = RNG.normal(size=(3, 3)) + 4 * np.eye(3)
S = S + S.T
UPPER = np.triu_indices(3)


def flat(m):
    return tuple(m.ravel())


def upper(s):
    return tuple(s[UPPER])


def test_matrix_products():
    assert np.allclose(mat_vec(flat(M), tuple(A)), M @ A)
    assert np.allclose(mat_t_vec(flat(M), tuple(A)), M.T @ A)
    assert np.allclose(mat_mat(flat(M), flat(N)), (M @ N).ravel())


def test_symmetric_products():
    assert np.allclose(sym_vec(upper(S), tuple(A)), S @ A)
    assert np.allclose(sym_rotated(flat(R), upper(S)), upper(R @ S @ R.T))
    assert np.allclose(sym_add(upper(S), upper(2 * S)), upper(3 * S))


@pytest.mark.parametrize("k", range(3))
def test_column(k):
    assert column(flat(M), k) == tuple(M[:, k])


def test_stores():
    x = np.zeros(9)
    store9(x, flat(M))
    assert load9(x) == flat(M)
    assert load6(x) == flat(M)[:6]
