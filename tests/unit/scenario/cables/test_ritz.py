"""Ritz cables and bodies with small rotations as a user writes them."""

import pytest

from taut import library
from taut.build import build
from taut.scenario.errors import ScenarioError

CASE = "suspension-six-ropes"


def messages(*settings, name=CASE, is_built=False):
    """What is said to a library scenario with settings that do not fit."""
    with pytest.raises(ScenarioError) as caught:
        scenario = library.load(name, list(settings))
        if is_built:
            build(scenario)
    return str(caught.value)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("cables[0].driver=hoist", "is not for ritz cables: their exits are fixed in the world"),
        ("cables[0].modes=0", "must not be less than 1"),
        ("cables[0].turn_inertia=null", "a torsional field needs turn_stiffness and turn_inertia"),
        ("cables[0].coupling=1e9", "is too large"),
        ("cables[0].lateral_tension=slack", "lateral_tension"),
        ("cables[0].excitation.x=nonsense*t", "nonsense"),
        ("cables[0].elements=3", "elements"),
    ],
)
def test_bad_keys_are_named(setting, says):
    assert says in messages(setting)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("gravity=[1, 0, -9.81]", "must point down (0, 0, -g) for ritz cables"),
        ("cables[0].exit=[30, 0, 0]", "a ritz cable hangs almost vertically"),
        ("cables[0].exit=[3, 0, -200]", "a ritz cable hangs almost vertically"),
    ],
)
def test_what_the_build_refuses(setting, says):
    assert says in messages(setting, is_built=True)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("platform.com=[0, 0, 0.1]", "must be the origin for small rotations"),
        ("platform.orientation={euler: [0.1, 0, 0]}", "orientation"),
        ('forces=[{body: platform, point: [1, 0, 0], force: ["1", "0", "0"]}]', "whose rotations are small"),
        ("bodies={arm: {mass: 1, inertia: [1, 1, 1], joint: {kind: revolute, parent: platform}}}", "joint.parent"),
    ],
)  # fmt: skip
def test_what_cannot_go_with_small_rotations(setting, says):
    assert says in messages(setting, name="wang-suspension")


def test_lateral_modes_follow_the_others():
    scenario = library.load(CASE)
    assert [cable.lateral_count() for cable in scenario.cables] == [12] * 6
    assert library.load("wang-suspension-no-lateral").cables[0].lateral_count() == 0
