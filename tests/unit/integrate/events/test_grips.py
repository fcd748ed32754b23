"""Friction of the ground, on springs and rigid, in runs and statics: below its limit nothing moves, above it slips."""

import numpy as np
import pytest

import taut
from taut.scenario.errors import ScenarioError
from taut.verify.sound.ground_friction import FRICTION, LIMIT, MASS, first, plate, rest, slid, slide, turn, way

GROUNDS = pytest.mark.parametrize("is_rigid", [False, True])
METHODS = [(name, False) for name in ("radau", "generalized-alpha", "nonsmooth-alpha")]
METHODS += [(name, True) for name in ("radau", "generalized-alpha")]


def box(force, *, is_rigid=False, **initial):
    """A box that would tip a little, by a force at its centre."""
    machine = taut.Machine("box")
    machine.platform(mass=10.0, box=[0.4, 0.4, 0.3], position=[0, 0, 0.15])
    law = {"law": "rigid"} if is_rigid else {"stiffness": 1e5, "damping": 1e3}
    machine.ground(**law, friction=0.5)
    machine.force(body="platform", force=[force, 0, 0])
    machine.initial(**initial)
    return taut.build(machine.run(duration=1.0, save_every=0.1).scenario())


@GROUNDS
@pytest.mark.parametrize("share", [0.83, 0.99])
def test_a_plate_that_friction_holds_does_not_move(share, is_rigid):
    ways = {"force": share * LIMIT}, {"incline": np.arctan(share * FRICTION)}
    for run in (rest(60.0, **given, is_rigid=is_rigid) for given in ways):
        assert np.abs(way(run)).max() < 1e-12
        assert run.audit["verdict"] == "pass"
        assert run.audit["steps"]["accepted"] < 50
    assert np.abs(way(slide(60.0, force=share * LIMIT, is_rigid=is_rigid))).max() < 1e-6


@pytest.mark.parametrize(("method", "is_rigid"), METHODS)
def test_onset_of_slip_and_stop_are_those_of_closed_form(method, is_rigid):
    pulled = slide(0.8, method, force="100*t", is_rigid=is_rigid)
    assert first(pulled, "slips") == pytest.approx(LIMIT / 100, abs=2e-6)
    assert way(pulled)[-1, 0] == pytest.approx(100 / (6 * MASS) * (0.8 - LIMIT / 100) ** 3, abs=3e-6)
    thrown = slide(0.5, method, velocity=(1.0, 0.75, 0.0), is_rigid=is_rigid)
    assert first(thrown, "sticks") == pytest.approx(1.25 * MASS / LIMIT, abs=1e-6)
    assert np.linalg.norm(way(thrown)[-1]) == pytest.approx(0.5 * 1.25**2 * MASS / LIMIT, abs=2e-6)
    assert pulled.audit["verdict"] == thrown.audit["verdict"] == "pass"


@GROUNDS
def test_a_spinning_plate_comes_to_rest_where_four_points_of_coulomb_friction_do(is_rigid):
    run = slide(0.6, velocity=(1.0, 0.5, 6.0), is_rigid=is_rigid)
    assert [*way(run)[-1], turn(run)] == pytest.approx(slid(np.array([1.0, 0.5, 6.0])), abs=1e-5)
    assert run.audit["verdict"] == "pass"


@GROUNDS
def test_a_box_that_leans_on_two_corners_more_is_held_by_all_four(is_rigid):
    found = taut.statics(box(0.99 * LIMIT, solve="closures", is_rigid=is_rigid))
    assert abs(found.bodies["platform"]["position"][0]) < 1e-2
    run = taut.simulate(box(0.99 * LIMIT, solve="equilibrium", is_rigid=is_rigid))
    assert np.abs(way(run)).max() < 1e-9


@GROUNDS
def test_statics_name_the_ground_that_cannot_hold(is_rigid):
    with pytest.raises(ScenarioError, match="friction of the ground cannot hold ground.corner1"):
        taut.statics(box(1.05 * LIMIT, solve="closures", is_rigid=is_rigid))


