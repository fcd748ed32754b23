"""Events that come and go inside one step: none is missed, none is invented, the first counts."""

import numpy as np
import pytest

import taut
from taut.integrate.events.panels import CLEAR, CROSSES, STARTS_BEHIND, UNSURE, interpolation_error, panel_verdict
from taut.integrate.simulate import simulate

G = 9.81


def run(machine, **settings):
    return simulate(taut.build(machine.run(**settings).scenario()))


def times(result, name):
    return [event["time"] for event in result.events if event["name"] == name]


def tied(kind):
    """A mass thrown up at 10 m/s on a slack cable of 5 m: free, it would be beyond that for 0.28 s."""
    machine = taut.Machine("thrown")
    machine.body("mass", mass=1.0, joint={"kind": "point", "position": [0, 0, 0.01], "velocity": [0, 0, 10.0]})
    stiff = {"axial_stiffness": 1e4} if kind == "spring" else {}
    machine.cable("cable", kind=kind, exit=[0, 0, 0], body="mass", anchor=[0, 0, 0], length=5.0, **stiff)
    return machine


@pytest.mark.parametrize("kind", ["spring", "ideal"])
@pytest.mark.parametrize("duration", [2.0, 5.0, 20.0])
def test_a_cable_catches_what_would_come_back_in_the_same_step(kind, duration):
    found = times(run(tied(kind), duration=duration, save_every=0.02), "cable")
    assert found[0] == pytest.approx((10.0 - np.sqrt(100.0 - 2 * G * 4.99)) / G, abs=1e-9)


def thrown(*levels, **event):
    machine = taut.Machine("thrown")
    machine.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "velocity": 5.0})
    for k, level in enumerate(levels):
        machine.event(f"level{k}", body="mass", value=level, **event)
    return machine


def passings(below):
    """Times at which a mass thrown up at 5 m/s is that far below the top of its path."""
    return [5.0 / G - np.sqrt(2 * below / G), 5.0 / G + np.sqrt(2 * below / G)]


@pytest.mark.parametrize("integrator", ["radau", "explicit"])
@pytest.mark.parametrize("below", [1e-9, 1e-6, 1e-3])
def test_both_passings_near_the_top_are_found(integrator, below):
    result = run(thrown(12.5 / G - below), duration=100.0, save_every=100.0, integrator=integrator)
    assert times(result, "level0") == pytest.approx(passings(below), abs=1e-7)


def test_a_level_just_above_the_top_is_not_passed():
    assert run(thrown(12.5 / G + 1e-9), duration=100.0, save_every=100.0).events == []


def test_of_several_levels_in_one_step_each_is_found_in_order():
    levels = [12.5 / G - below for below in (1e-3, 4e-3, 1e-4)]
    result = run(thrown(*levels), duration=100.0, save_every=100.0)
    assert [event["name"] for event in result.events] == [f"level{k}" for k in (1, 0, 2, 2, 0, 1)]


def test_fixed_steps_find_both_passings_in_one_step():
    settings = {"unilateral": "nonsmooth", "step": 0.1}
    result = run(thrown(12.5 / G - 1e-4), duration=1.0, save_every=1.0, **settings)
    assert times(result, "level0") == pytest.approx(passings(1e-4), abs=1e-5)


def spinning(rate, level):
    machine = taut.Machine("spinning", gravity=[0, 0, 0])
    hinge = {"kind": "revolute", "axis": [0, 1, 0], "velocity": rate}
    machine.body("arm", mass=1.0, inertia=[0.1, 0.1, 0.1], joint=hinge)
    machine.event("plane", body="arm", point=[0, 0, 1], value=level, crossing="up")
    return machine


def test_every_turn_of_a_long_step_is_seen():
    found = times(run(spinning(7.0, 0.999), duration=100.0, save_every=100.0), "plane")
    turns = np.arange(1, 112)
    assert found == pytest.approx((2 * np.pi * turns - np.arccos(0.999)) / 7.0, abs=1e-8)


def test_a_step_with_too_many_turns_is_shortened():
    result = run(spinning(100.0, 1.0 + 1e-6), duration=1000.0, save_every=1000.0)
    assert result.status == "completed" and result.events == []


def test_corners_that_land_together_all_close():
    machine = taut.Machine("drop")
    machine.platform(mass=1.0, box=[0.2, 0.2, 0.2], position=[0, 0, 1.1])
    machine.ground(stiffness=1e4, damping=200.0)
    result = run(machine, duration=0.46, save_every=0.46)
    assert [event["what"] for event in result.events] == ["closes"] * 4
    assert [event["time"] for event in result.events] == pytest.approx([np.sqrt(2 / G)] * 4, abs=1e-9)


def test_what_stays_at_zero_but_for_rounding_passes_nothing():
    machine = taut.Machine("pendulum")
    machine.body("bob", mass=1.0, joint={"kind": "spherical"}, com=[0.6, 0.0, -0.8], inertia=[0.1, 0.1, 0.1])
    machine.event("side", body="bob", point=[0.6, 0, -0.8], direction=[0, 1, 0], value=0.0)
    assert run(machine, duration=5.0, save_every=5.0).events == []


U = np.linspace(0.0, 1.0, 5)


@pytest.mark.parametrize(
    ("function", "verdict"),
    [
        (lambda u: 1.0 + u, CLEAR),
        (lambda u: 0.5 - u, CROSSES),
        (lambda u: (u - 0.4) ** 2 + 0.2, CLEAR),
        (lambda u: (u - 0.4) ** 2 - 1e-4, UNSURE),
        (lambda u: 3.0 * u, CLEAR),
        (lambda u: -1e-12 + 3.0 * u, CLEAR),
        (lambda u: -0.1 - u, STARTS_BEHIND),
        (lambda u: -0.1 + 3.0 * u, STARTS_BEHIND),
        (lambda u: 0.0 * u, CLEAR),
        (lambda u: np.inf + u, CLEAR),
    ],
)
def test_verdict_on_a_panel(function, verdict):
    assert panel_verdict(tuple(function(U)), 1e-14, True, 1.0) == verdict


@pytest.mark.parametrize("kink", np.linspace(-0.1, 1.1, 49))
def test_interpolation_error_is_bounded_for_a_kink_anywhere(kink):
    fine = np.linspace(0.0, 1.0, 1001)
    quartic = np.polynomial.Polynomial.fit(U, np.abs(U - kink), 4)
    bound = interpolation_error(*np.abs(U - kink))
    assert np.abs(quartic(fine) - np.abs(fine - kink)).max() <= bound + 1e-12
