"""The controller cable-length over pulleys, guides, moving exits and drums: bodies go where they are led."""

import numpy as np
import pytest

import taut
from taut.build.cables.route_tables import layers_of
from taut.build.machine.reeving import DrumData
from taut.control.courses import course_at
from taut.control.kinds import make_controllers
from taut.control.leading.winch_commands import turned
from taut.model.routes import SheaveKind, Stop, Wheel, trace
from taut.scenario.cables.winch import Layers
from taut.scenario.records.orientation import rotation_from_quaternion, rotation_from_vector

CORNERS = [(x, y, z) for z in (1, -1) for x in (-1, 1) for y in (-1, 1)]
PATH, TURN = ["0.3*way", "0.2*way", "0.1*way"], ["0.1*way", "0", "0.2*way"]


def robot(drive="payout", **keys):
    """Eight cables around a platform, from pulleys."""
    machine = taut.Machine("robot")
    machine.platform(mass=20.0, box=[0.4, 0.4, 0.4], position=[0, 0, 0])
    own: dict = {"kind": "spring", "axial_stiffness": 4e5, "axial_damping": 2e3}
    angles, speeds = {}, {}
    machine.signal("way", kind="waypoints", times=[0, 0.8], values=[0, 1], blend="quintic")
    for k, (x, y, z) in enumerate(CORNERS):
        name = f"C{k}"
        wheel = {"pulley": {"radius": 0.05, "axis": [0, 0, z]}}
        machine.cable(name, exit=[1.5 * x, 1.5 * y, 1.2 * z], winch=f"W{k}", **own,
                      anchor=[(0.25 if z > 0 else 0.1) * x, (0.1 if z > 0 else 0.25) * y, -0.15 * z],
                      **wheel)  # fmt: skip
        machine.measurement(f"pull{k}", cable=name)
        if drive == "payout":
            machine.signal(f"u{k}", kind="command", acts="rate", lag=0.01)
            machine.driver(f"W{k}", kind="winch", payout=f"u{k}", start="raw")
        elif drive == "angle":
            machine.signal(f"u{k}", kind="command", acts="rate", lag=0.01)
            drum = {"radius": 0.05, "inertia": 0.01, "braked": False,
                    "motor": {"angle": f"u{k}", "kp": 40, "kv": 8, "feedforward": -15}}  # fmt: skip
            machine.driver(f"W{k}", kind="winch", drum=drum)
        else:
            machine.signal(f"u{k}", kind="command", initial=-300 * 0.05 / 5)
            layers = {"width": 0.05, "pitch": 0.01, "diameter": 0.008, "turns": 11.2}
            drum = {"radius": 0.05, "inertia": 0.01, "braked": False, "torque": f"u{k}",
                    "gearbox": {"ratio": 5, "inertia": 1e-4}, "layers": layers}  # fmt: skip
            machine.driver(f"W{k}", kind="winch", drum=drum)
            machine.measurement(f"angle{k}", cable=name, what="drum_angle")
            machine.measurement(f"speed{k}", cable=name, what="drum_speed")
            angles[name], speeds[name] = f"angle{k}", f"speed{k}"
    extra = {"angles": angles, "speeds": speeds, "servo": {"kp": 60, "kv": 1.0, "ki": 20}} if angles else {}
    machine.controller("lead", **({"kind": "cable-length", "period": 0.005, "setpoint": PATH, "turn": TURN,
                                   "feedforward": {"preload": 300.0, "least": 20.0}, "bandwidth": 20.0,
                                   "commands": {f"C{k}": f"u{k}" for k in range(8)}} | extra | keys))  # fmt: skip
    machine.initial(pretension=300.0)
    return machine.run(duration=1.2, save_every=0.05, tolerance=1e-5)


def errors(result):
    """Largest distance from the path, and angle from the wanted orientation."""
    t = np.clip(result.time / 0.8, 0, 1)
    s = t**3 * (10 - 15 * t + 6 * t * t)
    place = result["body_position"].sel(body="platform").values
    quaternions = result["body_quaternion"].sel(body="platform").values
    turned = [rotation_from_vector(np.array([0.1, 0, 0.2]) * x).T @ rotation_from_quaternion(q)
              for x, q in zip(s, quaternions, strict=True)]  # fmt: skip
    angles = [np.arccos(min(1.0, 0.5 * (np.trace(R) - 1.0))) for R in turned]
    return np.linalg.norm(place - np.outer(s, [0.3, 0.2, 0.1]), axis=1), np.array(angles)


