"""Shapes: mass and inertia against integrals over random points."""

import numpy as np
import pytest

from taut.scenario.records.body import Body

POINTS = np.random.default_rng(0).uniform(-1, 1, (200_000, 3))


def inside(shape: str, p: np.ndarray) -> np.ndarray:
    r = np.hypot(p[:, 0], p[:, 1])
    along = np.abs(p[:, 2]) < 0.6
    return {
        "box": (np.abs(p) < [0.4, 0.3, 0.6]).all(axis=1),
        "cylinder": along & (r < 0.5),
        "tube": along & (r < 0.9) & (r > 0.5),
        "sphere": (p * p).sum(axis=1) < 0.7**2,
    }[shape]


SHAPES = {
    "box": [0.8, 0.6, 1.2],
    "cylinder": {"radius": 0.5, "length": 1.2},
    "tube": {"inner": 0.5, "outer": 0.9, "length": 1.2},
    "sphere": {"radius": 0.7},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_against_monte_carlo(shape):
    p = POINTS[inside(shape, POINTS)]
    mass, _, inertia = Body(density=2.0, **{shape: SHAPES[shape]}).mass_properties()
    weight = 2.0 * 8 / len(POINTS)
    expected = weight * (np.eye(3) * (p * p).sum() - p.T @ p)
    assert mass == pytest.approx(weight * len(p), rel=0.02)
    assert inertia == pytest.approx(expected, abs=0.03 * np.abs(expected).max())


def test_mass_instead_of_density():
    mass, _, inertia = Body(mass=3.0, rod={"length": 2}).mass_properties()
    assert mass == 3.0
    assert inertia == pytest.approx(np.diag([1.0, 1.0, 0.0]))


def test_axis_turns_the_inertia():
    upright = Body(mass=1, cylinder={"radius": 0.1, "length": 1}).mass_properties()[2]
    lying = Body(mass=1, cylinder={"radius": 0.1, "length": 1, "axis": [2, 0, 0]}).mass_properties()[2]
    assert np.diag(lying) == pytest.approx(np.diag(upright)[[2, 0, 1]])
