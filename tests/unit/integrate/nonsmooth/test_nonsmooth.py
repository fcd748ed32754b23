"""Impacts, contact and slack in fixed steps: against closed forms, located events, and each other."""

import numpy as np
import pytest

import taut
from crashes import crash_behind, resumed
from taut.integrate.nonsmooth.method import Nonsmooth
from taut.integrate.run import recorder
from taut.scenario.errors import ScenarioError
from taut.verify.suspension import nonsmooth
from taut.verify.trust.resume import largest_difference

NAMES = ("nonsmooth-alpha", "moreau-jean")
IMPULSES = {"reactions": "impulses"}
WAYS = [{"integrator": NAMES[0]}, {"integrator": NAMES[0], "nonsmooth_alpha": IMPULSES}, {"integrator": NAMES[1]}]


def box(restitution=0.0, **run):
    """A turned box above rigid ground."""
    machine = taut.Machine("box")
    turn = {"quaternion": [0.9, 0.2, 0.3, 0.1]}
    machine.platform(mass=1.0, box=[0.3, 0.2, 0.1], position=[0, 0, 0.4], orientation=turn)
    machine.ground(law="rigid", restitution=restitution, friction=0)
    machine.run(**{"duration": 1.5, "tolerance": 1e-8, **run})
    return taut.build(machine.scenario())


def test_a_ball_rises_as_the_closed_form_says():
    assert nonsmooth.ball_error("nonsmooth-alpha") < 1e-10
    assert nonsmooth.ball_error("moreau-jean") < 1e-2


def test_impacts_are_written_down():
    result = taut.simulate(taut.build(taut.library.load("ball-on-ground")))
    times = [event["time"] for event in result.events if event["what"] == "strikes"]
    assert times[:3] == pytest.approx([0.4515236410, 1.1739614666, 1.7519117270], abs=1e-9)
    assert result.audit["verdict"] == "pass" and result.audit["steps"]["impacts"] == len(times)


@pytest.mark.parametrize("settings", WAYS)
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_box_tumbles_to_rest(settings, restitution):
    result = taut.simulate(box(restitution), **settings)
    audit = result.audit
    assert result["platform_position"].values[-1, 2] == pytest.approx(0.05, abs=1e-6)
    assert audit["verdict"] == "pass", audit["reasons"]
    assert audit["energy"]["rise"] < 1e-3 * audit["energy"]["exchanged"]
    assert audit["steps"]["impacts"] >= 4 and audit["steps"]["unsolved"] == 0


@pytest.mark.parametrize("name", NAMES)
def test_period_of_a_mass_on_a_cable_that_goes_slack(name):
    errors, rises = zip(*(nonsmooth.bounce(name, step) for step in (4e-3, 1e-3)), strict=True)
    # a plain explicit scheme is off by 2e-2 s, and gains 18 % of the energy
    assert errors[1] < 2e-5 and errors[0] / errors[1] > 8.0
    assert rises[1] < 1e-4


@pytest.mark.parametrize("name", NAMES)
def test_a_cable_with_mass_gives_no_energy(name):
    assert nonsmooth.snatch_rise(name) < 1e-3


@pytest.mark.parametrize("name", ["nonsmooth-alpha", "nonsmooth-alpha, impulses", "moreau-jean"])
@pytest.mark.parametrize("damping", list(nonsmooth.DAMPERS))
def test_a_cable_with_mass_gives_no_energy_at_the_usual_step(name, damping):
    settings, _ = nonsmooth.SNATCHED[name]
    result = nonsmooth.snatched(20, nonsmooth.DAMPERS[damping], settings)
    # without a limit it gains eleven times the energy of the fall
    assert nonsmooth.gain(result) < 1e-3
    assert result.audit["steps"]["rejected"] > 0 or damping == "damped"


def test_ropes_under_load_stay_taut_when_another_snatches():
    changes = ["run.duration=1", "run.step=null", "defaults.cable.modes=4", "cables[0].excitation.z.amplitude=-0.4"]
    model = taut.build(taut.library.load("wang-suspension", changes))
    ways = ({"reactions": "forces"}, {"reactions": "impulses"})
    runs = [taut.simulate(model, nonsmooth_alpha=way) for way in ways]
    for run in runs:
        assert run.audit["verdict"] == "pass", run.audit["reasons"]
        assert 1 < run.audit["steps"]["switches"] < 20
        # the ropes' pull in the first sample is that of the state of rest
        assert np.allclose(run["cable_tension_anchor"].values[0], 19620.0, rtol=1e-4)
        assert run["cable_tension_anchor"].values[:, 1].min() > 1e4
    places = [run["body_position"].values[:, 0] for run in runs]
    assert np.abs(places[0] - places[1]).max() < 1e-3


