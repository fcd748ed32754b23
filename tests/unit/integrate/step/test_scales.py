"""Sizes by which errors are judged."""

import numpy as np
import pytest

from taut import library
from taut.build import build
from taut.dynamics.tree.displacement import largest_displacement
from taut.integrate.start.start_state import start_state
from taut.integrate.step.scales import body_radii, machine_size, placed_at, reaches
from taut.scenario.io.reading import loads

pytestmark = pytest.mark.nojit

ARM = """
taut: 1
name: arm
bodies:
  arm: {mass: 2, box: [0.1, 0.1, 3], joint: {kind: revolute, axis: [0, 1, 0]}, com: [0, 0, -1.5]}
"""


def started(scenario):
    model = build(scenario)
    return model, start_state(model).data


def test_size_and_reach_of_an_arm():
    model, data = started(loads(ARM))
    radius = 1.5 + np.linalg.norm([0.05, 0.05, 1.5])
    assert body_radii(model, 10.0)[-1] == pytest.approx(radius)
    assert reaches(model, placed_at(model, data), body_radii(model, 10.0))[0] == pytest.approx(radius)
    assert 3.0 <= machine_size(model, data) <= 2 * radius


def test_a_single_point_counts_as_a_metre():
    model, data = started(loads("{taut: 1, name: point, bodies: {ball: {mass: 1, joint: {kind: prismatic}}}}"))
    assert machine_size(model, data) == 1.0


def points_at(model, data, q):
    """Origins of all nodes at coordinates."""
    moved = data._replace(q=q)
    return placed_at(model, moved).nodes["x"].copy()


@pytest.mark.parametrize("name", ["double-pendulum", "mamidi-pick-and-place", "stewart-free-fall"])
def test_no_node_moves_farther_than_the_largest_displacement(name):
    from taut.dynamics.tree.positions import move

    model, data = started(library.load(name))
    rng = np.random.default_rng(1)
    radii = np.zeros(len(model.tables.nodes))
    step = 1e-7 * rng.normal(size=model.column_count)
    moved = data.q.copy()
    move(model.tables, data.q, step, moved)
    found = np.linalg.norm(points_at(model, data, moved) - points_at(model, data, data.q), axis=1).max()
    placed = placed_at(model, data)
    told = largest_displacement(model.tables, placed, step, radii, reaches(model, placed, radii))
    assert told == pytest.approx(found, rel=1e-4)
