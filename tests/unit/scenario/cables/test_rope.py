"""Wire ropes by their class."""

import pytest

from taut.scenario import make_scenario
from taut.scenario.cables.rope import CLASSES, Rope
from taut.scenario.errors import ScenarioError

ROPE = {"class": "6x36-IWRC", "diameter": 0.016, "grade": 1770}


def cable(**keys):
    platform = {"mass": 1.0, "box": [1, 1, 1], "position": [0, 0, 0]}
    rope = {"name": "C", "kind": "spring", "exit": [0, 0, 5], "anchor": [0, 0, 0.5], **keys}
    return make_scenario({"taut": 1, "name": "rope", "platform": platform, "cables": [rope]}).cables[0]


def test_a_rope_of_the_handbook():
    rope = Rope(**ROPE)
    assert (rope.mass_per_length, rope.breaking_force) == pytest.approx((1.04704, 161310.72), rel=1e-12)
    assert cable(rope=ROPE, axial_damping=5e3).axial_rigidity(1.0) == pytest.approx(11.776e6)
    assert cable(rope=ROPE, axial_damping=5e3).axial_viscosity() == 5e3


def test_stronger_ropes_are_heavier_within_a_family():
    names = ["6x7-IWRC", "6x19-IWRC", "6x36-IWRC"]
    assert sorted(names, key=lambda name: CLASSES[name].W) == names


@pytest.mark.parametrize(("keys", "words"), [
    ({"rope": ROPE | {"class": "6x37-IWRC"}}, "did you mean"),
    ({"rope": ROPE | {"grade": 1000}}, "must not be less than 1570"),
    ({"rope": ROPE, "axial_stiffness": 1e6}, "exactly one way"),
    ({"axial_damping": 1.0}, "needs axial_stiffness"),
])  # fmt: skip
def test_refused(keys, words):
    with pytest.raises(ScenarioError, match=words):
        cable(**keys)
