"""Ropes laid over their guides at the start: sides, lengths, and why there is no way."""

import numpy as np
import pytest

from taut.scenario import make_scenario
from taut.scenario.cables.ways import lay
from taut.scenario.checks.geometry import cable_distances
from taut.scenario.errors import ScenarioError
from taut.scenario.start_pose import start_poses

WHEEL = {"kind": "sheave", "point": [0, 0, 3], "radius": 0.5, "axis": [0, 1, 0]}


def scenario(via, **cable):
    platform = {"mass": 1.0, "box": [0.2, 0.2, 0.2], "position": [0.5, 0, 0]}
    rope = {"name": "R", "kind": "ideal", "exit": [-0.5, 0, 0], "anchor": [0, 0, 0], "via": via, **cable}
    return make_scenario({"taut": 1, "name": "ways", "platform": platform, "cables": [rope]})


def laid(via, **cable):
    found = scenario(via, **cable)
    return lay(found.cables[0], np.array(found.cables[0].exit), start_poses(found))


def test_over_a_wheel_the_rope_is_half_a_turn_and_two_falls():
    assert laid([WHEEL]).length == pytest.approx(6.0 + 0.5 * np.pi, abs=1e-12)
    assert cable_distances(scenario([WHEEL])) == pytest.approx([6.0 + 0.5 * np.pi])


def test_from_above_the_rope_passes_under():
    under = laid([WHEEL | {"point": [0, 0, -3], "side": "under"}])
    assert under.length == pytest.approx(6.0 + 0.5 * np.pi, abs=1e-12)
    assert under.middle(1) == pytest.approx([0, 0, -1], abs=1e-12)
    with pytest.raises(ScenarioError, match="no such way"):
        laid([WHEEL | {"side": "under"}])


def test_left_and_right_are_seen_along_the_rope_with_the_axis_upwards():
    assert laid([WHEEL | {"side": "left"}]).stops[1].wheel.side == 1
    assert laid([WHEEL | {"side": "right"}]).stops[1].wheel.side == -1


def test_a_wheel_that_swivels_lies_in_the_plane_of_its_neighbours():
    swivel = {key: value for key, value in WHEEL.items() if key != "axis"}
    found = laid([swivel], exit=[-0.3, -0.4, 0])
    assert found.trace.axes[1, 0] @ (found.stops[2].point - found.stops[0].point)[0] == pytest.approx(0.0, abs=1e-14)
    assert found.length == pytest.approx(laid([WHEEL]).length, rel=0.05)


@pytest.mark.parametrize(("guide", "words"), [
    ({"kind": "pinhole", "point": [-0.5, 0, 0]}, "coincides"),
    (WHEEL | {"point": [0.5, 0, 0.3]}, "inside the sheave"),
    (WHEEL | {"point": [0.5, 0, 3], "axis": [0, 0, 1]}, "along the rope"),
    (WHEEL | {"friction": -1}, "must not be less than 0"),
])  # fmt: skip
def test_refused(guide, words):
    with pytest.raises(ScenarioError, match=words):
        scenario([guide])
