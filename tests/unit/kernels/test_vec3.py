import numpy as np
import pytest

from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, norm3, scale3, store3, sub3

pytestmark = pytest.mark.nojit

A, B = (1.0, -2.0, 3.0), (0.5, 4.0, -1.0)


def test_sums():
    assert add3(A, B) == (1.5, 2.0, 2.0)
    assert sub3(A, B) == (0.5, -6.0, 4.0)
    assert scale3(2.0, A) == (2.0, -4.0, 6.0)
    assert axpy3(2.0, A, B) == (2.5, 0.0, 5.0)


def test_products():
    assert dot3(A, B) == np.dot(A, B)
    assert cross3(A, B) == tuple(np.cross(A, B))
    assert norm3((2.0, 3.0, 6.0)) == 7.0


def test_products_are_bilinear_not_hermitian():
    assert dot3((1j, 0j, 0j), (1j, 0j, 0j)) == -1


def test_stores():
    x = np.zeros(3)
    store3(x, A)
    assert load3(x) == A
