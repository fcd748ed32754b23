"""Orientations: four ways of writing one rotation."""

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.spatial.transform import Rotation

from taut.scenario.records.orientation import Orientation, quaternion_from_rotation, rotation_from_quaternion

RANDOM = list(Rotation.random(20, random_state=np.random.default_rng(3)))


@pytest.mark.parametrize("R", RANDOM)
def test_all_forms_agree(R):
    x, y, z, w = R.as_quat()
    for orientation in (
        Orientation(quaternion=(2 * w, 2 * x, 2 * y, 2 * z)),
        Orientation(rotation_vector=R.as_rotvec().tolist()),
        Orientation(matrix=R.as_matrix().tolist()),
        Orientation(euler=R.as_euler("XYZ").tolist()),
        Orientation(euler=R.as_euler("ZYZ").tolist(), sequence="zyz"),
    ):
        assert orientation.rotation() == pytest.approx(R.as_matrix(), abs=1e-12)


@pytest.mark.parametrize("R", RANDOM)
def test_quaternion_there_and_back(R):
    quaternion = quaternion_from_rotation(R.as_matrix())
    assert quaternion[0] >= 0
    assert rotation_from_quaternion(quaternion) == pytest.approx(R.as_matrix(), abs=1e-14)


@pytest.mark.parametrize("axis", np.eye(3))
def test_quaternion_of_half_turns(axis):
    quaternion = quaternion_from_rotation(2 * np.outer(axis, axis) - np.eye(3))
    assert np.abs(quaternion) == pytest.approx([0, *axis])


@pytest.mark.parametrize(
    "keys", [{}, {"sequence": "xyz"}, {"euler": (0, 0, 0), "sequence": "xxy"}, {"quaternion": (0, 0, 0, 0)}]
)
def test_refused(keys):
    with pytest.raises(ValidationError):
        Orientation(**keys)
