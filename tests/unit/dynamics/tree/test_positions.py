import numpy as np
import pytest

from compare import relative_error
from engine import STEP
from machines import random_tree
from reference.frames import moved as first_order
from reference.frames import walk
from taut.dynamics.tree.positions import move
from taut.model.enums import QUATERNION_JOINTS, JointKind

pytestmark = pytest.mark.nojit

NO_SIGNALS = np.zeros((0, 3))


@pytest.fixture
def model():
    return random_tree(np.random.default_rng(1), 12)


def moved(model, step, q=None):
    q = model.start_coordinates if q is None else q
    found = np.zeros(len(q), np.result_type(q, step))
    move(model.tables, q.astype(found.dtype), step, found)
    return found


def test_small_step_is_the_velocity(model):
    step = 1j * STEP * np.random.default_rng(2).normal(size=model.column_count)
    expected = first_order(model.tables, model.start_coordinates, step)
    assert relative_error(moved(model, step).imag / STEP, expected.imag / STEP) < 1e-14


def test_way_back(model):
    """A step is undone by the opposite step for scalars, and for a single rotation vector of any size."""
    step = np.random.default_rng(2).normal(size=model.column_count)
    there = moved(model, step)
    assert np.allclose(moved(model, -step, there), model.start_coordinates, atol=1e-14)


def test_quaternions_stay_unit_vectors(model):
    q = moved(model, 10 * np.ones(model.column_count))
    for node in model.tables.nodes:
        if node.kind in QUATERNION_JOINTS:
            k = node.coordinate + (3 if node.kind == JointKind.FREE else 0)
            assert np.linalg.norm(q[k : k + 4]) == pytest.approx(1.0, abs=1e-15)


def test_step_turns_about_axes_of_the_joint_frame(model):
    """Two half steps about the same axes are the whole step."""
    step = np.random.default_rng(2).normal(size=model.column_count)
    frames = walk(model.tables, moved(model, step), NO_SIGNALS)[0]
    halves = walk(model.tables, moved(model, step / 2, moved(model, step / 2)), NO_SIGNALS)[0]
    assert relative_error(np.array(halves), np.array(frames)) < 1e-13