def test_an_ideal_cable_catches_as_located():
    reference = nonsmooth.caught(integrator="radau", tolerance=1e-10)
    # the error does not depend on the place of the impact in its step
    for steps in (370, 1000, 1100, 1340):
        run = nonsmooth.caught(integrator="nonsmooth-alpha", step=1.0 / steps, tolerance=1e-9)
        assert np.abs(run - reference).max() < 1e-4 * (370 / steps) ** 2
    moreau = nonsmooth.caught(integrator="moreau-jean", step=1e-3)
    assert np.abs(moreau - reference).max() < 1e-2


def test_velocities_alone_drift_and_the_projection_does_not():
    model = taut.build(taut.library.load("stewart-free-fall", ["run.duration=0.3"]))
    errors = [taut.simulate(model, integrator="nonsmooth-alpha", nonsmooth_alpha={"stabilisation": way})
              .audit["constraint_error"]["max"] for way in ("projection", "none")]  # fmt: skip
    assert errors[0] < 1e-10 < 1e-7 < errors[1]


def test_a_step_that_ends_at_a_jump_sees_what_follows_only_as_published():
    machine = taut.Machine("pushed")
    machine.platform(mass=1.0, box=[0.3, 0.2, 0.1], position=[0, 0, 9])
    jump = {"kind": "polynomial", "breaks": [0, 0.01, 1], "coefficients": [[0.0], [6.0]]}
    machine.force("platform", force=[jump, 0, 0])
    machine.run(duration=0.02, step=1e-3, save_every=0.01, integrator="nonsmooth-alpha")
    model = taut.build(machine.scenario())
    for way, share in (("none", 55 / 108), ("projection", 0.0)):
        run = taut.simulate(model, nonsmooth_alpha={**IMPULSES, "stabilisation": way})
        # gamma (1 - alpha_f) / (1 - alpha_m) of the step counts at once
        assert run["platform_velocity"].values[1, 0] == pytest.approx(6e-3 * share, abs=1e-12)


@pytest.mark.parametrize("settings", WAYS)
def test_resumed_in_the_middle_of_the_bounces(settings, tmp_path, monkeypatch):
    advance = Nonsmooth.advance
    monkeypatch.setattr(Nonsmooth, "advance", lambda self, samples, most: advance(self, samples, min(most, 7)))
    monkeypatch.setattr(recorder, "JOURNAL_EVERY", -1.0)
    model = box(0.3, duration=0.5)
    whole = taut.simulate(model, **settings)
    again = resumed(model, tmp_path / "run.nc", crash_behind(0.3), **settings)
    assert largest_difference(again, whole) == 0.0 and again.events == whole.events


def test_one_switch_chooses_the_method():
    model = taut.build(taut.library.load("bounce", ["run.duration=0.1", "run.unilateral=nonsmooth"]))
    assert taut.simulate(model).audit["run"]["method"] == "nonsmooth-alpha"
    assert taut.simulate(model, integrator="moreau-jean").audit["run"]["method"] == "moreau-jean"
    with pytest.raises(ScenarioError, match="smooth or nonsmooth"):
        taut.simulate(model, unilateral="rough")


@pytest.mark.parametrize(("keys", "says"), [
    ({"law": "rigid", "stiffness": 1e3}, "a rigid ground has no springs"),
    ({"law": "rigid", "damping": 20.0}, "a rigid ground has no springs"),
    ({"law": "unilateral"}, "needs a stiffness"),
    ({"law": "rigid", "restitution": 1.5}, "restitution"),
])  # fmt: skip
def test_a_ground_that_does_not_fit_its_law(keys, says):
    machine = taut.Machine("box")
    machine.platform(mass=1.0, box=[0.3, 0.2, 0.1], position=[0, 0, 0.4])
    machine.ground(**keys)
    with pytest.raises(ScenarioError, match=says):
        taut.build(machine.scenario())
