"""Runs of ropes over guides on bodies that fly and turn: audits, every integrator, and ends that are named."""

import numpy as np
import pytest

import taut
from taut.verify.cables.route_machines import machine

WHEEL = {"kind": "sheave", "point": [0, 0, 3], "radius": 0.1, "axis": [0.1, 1, 0]}
CLOSE = {"tolerance": 1e-8}
METHODS = {"radau": CLOSE, "generalized-alpha": {"step": 2e-4, "tolerance": 1e-5}, "explicit": CLOSE}


def swinging(**rope):
    """A box that turns on a rope over a wheel at an angle, and a smaller one at its other end."""
    made = taut.Machine("swinging")
    made.platform(mass=4.0, box=[0.4, 0.3, 0.2], position=[0.4, 0.1, 1.0], angular_velocity=[0.5, 1.0, -0.7])
    made.body("other", mass=3.0, box=[0.2, 0.2, 0.2], position=[-0.3, -0.1, 1.2], velocity=[0.0, 0.6, 0.0])
    made.cable("R", exit=[0, 0, 0.1], exit_body="other", anchor=[0.1, 0, 0.1], via=[WHEEL], **rope)
    return made


SPRING = {"kind": "spring", "axial_stiffness": 1e4, "axial_damping": 1e2, "length": 3.8}


@pytest.mark.parametrize("rope", [{"kind": "ideal"}, SPRING], ids=["ideal", "spring"])
def test_bodies_on_both_ends_of_a_rope_pass_their_audit(rope):
    result = taut.simulate(taut.build(swinging(**rope).run(duration=1.0, save_every=0.05).scenario()))
    assert result.status == "completed"
    assert result.audit["verdict"] == "pass", result.audit["reasons"]
    # the rope leaves the wheel's plane, but not by much: about a half turn
    assert np.abs(result["guide_wrap"].values - np.pi).max() < 0.8


@pytest.mark.parametrize("method", METHODS)
def test_every_integrator_finds_the_same_motion(method):
    made = swinging(**SPRING).run(duration=0.4, save_every=0.1, integrator=method, **METHODS[method])
    result = taut.simulate(taut.build(made.scenario()))
    assert result.audit["verdict"] == "pass", result.audit["reasons"]
    radau = taut.simulate(taut.build(swinging(**SPRING).run(duration=0.4, save_every=0.1, tolerance=1e-8).scenario()))
    miss = result["body_position"].values[-1] - radau["body_position"].values[-1]
    assert np.abs(miss).max() < (2e-4 if method == "generalized-alpha" else 1e-6)


def test_a_rope_that_leaves_its_wheel_ends_the_run_and_names_it():
    made = taut.Machine("leaves")
    made.body("mass", mass=1.0, joint={"kind": "point", "position": [0.1, 0.0, 1.0]})
    made.cable("R", kind="ideal", exit=[-2, 0, 3.1], body="mass", anchor=[0, 0, 0], via=[WHEEL | {"side": "over"}])
    made.force("mass", force=[0, 0, 60])
    result = taut.simulate(taut.build(made.run(duration=3.0, save_every=0.1).scenario()))
    assert result.status == "off a sheave"
    assert "R.1" in result.status_text


@pytest.mark.parametrize("seed", [1, 4, 14, 21])
def test_random_ropes(seed):
    result = taut.simulate(taut.build(machine(seed).scenario()))
    assert (result.status, result.audit["verdict"]) == ("completed", "pass"), result.audit["reasons"]


def test_a_pulley_carries_both_sides_of_its_rope():
    """The load of a swivelling pulley is 2 T sin(wrap/2), along the line that halves the angle of the rope."""
    made = taut.Machine("a mass on a rope over a pulley")
    made.body("mass", mass=3.0, joint={"kind": "point", "position": [1.5, 0.4, 2.0], "velocity": [0.3, -0.8, 0]})
    made.cable("rope", kind="spring", axial_stiffness=1e4, exit=[0, 0, 4], pulley={"radius": 0.2}, body="mass",
               anchor=[0, 0, 0], pretension=30.0)  # fmt: skip
    result = taut.simulate(taut.build(made.run(duration=0.5, save_every=0.05).scenario()))
    assert result.audit["verdict"] == "pass"
    T, wrap = result["cable_tension_exit"].values[:, 0], result["guide_wrap"].values[:, 0]
    size = np.linalg.norm(result["guide_load"].values[:, 0], axis=1)
    np.testing.assert_allclose(size, 2.0 * T * np.sin(0.5 * wrap), rtol=1e-9, atol=1e-9)
    assert np.ptp(wrap) > 0.01
