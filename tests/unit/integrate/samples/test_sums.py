"""Sums over entries of samples: right, and the same for one sample as for many."""

import numpy as np
import pytest

from taut.integrate.samples.sums import combined, sums


def test_sums_of_one_sample_are_those_of_many_bit_by_bit():
    values = np.random.default_rng(1).normal(size=(60, 40))[:, np.arange(40)[::-1]]
    whole = sums(values)
    assert [sums(values[k : k + 1])[0] for k in range(60)] == list(whole)
    np.testing.assert_allclose(whole, values.sum(axis=1), rtol=0, atol=1e-13)


@pytest.mark.parametrize("count", [1, 2, 5, 13, 40, 81])
def test_combined_shapes_of_one_sample_are_those_of_many_bit_by_bit(count):
    random = np.random.default_rng(count)
    coefficients, shapes = random.normal(size=(50, 2 * count))[:, ::2], random.normal(size=(17, count))
    whole = combined(coefficients, shapes)
    for first, last in ((k, m) for m in range(1, 51, 7) for k in range(m)):
        assert np.array_equal(combined(coefficients[first:last], shapes), whole[first:last])
    np.testing.assert_allclose(whole, coefficients @ shapes.T, rtol=0, atol=1e-12)
