"""Eight numbers at a time against NumPy."""

import itertools

import numba
import numpy as np
import pytest

from taut.kernels.lanes import eight, put, total

REAL, COMPLEX = np.float64, np.complex128


def operators(a, b, number, out):
    """All operators, with lanes and with numbers on both sides."""
    x, y = eight(a, 1), eight(b, 2)
    put(out, 0, x + y)
    put(out, 8, x - y)
    put(out, 16, x * y)
    put(out, 24, x / y)
    put(out, 32, -x)
    put(out, 40, number + x)
    put(out, 48, x - number)
    put(out, 56, number * x)
    put(out, 64, number / x)
    put(out, 72, x / number)
    put(out, 80, 2 * x - 0.5)
    z = x + y
    z = z * number
    put(out, 88, z)
    return total(y)


def expected(x, y, number):
    """The results of ``operators`` as NumPy computes them."""
    parts = [x + y, x - y, x * y, x / y, -x, number + x, x - number, number * x, number / x, x / number, 2 * x - 0.5]
    return np.concatenate([*parts, (x + y) * number])


def values(rng, kind, count):
    """Numbers of a kind, none of them near zero."""
    found = rng.uniform(0.5, 2.0, count)
    return found + 1j * rng.uniform(-1.0, 1.0, count) if kind is COMPLEX else found


@pytest.mark.parametrize("kinds", list(itertools.product((REAL, COMPLEX), repeat=3)))
@pytest.mark.parametrize("is_compiled", [True, False])
def test_operators(kinds, is_compiled):
    rng = np.random.default_rng(2)
    a, b, number = values(rng, kinds[0], 10), values(rng, kinds[1], 11), values(rng, kinds[2], 1)[0]
    out = np.zeros(96, COMPLEX if COMPLEX in kinds else REAL)
    with_numbers = numba.njit(operators) if is_compiled else plain(operators)
    assert with_numbers(a, b, number, out) == pytest.approx(b[2:10].sum(), rel=1e-14)
    assert out == pytest.approx(expected(a[1:9], b[2:10], number), rel=1e-13)


def plain(function):
    """The function with the lanes of NumPy, as without a compiler."""
    from taut.kernels import lanes

    names = {"eight": lanes.eight_plain, "put": lanes.put_plain, "total": lanes.total_plain}
    return type(function)(function.__code__, {**function.__globals__, **names})


def test_only_arrays_without_gaps():
    @numba.njit
    def read(array):
        return total(eight(array, 0))

    with pytest.raises(numba.TypingError):
        read(np.zeros(32)[::2])
    with pytest.raises(numba.TypingError):
        read(np.zeros(16, np.float32))
