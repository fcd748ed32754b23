"""Piecewise linear forces in the engine against their definition, in plain NumPy from exact forces."""

import numpy as np
import pytest

from taut import library
from taut.analyses.piecewise.greedy import weights
from taut.analyses.piecewise.model import Machine, linearise
from taut.build import build
from taut.build.reduction.piecewise import PiecewiseForces, why_exact
from taut.dynamics.residual import residual
from taut.model import new_data

SPREAD = np.array([0.0, 0.02, -0.03])


@pytest.fixture(scope="module")
def machine():
    """The planar robot with three elements per cable, and points near its start."""
    model = build(library.load("tempel-planar", ["defaults.cable.elements=3"]))
    rng, n, exact = np.random.default_rng(0), model.column_count, Machine(model)
    q = model.start_coordinates + SPREAD[:, None] * rng.normal(size=(3, n))
    v = 0.3 * rng.normal(size=(3, n))
    slopes = [exact.slopes(a, b) for a, b in zip(q, v, strict=True)]
    force = np.array([exact.force(a, b) for a, b in zip(q, v, strict=True)])
    P = rng.normal(size=(2, 2 * n))
    forces = PiecewiseForces(q, v, force, np.array([A for A, _ in slopes]), np.array([B for _, B in slopes]), P,
                             -np.ones(2), np.ones(2))  # fmt: skip
    return model, exact, forces


def residuals(model, q, v, time):
    """Residuals with exact and with piecewise linear forces, at random accelerations and multipliers."""
    rng, data = np.random.default_rng(1), new_data(model)
    found, a, lam = np.zeros(model.column_count), rng.normal(size=model.column_count), rng.normal(size=model.row_count)
    data.q[:], data.v[:], data.time[0] = q, v, time
    residual(model.tables, data, a, lam, found)
    return found


@pytest.mark.parametrize("time", [0.0, 4.0])
def test_forces_are_mixed_and_all_else_is_exact(machine, time):
    model, exact, forces = machine
    rng = np.random.default_rng(2)
    # about half way between two points, so that both count
    q = forces.q[:2].mean(axis=0) + 1e-5 * rng.normal(size=model.column_count)
    v = forces.v[:2].mean(axis=0) + 1e-5 * rng.normal(size=model.column_count)
    share = weights(forces.place(q, v)[None], forces.place(forces.q, forces.v))[0]
    linear = [f + (q - a) @ A + (v - b) @ B for f, a, b, A, B in zip(
        forces.force, forces.q, forces.v, forces.stiffness, forces.damping, strict=True)]  # fmt: skip
    expected = residuals(model, q, v, time) + exact.force(q, v) - share @ np.array(linear)
    found = residuals(forces.of(model), q, v, time)
    assert share.max() < 0.99
    assert found == pytest.approx(expected, abs=1e-9 * np.abs(exact.force(q, v)).max())


def test_at_a_point_the_forces_are_exact(machine):
    model, _, forces = machine
    for q, v in zip(forces.q, forces.v, strict=True):
        found, expected = residuals(forces.of(model), q, v, 1.0), residuals(model, q, v, 1.0)
        assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


def test_the_published_recipe_weighs_by_the_distance_of_the_coordinates_alone(machine):
    model, exact, forces = machine
    linear, data = linearise(model, forces.q, forces.v), new_data(linearise(model, forces.q, forces.v))
    angles = linear.points.measure[:, : model.column_count]
    q = forces.q[:2].mean(axis=0)
    d = np.linalg.norm((q - forces.q) @ angles.T, axis=1)
    share = np.exp(-25.0 * (d / d.min() - 1.0))
    data.q[:], data.v[:] = q, forces.v[0]
    a, lam, found = np.zeros(model.column_count), np.zeros(model.row_count), np.zeros(model.column_count)
    residual(linear.tables, data, a, lam, found)
    assert data.piecewise.weights == pytest.approx(share / share.sum(), rel=1e-9, abs=1e-12)
    assert share.min() < 0.5 and linear.points.force == pytest.approx(forces.force, rel=1e-9, abs=1e-6)


def test_weights_are_convex_smooth_and_one_at_their_point():
    rng = np.random.default_rng(3)
    points, places = rng.normal(size=(5, 3)), rng.normal(size=(40, 3))
    found = weights(places, points)
    assert found.min() >= 0.0
    assert found.sum(axis=1) == pytest.approx(np.ones(40), abs=1e-14)
    assert weights(points, points) == pytest.approx(np.eye(5), abs=1e-12)


def test_machines_whose_forces_depend_on_more_than_their_state_stay_exact():
    reasons = {
        name: why_exact(build(library.load(name)))
        for name in ("tempel-planar", "crane-2d", "mamidi-pick-and-place", "bounce")
    }
    assert reasons.pop("tempel-planar") == ""
    assert all(reasons.values()), reasons
