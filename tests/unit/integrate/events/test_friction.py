"""Dry friction and brakes in runs and statics: below their limit nothing moves, above it they slip."""

import numpy as np
import pytest

import taut
from taut.integrate.events.friction import corner, follows
from taut.kernels.bounded_qp import bounded_qp
from taut.scenario.errors import ScenarioError
from taut.verify.sound.friction import FRICTION, HELD, MASS, block, drum, first, way

METHODS = ["radau", "generalized-alpha", "explicit"]
HINGES = ("crank", "coupler", "rocker")


def four_bar(torque):
    overrides = [f"bodies.{name}.joint.friction.coulomb={torque}" for name in HINGES]
    return taut.build(taut.library.load("four-bar", overrides))


@pytest.mark.parametrize("method", METHODS)
def test_a_block_is_held_below_its_friction_and_slips_above(method):
    held = taut.simulate(block(60.0, force=0.99 * FRICTION), integrator=method)
    assert way(held) < 1e-12
    assert held.audit["verdict"] == "pass"
    pulled = taut.simulate(block(1.0, force=1.5 * FRICTION), integrator=method)
    assert pulled["joint_position"].values[-1, 0] == pytest.approx(0.25 * FRICTION / MASS, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_sliding_block_stops_and_stays(method):
    result = taut.simulate(block(3.0, velocity=-6.0), integrator=method)
    assert first(result, "sticks") == pytest.approx(6.0 * MASS / FRICTION, abs=1e-7)
    assert result["joint_position"].values[-1, 0] == pytest.approx(-18.0 * MASS / FRICTION, abs=1e-6)
    assert result.audit["verdict"] == "pass"


def test_a_force_to_and_fro_turns_the_slip_around():
    """The motion agrees with pieces of closed form: v' = (F sin - f sign v) / m."""
    result = taut.simulate(block(3.0, force="60*sin(3*t)"), tolerance=1e-9)
    t, v = np.arcsin(0.2) / 3, 0.0
    times, sign = np.linspace(t, 3.0, 300_001), 1.0
    for a, b in zip(times, times[1:], strict=False):
        rate = (60 * np.sin(1.5 * (a + b)) - FRICTION * sign) / MASS
        v += rate * (b - a)
        sign = -sign if v * sign < 0 else sign
    assert result["joint_velocity"].values[-1, 0] == pytest.approx(v, abs=1e-3)


@pytest.mark.parametrize("method", ["radau", "explicit"])
def test_no_step_passes_over_the_fading_of_stiction(method):
    model = block(3.0, force="60*sin(3*t)", stiction=6.0)
    runs = [taut.simulate(model, integrator=method, tolerance=tolerance) for tolerance in (1e-6, 1e-9)]
    ends = [run["joint_position"].values[-1, 0] for run in runs]
    assert ends[0] == pytest.approx(ends[1], abs=5e-5)


def test_methods_that_locate_nothing_say_that_friction_creeps():
    result = taut.simulate(block(0.1, force=0.5 * FRICTION), integrator="moreau-jean")
    assert any("creep" in text for text in result.audit["warnings"])


def test_a_brake_holds_and_slips():
    assert way(taut.simulate(drum(0.83 * HELD, 60.0))) < 1e-12
    assert first(taut.simulate(drum(1.2 * HELD, 0.5, solve="closures")), "slips") > 0.0


def test_statics_name_the_brake_that_cannot_hold():
    with pytest.raises(ScenarioError, match=r"cannot hold rope drum \(at most 1000\)"):
        taut.statics(drum(1.2 * HELD, 1.0, solve="closures"))


def test_statics_let_a_pendulum_slip_to_where_its_friction_holds_it():
    machine = taut.Machine("pendulum")
    joint = {"kind": "revolute", "axis": [0, 1, 0], "position": 1.0, "friction": {"coulomb": 3.0}}
    machine.body("rod", mass=1.0, com=[0, 0, -1], inertia=[0.1, 0.1, 0.1], joint=joint)
    rest = taut.statics(taut.build(machine.scenario()))
    assert np.sin(rest.data.q[0]) == pytest.approx(3.0 / 9.81, rel=1e-6)


def test_joints_that_hold_the_same_motion_share_it():
    """Each alone could not hold this linkage; together they do, in a run and at rest."""
    result = taut.simulate(four_bar(120), duration=5.0)
    assert np.ptp(result["joint_position"].values, axis=0).max() < 1e-9
    assert result.audit["verdict"] == "pass"
    assert taut.statics(four_bar(120)).steps <= 1
    assert len(taut.modes(four_bar(120)).frequencies) == 0


def test_a_linkage_comes_to_rest_by_its_friction():
    result = taut.simulate(four_bar(60), duration=14.0)
    assert {event["name"] for event in result.events if event["what"] == "sticks"} == set(HINGES)
    assert np.abs(result["joint_velocity"].values[-1]).max() < 1e-15
    assert result.audit["verdict"] == "pass"


def test_a_corner_of_the_box_is_an_optimum_too():
    W, limits = np.outer([1.0, 2.0, -1.0], [1.0, 2.0, -1.0]), np.array([1.0, 1.0, 1.0])
    b = np.array([1.0, 2.0, -1.0])
    f = corner(W, bounded_qp(W, b, -limits, limits)[0], limits)
    np.testing.assert_allclose(W @ f + b, 0.0, atol=1e-12)
    inside = np.abs(f) < 1.0 - 1e-9
    assert inside.sum() == 1
    assert follows(W, inside).all()
