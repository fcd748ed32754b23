import numpy as np

from taut.views.thinning import thin


def test_few_points_stay_as_they_are():
    x, y = thin(np.arange(5.0), np.arange(5.0) ** 2, 10)
    np.testing.assert_array_equal(y, [0, 1, 4, 9, 16])


def test_a_peak_of_one_sample_survives():
    x = np.linspace(0.0, 1.0, 100_001)
    y = np.sin(20 * x)
    y[43_210], y[77_777] = 9.0, np.nan
    thin_x, thin_y = thin(x, y, 1000)
    assert len(thin_x) < 1100 and np.nanmax(thin_y) == 9.0 and np.all(np.diff(thin_x) > 0)
    assert (thin_x[0], thin_x[-1]) == (0.0, 1.0)