@GROUNDS
def test_the_twin_finds_friction_that_is_one_percent_too_large(is_rigid):
    machine = plate(0.2, velocity=(1.0, 0.0, 0.0), is_rigid=is_rigid)
    right, wrong = taut.build(machine.scenario()), taut.build(machine.scenario())
    contacts = wrong.tables.contacts.copy()
    contacts["friction"] *= 1.01
    from dataclasses import replace

    from taut.integrate.settings import run_settings
    from taut.integrate.simulate import Run

    run = Run(replace(wrong, tables=wrong.tables._replace(contacts=contacts)), run_settings(wrong, {}), None)
    run.judged = right
    run.begin(resume=False)
    audit = run.to_end(lambda time, end: None).audit
    assert audit["verdict"] == "fail"
    assert audit["equations"]["verdict"] == "fail"


@pytest.mark.parametrize("name", ["pendulum-crane", "winch-brake-loss"])
def test_a_run_whose_friction_stays_smoothed_fails_its_audit(name, monkeypatch):
    from taut.integrate.events.friction import Frictions

    monkeypatch.setattr(Frictions, "settle", lambda self, data: self.let_go(data) or 0.0)
    audit = taut.simulate(taut.build(taut.library.load(name)), duration=0.3).audit
    assert audit["friction"]["verdict"] == "fail"
    assert "smoothed" in audit["friction"]["reason"]
    assert audit["verdict"] == "fail"


@GROUNDS
def test_ground_that_stays_smoothed_fails_its_audit(monkeypatch, is_rigid):
    from taut.integrate.events.grips import Grips

    monkeypatch.setattr(Grips, "start", lambda self, data, which: None)
    assert slide(0.1, velocity=(1.0, 0.0, 0.0), is_rigid=is_rigid).audit["friction"]["verdict"] == "fail"


def test_a_ball_on_compliant_ground_rolls():
    """Friction acts at the ball's lowest point, not at its centre: sliding turns into rolling at 5/7 of the speed."""
    machine = taut.Machine("ball")
    machine.platform(mass=1.0, sphere={"radius": 0.1}, position=[0, 0, 0.1 - 9.81 / 1e4], velocity=[0.7, 0, 0])
    machine.ground(stiffness=1e4, damping=100, friction=0.3)
    run = taut.simulate(taut.build(machine.run(duration=0.5, save_every=0.05).scenario()))
    assert run["body_velocity"].values[-1, 0, 0] == pytest.approx(0.5, rel=1e-3)
    assert run["body_angular_velocity"].values[-1, 0, 1] == pytest.approx(5.0, rel=1e-2)
    assert run.audit["verdict"] == "pass"


def test_a_run_of_friction_goes_on_from_its_journal_as_without(tmp_path):
    model = taut.build(plate(0.5, velocity=(1.0, 0.75, 2.0)).scenario())
    whole = taut.simulate(model)
    from taut.integrate.settings import run_settings
    from taut.integrate.simulate import Run

    first_run = Run(model, run_settings(model, {}), None)
    state = first_run.switches.checkpoint()
    first_run.data.anchors[:] = 0.0
    first_run.switches.restore(state)
    assert np.abs(first_run.data.anchors).max() > 0.0
    assert whole.status == "completed"


def test_rigid_ground_says_that_it_has_no_friction_unless_it_is_given():
    machine = taut.Machine("box")
    machine.platform(mass=1.0, box=[0.1, 0.1, 0.1], position=[0, 0, 0.05])
    machine.ground(law="rigid")
    assert any("no friction" in text for text in machine.scenario().warnings())
    machine.ground(law="rigid", friction=0.3)
    assert not any("no friction" in text for text in machine.scenario().warnings())


@pytest.mark.parametrize("method", ["nonsmooth-alpha", "moreau-jean"])
def test_methods_without_friction_of_rigid_ground_refuse_it(method):
    with pytest.raises(ScenarioError, match="knows no friction of rigid ground"):
        slide(0.1, method, velocity=(1.0, 0.0, 0.0), is_rigid=True)
