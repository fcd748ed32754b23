"""Few stations in place of many elements."""

import numpy as np
import pytest

from taut.build.reduction.stations import gauss_rule, gram_polynomials, middle_sums, points


@pytest.mark.parametrize(("n", "count"), [(40, 6), (40, 24), (7, 6), (5, 5), (3, 9)])
def test_weights_are_positive_and_sums_exact(n, count):
    x, weights = gauss_rule(n, count)
    assert weights.min() > 0
    degree = 2 * min(count, n) - 1
    for power in range(degree + 1):
        assert weights @ x**power == pytest.approx(np.sum(points(n) ** power), rel=1e-11, abs=1e-11)


def test_polynomials_are_orthonormal_over_the_points():
    P = gram_polynomials(12, 11, points(12))
    assert np.abs(P.T @ P - np.eye(12)).max() < 1e-10


@pytest.mark.parametrize("count", [8, 12])
def test_middles_of_elements_are_sums_of_those_before(count):
    n = 12
    x, _ = gauss_rule(n, count)
    u = lambda x: 1 + 0.3 * x - 0.2 * x**3 + 0.1 * x**6  # noqa: E731
    middles = np.cumsum(u(points(n))) - 0.5 * u(points(n))
    expected = np.polyval(np.polyfit(points(n), middles, 9), x)
    assert middle_sums(n, x) @ u(x) == pytest.approx(expected, abs=1e-9)
