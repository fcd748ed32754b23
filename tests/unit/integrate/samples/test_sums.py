"""Sums over entries of samples: right, and the same for one sample as for many."""

import numpy as np

from taut.integrate.samples.sums import combined, sums


def test_sums_of_one_sample_are_those_of_many_bit_by_bit():
    values = np.random.default_rng(1).normal(size=(60, 40))[:, np.arange(40)[::-1]]
    whole = sums(values)
    assert [sums(values[k : k + 1])[0] for k in range(60)] == list(whole)
    np.testing.assert_allclose(whole, values.sum(axis=1), rtol=0, atol=1e-13)


def test_combined_shapes_of_one_sample_are_those_of_many_bit_by_bit():
    random = np.random.default_rng(2)
    coefficients, shapes = random.normal(size=(50, 33, 2)), random.normal(size=(17, 33))
    whole = combined(coefficients, shapes)
    pieces = np.concatenate([combined(coefficients[k : k + 1], shapes) for k in range(50)])
    assert np.array_equal(pieces, whole)
    np.testing.assert_allclose(whole, np.einsum("tjk,pj->tpk", coefficients, shapes), rtol=0, atol=1e-13)
    one = coefficients[..., 0]
    np.testing.assert_allclose(combined(one, shapes), one @ shapes.T, rtol=0, atol=1e-13)