@pytest.mark.parametrize(
    ("drive", "away", "turn", "end"),
    [("payout", 1e-4, 1.5e-3, 1e-5), ("torque", 3e-5, 3e-4, 1e-5), ("angle", 2e-3, 1.2e-2, 1.2e-2)],
)
def test_platform_goes_where_it_is_led_over_pulleys(drive, away, turn, end):
    """The platform is led by winches, by torques of drums with layers and gears, and by motors."""
    period = 0.005 if drive == "torque" else 0.01
    result = taut.simulate(taut.build(robot(drive, period=period).scenario()))
    places, angles = errors(result)
    assert result.audit["verdict"] == "pass"
    assert places.max() < away and angles.max() < turn
    assert places[-1] < end and angles[-1] < end


def test_drums_with_layers_are_turned_as_their_length_asks():
    layers = layers_of(0.1, Layers(width=0.05, pitch=0.01, diameter=0.008, turns=11.2))
    drum = DrumData(0.1, 1.0, 1.0, layers)
    for start in (-4.0, -0.8, 0.3, 2.1, 5.0):

        def length(t, start=start):
            return np.array([start + 0.7 * t + 0.2 * t * t, 0.7 + 0.4 * t, 0.4])

        angle, rate, second = turned(drum, length(0.0))
        assert drum.paid(angle * drum.radius)[0] == pytest.approx(start, abs=1e-13)
        h = 1e-4
        before, after = (turned(drum, length(t))[0] for t in (-h, h))
        assert rate == pytest.approx((after - before) / (2 * h), rel=1e-7)
        assert second == pytest.approx((after - 2 * angle + before) / h**2, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("is_measured", [False, True])
def test_guides_on_other_bodies_and_exits_on_signals_are_known(is_measured):
    """Lengths agree with the definition, from an exit that follows a signal, over a measured trolley, to a hook."""
    machine = taut.Machine("crane")
    machine.body("trolley", mass=50, box=[0.2, 0.2, 0.2],
                 joint={"kind": "prismatic", "axis": [1, 0, 0], "origin": [0, 0, 5]})  # fmt: skip
    machine.body("hook", mass=10, box=[0.2, 0.2, 0.2], position=[0.4, 0, 2])
    machine.driver("moves", kind="trajectory", offset=["0.1*t", 0, "0.2*t"])
    machine.signal("u", kind="command", acts="acceleration")
    machine.driver("W", kind="winch", payout="u", start="raw")
    machine.cable("C", kind="spring", axial_stiffness=1e6, exit=[-3, 0, 4], driver="moves", body="hook",
                  anchor=[0, 0, 0.1], winch="W", via=[{"kind": "sheave", "body": "trolley", "radius": 0.2,
                                                        "axis": [0, 1, 0], "side": "over"}])  # fmt: skip
    machine.measurement("where", body="trolley")
    machine.measurement("speed", body="trolley", what="velocity")
    keys = {"kind": "cable-length", "body": "hook", "period": 0.01, "commands": {"C": "u"}, "delay": 0.01,
            "setpoint": ["0.4 + 0.3*t", 0, "2 + 0.1*t*t"]}  # fmt: skip
    if not is_measured:
        machine.controller("lead", **keys)
        with pytest.raises(taut.ScenarioError, match="a guide that moves, on trolley"):
            machine.scenario()
        return
    machine.controller("lead", **keys, carriers={"trolley": {"position": "where", "velocity": "speed"}})
    model = taut.build(machine.scenario())
    law = make_controllers(model, {})["lead"]
    start = model.plan.equipment["lead"].winches["C"].length
    period, n = 0.01, 200
    for k in range(n):
        t = k * period
        law(t, {"where": np.array([0.25 * t, 0, 5]), "speed": np.array([0.25, 0, 0])})
    t = n * period + 0.01
    stops = [Stop(np.array([[-3 + 0.1 * t, 0, 4 + 0.2 * t]])),
             Stop(np.array([[0.25 * t, 0, 5]]), Wheel(0.2, 1, SheaveKind.FIXED, 2.0), np.array([[0, 1.0, 0]])),
             Stop(np.array([[0.4 + 0.3 * t, 0, 2.1 + 0.1 * t * t]]))]  # fmt: skip
    assert start + course_at(law.winches["C"].course, t)[0] == pytest.approx(trace(stops).length[0], abs=2e-5)
