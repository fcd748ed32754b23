"""Bands of margins: round levels, and triangles cut along them without a gap."""

import numpy as np
import pytest

from taut.views.robots.bands import band_colours, band_levels, band_of, cut_bands


@pytest.mark.parametrize("top", [0.013, 1.0, 760.4, 1550.0, 9e6])
def test_levels_are_round_and_cover_the_margin(top):
    levels = band_levels(top)
    step = levels[1]
    assert levels[-2] < top <= levels[-1] * (1 + 1e-9) and 6 <= len(levels) - 1 <= 15
    assert round(step / 10.0 ** np.floor(np.log10(step) + 1e-9)) in (1, 2, 5)
    assert len(band_colours(levels)) == len(levels) - 1


def test_nothing_inside_has_one_band():
    assert band_levels(0.0).tolist() == [0.0, 1.0] and band_of(np.array([-1.0, 2.0]), band_levels(0.0)).tolist() == [
        0,
        0,
    ]


def test_cut_triangles_cover_the_same_and_stay_in_their_bands():
    rng, levels = np.random.default_rng(3), np.arange(0.0, 7.0)
    corners = rng.normal(size=(50, 3, 3))
    slope = np.array([1.0, 0.5, -0.7])
    value = lambda x: 3.0 + x @ slope  # noqa: E731
    pieces, bands = cut_bands(corners, value(corners), levels)

    def areas(triangles):
        return np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) / 2.0

    # the same area, and the same sense
    np.testing.assert_allclose(areas(pieces).sum(axis=0), areas(corners).sum(axis=0), atol=1e-9)
    assert np.linalg.norm(areas(pieces), axis=1).sum() == pytest.approx(np.linalg.norm(areas(corners), axis=1).sum())
    inner = (value(pieces) >= levels[bands][:, None] - 1e-9) & (value(pieces) <= levels[bands + 1][:, None] + 1e-9)
    is_within = (value(pieces).min(axis=1) > 0.0) & (value(pieces).max(axis=1) < 6.0)
    assert inner[is_within].all() and is_within.sum() > 50 and len(np.unique(bands)) == 6
