"""Events of measurements read what sensors read."""

import numpy as np
import pytest

from taut.build import build
from taut.control.measuring.measure import Measurements
from taut.dynamics.events import event_values
from taut.dynamics.residual import place_state
from taut.model import new_data
from taut.scenario.builder import Machine
from taut.scenario.errors import ScenarioError

DRUM = {"radius": 0.2, "inertia": 0.1, "torque": -3.0, "speed": 0.5}
ROPE = {"tension_exit": {}, "tension_anchor": {}, "length": {}, "span_tension": {"span": 2}, "guide_wrap": {"guide": 1},
        "guide_load": {"guide": 1}, "drum_angle": {}, "drum_speed": {}, "drum_torque": {}}  # fmt: skip
LEVEL = 0.3


def hoist(measured, kind="ideal", drum=DRUM, level=LEVEL, **keys):
    """A load on a rope over a sheave, from a drum, and an event of every measurement."""
    machine = Machine("hoist")
    machine.body("load", mass=2.0, joint={"kind": "prismatic", "origin": [0.1, 0, -2]})
    hinge = {"kind": "revolute", "axis": [0, 1, 0], "origin": [0, 3, 0]}
    machine.body("arm", mass=1.0, box=[0.1, 0.1, 0.1], joint=hinge)
    machine.cable("rope", kind=kind, exit=[-1, 0, 0.1], winch="drum", body="load", anchor=[0, 0, 0],
                  via=[{"kind": "sheave", "radius": 0.1, "axis": [0, 1, 0], "side": "over"}], **keys)  # fmt: skip
    machine.driver("drum", kind="winch", **({"drum": drum} if drum else {"payout": "0.1*t**2"}))
    for what, more in measured.items():
        machine.measurement(what, **({"cable": "rope", "what": what.split(" ")[0]} | more))
        machine.event(f"at {what}", measurement=what, value=level)
    return machine


def values_of(machine, seed=1):
    """Values of the events and of the sensors with the same measurements, at a state that is not at rest."""
    model = build(machine)
    data, rng = new_data(model), np.random.default_rng(seed)
    data.q[:] += 0.03 * rng.random(len(data.q))
    data.v[:] += rng.random(len(data.v))
    data.z[:] = rng.random(len(data.z))
    data.modes[:], data.lam[:] = 1, 20.0 + rng.random(len(data.lam))
    sensors = Measurements(model, data).exact(data)
    place_state(model.tables, data, np.zeros(model.column_count))
    values = np.zeros(len(model.tables.events))
    event_values(model.tables, data, values)
    return values[-len(sensors) :], sensors


BODIES = {"place": {"cable": None, "body": "load", "what": "position", "component": "z", "point": [0.1, 0, 0]},
          "pace": {"cable": None, "body": "arm", "what": "velocity", "component": 0, "point": [0, 0, 1]},
          "turn": {"cable": None, "joint": "arm", "what": "position"},
          "spin": {"cable": None, "joint": "arm", "what": "velocity"}}  # fmt: skip


@pytest.mark.nojit
@pytest.mark.parametrize("kind", ["ideal", "spring"])
def test_ropes_bodies_and_joints(kind):
    """Events read what sensors read, for every measurement of ropes, bodies and joints that may be watched."""
    keys = {"axial_stiffness": 1e4, "length": 3.1} if kind == "spring" else {}
    found, sensors = values_of(hoist(ROPE | BODIES, kind, **keys))
    assert len(sensors) == len(ROPE) + len(BODIES)
    assert found == pytest.approx(sensors - LEVEL, rel=1e-12, abs=1e-12)


@pytest.mark.nojit
@pytest.mark.parametrize("turn", [-3.0, -1.0, 0.1, 1.0, 2.5])
def test_a_swivel_angle(turn):
    """The value is the sine of the angle to the level, up to a quarter turn; it jumps only half a turn away."""
    machine = hoist({})
    machine._data["cables"][0]["via"][0]["axis"] = [-np.sin(turn), np.cos(turn), 0.0]
    machine._data["cables"][0] |= {"exit": [-np.cos(turn), -np.sin(turn), 0.1]}
    place = [0.1 * np.cos(turn), 0.1 * np.sin(turn), -2.0]
    machine._data["bodies"]["load"]["joint"]["origin"] = place
    machine.measurement("swivel", cable="rope", what="guide_swivel", guide=1)
    machine.event("turned", measurement="swivel", value=LEVEL)
    (found,), (sensor,) = values_of(machine)
    assert sensor == pytest.approx(turn, abs=1e-12)
    ahead = np.remainder(turn - LEVEL + np.pi, 2.0 * np.pi) - np.pi
    assert found == pytest.approx(np.sin(ahead) if abs(ahead) < 0.5 * np.pi else np.sign(ahead), abs=1e-12)


@pytest.mark.nojit
def test_a_motor_with_a_lag_and_a_gearbox():
    """The events read the torque from the internal state of the motor."""
    motor = {"torque": -3.0, "limit": 40.0, "lag": 0.05}
    drum = {"radius": 0.2, "inertia": 0.1, "motor": motor, "gearbox": {"ratio": 10.0}}
    found, sensors = values_of(hoist({"drum_torque": {}, "motor_torque": {}, "drum_speed": {}}, drum=drum))
    assert sensors[0] == pytest.approx(10.0 * sensors[1])
    assert sensors[0] != 0.0
    assert found == pytest.approx(sensors - LEVEL, rel=1e-12)


@pytest.mark.uncompiled
@pytest.mark.parametrize("drum", [None, {"radius": 0.2, "inertia": 0.1, "torque": -3.0}])
def test_a_cable_of_elements(drum):
    """The events read the length of the cable, its pull at the anchor and the tension of the rope behind its guide."""
    measured = {"length": {}, "tension_anchor": {}, "span_tension": {"span": 1}}
    measured |= {"drum_angle": {}, "drum_speed": {}, "drum_torque": {}} if drum else {}
    machine = hoist(measured, "mrfe", drum, elements=3, radius=2e-3, mass_per_length=0.1, axial_stiffness=1e4)
    found, sensors = values_of(machine)
    assert found == pytest.approx(sensors - LEVEL, rel=1e-12)


def test_what_cannot_be_watched_is_refused():
    """A measurement that cannot be watched is refused with the reason."""
    cases = {
        "jumps from count to count": {"encoder_angle": {"counts": 100}},
        "one component of position": {"place": BODIES["place"] | {"component": None}},
        "position or velocity can be": {"force": {"cable": None, "joint": "arm", "what": "force"}},
        "many numbers": {"all": {"cable": None, "what": "position"}},
    }
    for message, measured in cases.items():
        with pytest.raises(ScenarioError, match=message):
            hoist(measured).scenario()
