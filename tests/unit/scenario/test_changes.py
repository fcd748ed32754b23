"""Scenarios with other numbers: only what changes is made and checked again."""

import pytest

from taut import library
from taut.scenario.changes import with_changes
from taut.scenario.checks import stages
from taut.scenario.errors import ScenarioError
from taut.scenario.io.reading import loads
from taut.scenario.io.writing import dumps


def test_the_rest_is_shared_and_the_text_says_the_change():
    scenario = library.load("mamidi-pick-and-place")
    found = with_changes(scenario, {"cables.C2.length": 0.8, "platform.position[2]": 0.3})
    assert found.cables[0] is scenario.cables[0] and found.cables[1].length == 0.8
    assert loads(dumps(found)) == found and scenario.cables[1].length == 0.75


def test_parts_of_a_crane_follow_its_words():
    scenario = library.load("crane-2d")
    scenario.all_bodies()
    found = with_changes(scenario, {"crane.links.load.mass": 77.0})
    assert 77.0 in [body.mass for body in found.all_bodies().values()]


@pytest.mark.parametrize(
    "change",
    [{"platform.mass": 20.0}, {"robot.drum.radius": 0.07}, {"robot.pulley.radius": 0.05}, {"gravity": [0, 0, -1.6]}],
)
def test_parts_of_a_robot_follow_what_they_are_made_of(change):
    scenario = library.load("eight-cable-robot")
    found = with_changes(scenario, change)
    assert found == library.load("eight-cable-robot", [f"{key}={value}" for key, value in change.items()])
    assert found.drivers["C1 winch"] != scenario.drivers["C1 winch"]


def test_parts_of_a_robot_that_the_user_changed_stay():
    scenario = with_changes(library.load("eight-cable-robot"), {"drivers.C1 winch.drum.motor.kp": 3.0})
    found = with_changes(scenario, {"robot.drum.radius": 0.07})
    assert found.drivers["C1 winch"] == scenario.drivers["C1 winch"]
    assert found.drivers["C2 winch"].drum.radius == 0.07


def test_known_signals_are_not_checked_again_but_new_ones_are(monkeypatch):
    scenario, seen = library.load("mamidi-6-3-sine"), []
    stage = stages.find_signal_problems
    monkeypatch.setattr(stages, "find_signal_problems", lambda scenario: seen.append(1) or stage(scenario))
    monkeypatch.setattr(stages, "STAGES", (stages.find_signal_problems,))
    with_changes(scenario, {"platform.mass": 400.0})
    assert not seen
    with_changes(scenario, {"run.duration": 0.5})
    assert seen


@pytest.mark.parametrize("twice", [{"platform": {}, "platform.mass": 1.0}, {"platform.mass": 1.0, "platform": {}}])
def test_a_part_and_its_whole_do_not_change_together(twice):
    with pytest.raises(ScenarioError, match="changed twice"):
        with_changes(library.load("mamidi-pick-and-place"), twice)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"gravity[2]": [1, 2]}, "must be a number"),
        ({"gravity[2]": "down"}, "must be a number"),
        ({"gravity[2]": True}, "must be a number"),
        ({"gravity[2]": 10**400}, "must be a finite number"),
        ({"bodies.upper": 3}, "must be a mapping"),
        ({"bodies.upper": {"mas": 3}}, "did you mean 'mass'"),
        ({"bodies.upper.mass": 1.0, "bodies.lower": None}, "must be a mapping"),
    ],
)
def test_whole_entries_are_checked_too(change, text):
    with pytest.raises(ScenarioError, match=text):
        with_changes(library.load("double-pendulum"), change)


def test_whole_entries_of_lists_and_mappings_can_change():
    scenario = library.load("double-pendulum")
    found = with_changes(scenario, {"gravity[2]": -1.6, "bodies.upper": {"mass": 3.0, "joint": {"kind": "spherical"}}})
    assert found.gravity == (0.0, 0.0, -1.6) and found.bodies["upper"].mass == 3.0
    assert found.bodies["lower"] == scenario.bodies["lower"]
