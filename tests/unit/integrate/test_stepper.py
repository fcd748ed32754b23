"""Stepping a machine from one's own program."""

import pickle

import numpy as np
import pytest

import taut
from taut import library
from taut.integrate.events import switches
from taut.integrate.schedule import Schedule
from taut.integrate.settings import run_settings
from taut.integrate.simulate import Run
from taut.integrate.stepper import Stepper

METHODS = [("double-pendulum", {"duration": 1.0, "integrator": name}) for name in
           ("radau", "generalized-alpha", "explicit", "nonsmooth-alpha", "moreau-jean")]  # fmt: skip
CASES = [*METHODS, ("crane-2d", {"duration": 1.0}), ("bounce", {"duration": 1.5})]


def end_of_run(model, settings, stops):
    """The last state of a run without an audit."""
    run = Run(model, run_settings(model, settings), None, schedule=Schedule(stops=stops), audit=False)
    run.begin(resume=False)
    run.go(lambda time, end: None)
    return run.method.state()


def random_stops(duration, count):
    return sorted(np.random.default_rng(1).uniform(0.0, duration, count).tolist())


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_pieces_are_the_whole_bit_by_bit(name, settings):
    model = taut.build(library.load(name, [f"run.duration={settings['duration']}"]))
    stops = random_stops(settings["duration"], 500)
    stepper = Stepper(model, **settings)
    for time in (*stops, settings["duration"]):
        stepper.advance_to(time)
    end = end_of_run(model, settings, stops)
    assert np.array_equal(stepper.state.q, end.q) and np.array_equal(stepper.state.v, end.v)


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_a_state_that_is_kept_and_set_again_changes_nothing(name, settings):
    model = taut.build(library.load(name, [f"run.duration={settings['duration']}"]))
    alone, handed = Stepper(model, **settings), Stepper(model, **settings)
    for time in (*random_stops(settings["duration"], 100), settings["duration"]):
        alone.advance_to(time)
        handed = Stepper(model, pickle.loads(pickle.dumps(handed.state)), **settings)
        handed.advance_to(time)
    assert np.array_equal(alone.state.q, handed.state.q) and alone.time == handed.time == settings["duration"]


def slider(**command):
    """A mass on a rail that a command pushes."""
    machine = taut.Machine("slider", gravity=[0, 0, 0])
    machine.signal("push", kind="command", acts="value", **command)
    machine.body("mass", mass=2.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": "push"})
    machine.measurement("place", joint="mass")
    return taut.build(machine.run(duration=1.0).scenario())


def test_commands_act_from_now_on_and_measurements_are_read():
    stepper = Stepper(slider(limits=[-3.0, 3.0]))
    for value in (4.0, -4.0):  # the limits are 3
        stepper.set("push", value)
        stepper.step(1.0)
    # 0.75 m at 1.5 m/s after the first second, 1.5 m at rest after the second, beyond the end of the scenario
    assert stepper.read("place") == pytest.approx(1.5, abs=1e-9)
    assert stepper.state.v == pytest.approx([0.0], abs=1e-9)
    assert stepper.read("body_position")[0] == pytest.approx([1.5, 0, 0], abs=1e-9)


def test_mistakes_are_told():
    stepper = Stepper(slider())
    with pytest.raises(taut.ScenarioError, match="did you mean 'push'"):
        stepper.set("pus", 1.0)
    with pytest.raises(taut.ScenarioError, match="no measurement and no channel"):
        stepper.read("plaice")
    stepper.step(0.5)
    with pytest.raises(taut.ScenarioError, match="goes forward"):
        stepper.advance_to(0.1)


def test_states_of_other_machines_and_methods_are_refused():
    stepper = Stepper(slider())
    with pytest.raises(taut.ScenarioError, match="another machine"):
        stepper.reset(Stepper(taut.build(library.load("double-pendulum"))).state)
    with pytest.raises(taut.ScenarioError, match="made by explicit"):
        stepper.reset(Stepper(slider(), integrator="explicit").state)


def test_a_state_of_a_machine_with_more_closures_is_refused():
    loop = library.load("four-bar")
    again = loop.closures[0].model_copy(update={"name": "again"})
    twice = loop.model_copy(update={"closures": (*loop.closures, again)})
    state = Stepper(taut.build(loop)).state
    with pytest.raises(taut.ScenarioError, match="other closures"):
        Stepper(taut.build(twice), state)


def test_a_run_without_an_audit_does_not_pass_for_one_with():
    result = taut.simulate(slider(), audit=False)
    assert not result.ok and result.audit["verdict"] == "incomplete" and "audit=False" in result.audit["reasons"][0]


def test_events_are_told_once():
    stepper = Stepper(taut.build(library.load("bounce")))
    stepper.advance_to(1.0)
    first = stepper.take_events()
    assert first and first[0]["what"] == "goes taut"
    assert stepper.take_events() == []


def test_a_machine_that_is_reset_often_never_seems_to_chatter(monkeypatch):
    """Events of earlier episodes do not count: with the time that goes back they looked as if they came ever faster."""
    monkeypatch.setattr(switches, "CROWD", 8)
    stepper = Stepper(taut.build(library.load("bounce", ["run.duration=1.5"])))
    start, ends = stepper.state, []
    for _ in range(4):
        stepper.reset(start)
        stepper.advance_to(1.5)
        ends.append(stepper.state.digest())
    assert len(stepper.take_events()) >= 2 and len(set(ends)) == 1
