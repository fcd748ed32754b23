"""What is measured of ropes without mass, and the servo of a drum."""

import numpy as np
import pytest

from taut.build import build
from taut.control.drum_servo import DrumServo
from taut.control.measuring.measure import Measurements
from taut.dynamics.residual import consistent_accelerations
from taut.model import new_data, new_factor
from taut.scenario.builder import Machine
from taut.scenario.control.controllers import ControllerDrum
from taut.scenario.errors import ScenarioError

WHAT = {"length": {}, "span_tension": {"span": 2}, "guide_wrap": {"guide": 1}, "guide_swivel": {"guide": 1},
        "guide_load": {"guide": 1}, "drum_angle": {}, "drum_speed": {}, "drum_torque": {}}  # fmt: skip


def hoist(**measured):
    """A load on a rope over a sheave, from a drum."""
    machine = Machine("hoist")
    machine.body("load", mass=2.0, joint={"kind": "prismatic", "origin": [0.1, 0, -2]})
    machine.cable("rope", kind="ideal", exit=[-1, 0, 0.1], winch="drum", body="load", anchor=[0, 0, 0],
                  via=[{"kind": "sheave", "radius": 0.1, "axis": [0, 1, 0], "side": "over"}])  # fmt: skip
    machine.driver("drum", kind="winch", drum={"radius": 0.2, "inertia": 0.1, "torque": -3.0, "speed": 0.5})
    for what, keys in measured.items():
        machine.measurement(what, cable="rope", what=what, **keys)
    return build(machine)


def test_every_measure_of_a_rope():
    """Measurements agree with the geometry and the tension at the start."""
    model = hoist(**WHAT)
    data = new_data(model)
    data.modes[:], data.lam[:] = 1, 20.0
    found = Measurements(model, data)
    values = {name: found.read(name, data) for name in WHAT}
    assert values["length"] == pytest.approx(1.0 + 0.05 * np.pi + 2.0)
    assert values["guide_wrap"] == pytest.approx(0.5 * np.pi)
    assert values["guide_load"] == pytest.approx(20.0 * np.sqrt(2.0))
    assert values["span_tension"] == pytest.approx(20.0)
    assert [values["drum_angle"], values["drum_speed"], values["drum_torque"]] == pytest.approx([0.0, 0.5, -3.0])


@pytest.mark.parametrize("with_pulley", [False, True])
def test_guides_of_a_cable_with_mass_are_measured_as_those_of_one_without(with_pulley):
    """Where the elements weigh next to nothing; the pulley at the exit, the last guide, and one between."""
    found = []
    wheel = {"kind": "sheave", "side": "over"}
    via = [{**wheel, "radius": 0.1, "axis": [0, 1, 0.2], "point": [0.7, 0.1, 0.2]},
           {**wheel, "radius": 0.08, "axis": [0.1, 1, 0], "point": [1.5, 0.1, 0.0]}]  # fmt: skip
    light = {"kind": "mrfe", "elements": 2, "radius": 1e-3, "mass_per_length": 1e-7}
    for own in ({"kind": "spring"}, light):
        machine = Machine("guides")
        machine.body("load", mass=2.0, joint={"kind": "point", "position": [1.6, 0.12, -2]})
        guides = {"pulley": {"radius": 0.05, "axis": [0, 0, 1]}, "via": [] if with_pulley else via}
        machine.cable("rope", exit=[-1, 0, -1.5], body="load", anchor=[0, 0, 0], axial_stiffness=1e4,
                      pretension=15.0, **guides, **own)  # fmt: skip
        for k in (0,) if with_pulley else (1, 2):
            for what in ("guide_load", "guide_wrap", "guide_swivel"):
                machine.measurement(f"{what} {k}", cable="rope", what=what, guide=k)
        model = build(machine)
        data = new_data(model)
        data.modes[:] = 1
        consistent_accelerations(model.tables, data, new_factor(model))
        measured = Measurements(model, data)
        found.append([float(measured.read(name, data)) for name in model.plan.measurements])
    assert found[1] == pytest.approx(found[0], rel=1e-5, abs=1e-5)


def test_a_pulley_that_is_not_there_is_not_measured():
    with pytest.raises(ScenarioError, match="has no pulley"):
        hoist(guide_wrap={"guide": 0})


def test_an_encoder_counts_turns_of_the_motor():
    """The measured angle is a multiple of a count over the gear ratio; the exact value is the drum's angle."""
    counts = {"counts": 50}
    model = hoist(encoder_angle=counts, encoder_length=counts, drum_angle={})
    data = new_data(model)
    data.q[1] += 0.2 * 0.3
    found = Measurements(model, data)
    step = 2 * np.pi / 50
    assert found.read("encoder_angle", data) == pytest.approx(found.read("drum_angle", data)) == pytest.approx(0.3)
    assert found.take(data, 0)[:2] == pytest.approx([2 * step, 0.2 * 2 * step])


@pytest.mark.parametrize("keys", [{}, {"counts": 0}, {"counts": 10, "resolution": 0.1}])
def test_an_encoder_needs_its_counts(keys):
    with pytest.raises(ScenarioError, match="counts"):
        hoist(encoder_angle=keys)


def test_what_a_cable_does_not_have_is_refused():
    """A span that the cable does not have is refused."""
    with pytest.raises(ScenarioError, match="has 2 of them"):
        hoist(span_tension={"span": 3})


def test_the_servo_keeps_the_limits_of_its_motor():
    """The torque stays within the limits of torque and power, where the integral stops."""
    spec = ControllerDrum(kind="drum", period=0.01, mode="speed", speed="w", command="u", kv=100.0, ki=10.0, limit=20.0,
                          power=50.0, setpoint=10.0)  # fmt: skip
    servo = DrumServo(build_plan(), spec)
    assert servo(0.0, {"w": 0.0}) == {"u": 20.0}
    assert servo(0.01, {"w": 5.0}) == {"u": pytest.approx(10.0)}
    assert servo.memory[0] == 0.0


def build_plan():
    """A plan without signals."""
    return hoist().plan
