"""Forward and inverse kinematics are each other's inverse; the mirror pose of a Stewart platform is found."""

import numpy as np
import pytest

from manipulators import manipulator
from taut.analyses.spaces.kinematics import actuated_coordinates, all_poses, forward_kinematics, inverse_kinematics
from taut.scenario.errors import ScenarioError

POSES = {
    "stewart-free-fall": ([0.1, -0.05, 1.2], [0.1, 0.05, -0.1]),
    "six-rss-free-fall": ([0.02, 0.03, 1.05], [0.02, -0.03, 0.05]),
    "planar-3rrr": ([0.05, 0.0, -0.04], [0.0, -0.2, 0.0]),
    "hexapod": ([0.1, 0.05, 1.15], [0.0, 0.1, 0.05]),
}


@pytest.mark.parametrize("name", POSES)
def test_round_trip(name):
    model = manipulator(name)
    found = inverse_kinematics(model, *map(np.array, POSES[name]))
    back = forward_kinematics(model, found.q[actuated_coordinates(model)])
    assert back.platform == pytest.approx(found.platform, abs=1e-10)
    assert found.platform[:3] == pytest.approx(POSES[name][0], abs=1e-12)


def test_six_rss_crank_angle():
    """Closed form of the published model at z = 0.4 m."""
    model = manipulator("six-rss-heave")
    found = inverse_kinematics(model, np.array([0.0, 0.0, 0.4]))
    assert found.q[actuated_coordinates(model)] == pytest.approx([0.0750506195] * 6, abs=1e-9)


def test_all_poses_of_a_flat_stewart_platform_come_in_mirror_pairs():
    model = manipulator("stewart-free-fall")
    lengths = model.start_coordinates[actuated_coordinates(model)]
    heights = [pose.platform[2] for pose in all_poses(model, lengths, starts=60)]
    for height in (1.1, -1.1):
        assert any(z == pytest.approx(height, abs=1e-9) for z in heights)


def test_out_of_reach():
    with pytest.raises(ScenarioError, match="cannot be reached|singular"):
        inverse_kinematics(manipulator("six-rss-free-fall"), np.array([0.0, 0.0, 3.0]))


def test_out_of_range():
    with pytest.raises(ScenarioError, match=r"outside of the joint's range \[0.9, 1.55\]"):
        inverse_kinematics(manipulator("hexapod"), np.array([0.0, 0.0, 2.2]))
