import numpy as np
import pytest

import taut

ROPE = {"elements": 3, "radius": 1e-3, "mass_per_length": 0.01, "axial_stiffness": 1e5, "axial_damping": 100.0}


def hanging(driver, exits=((0.0, 0.0, 2.0),), duration=1.0, **keys):
    """A load below a driver."""
    machine = taut.Machine("driver")
    machine.body("load", mass=1.0, box=[0.2, 0.2, 0.2], position=[0, 0, 1])
    machine.driver("D", kind=driver, **keys)
    for k, place in enumerate(exits):
        machine.cable(f"C{k}", exit=list(place), body="load", anchor=[0.1 * k, 0, 0.1], driver="D", **ROPE)
    return machine.run(duration=duration, save_every=0.1)


def run(machine):
    result = taut.simulate(taut.build(machine.scenario()))
    assert result.audit["verdict"] == "pass"
    return result


def test_force_carries_the_load():
    weight = 9.81 * (1.0 + 0.01 * 0.9)
    for frame, force in (("world", [0, 0, weight + 1.009]), ("cable", [0, 0, -weight - 1.009])):
        result = run(hanging("force", force=force, frame=frame))
        assert result["body_velocity"].values[-1, 0, 2] == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize("layout", ["x", "plus"])
def test_quadcopter_turns_as_its_rotors_say(layout):
    machine = taut.Machine("quadcopter", gravity=[0, 0, 0])
    machine.driver("Q", kind="quadcopter", mass=1.0, inertia=[0.01, 0.01, 0.02], arm=0.2, moment_ratio=0.1,
                   layout=layout, thrust=[1.0, 0.0, 1.0, 0.0])  # fmt: skip
    result = run(machine.run(duration=0.1, save_every=0.05))
    # opposite rotors turn the same way: yaw 2 c T / I_zz, no tilt
    assert result["body_angular_velocity"].values[-1, 0] == pytest.approx([0, 0, 0.1 * 0.2 / 0.02], abs=1e-7)
    assert result["body_velocity"].values[-1, 0] == pytest.approx([0, 0, 0.2], abs=1e-7)


def test_held_quadcopter_is_a_point_that_no_moment_turns():
    keys = {"mass": 1.0, "inertia": [0.01, 0.01, 0.02], "arm": 0.2, "moment_ratio": 0.1, "thrust": [1.0, 2.0, 0.0, 0.0]}
    machine = taut.Machine("quadcopter", gravity=[0, 0, 0])
    start = {"orientation": {"euler": [0.5, 0.0, 0.0]}, "position": [1.0, 2.0, 3.0], "velocity": [0.1, 0.2, 0.3]}
    machine.driver("Q", kind="quadcopter", attitude="held", drag=1e-9, **start, **keys)
    result = run(machine.run(duration=0.1, save_every=0.05))
    up = np.array([0.0, -np.sin(0.5), np.cos(0.5)])
    velocity = np.array(start["velocity"]) + 0.3 * up
    assert result["body_velocity"].values[-1, 0] == pytest.approx(velocity, abs=1e-7)
    assert result["body_position"].values[0, 0] == pytest.approx(start["position"])
    assert result["body_quaternion"].values[-1, 0] == pytest.approx([np.cos(0.25), np.sin(0.25), 0, 0], abs=1e-12)


def test_quadcopter_thrust_is_limited_and_lags():
    machine = taut.Machine("quadcopter", gravity=[0, 0, 0])
    machine.driver("Q", kind="quadcopter", mass=1.0, inertia=[0.01, 0.01, 0.02], arm=0.2, max_thrust=0.5, motor_lag=0.1,
                   thrust="where(t - 0.2, 3, 0)")  # fmt: skip
    result = run(machine.run(duration=1.0, save_every=0.1))
    # 4 x 0.5 N from 0.2 s on, behind a lag
    s = 0.8
    assert result["body_velocity"].values[-1, 0, 2] == pytest.approx(2.0 * (s - 0.1 * (1 - np.exp(-s / 0.1))), abs=1e-6)


def test_trolley_follows_a_force():
    result = run(hanging("trolley", mass=1e6, force=2e6))
    assert result["body_position"].sel(body="D").values[-1] == pytest.approx([1.0, 0.0, 2.0], abs=1e-4)


MOTION = "0.3*t**3"
CARRIERS = {
    "trolley": ({"mass": 5.0, "motion": MOTION}, [0.3, 0.0, 2.0]),
    "gantry": ({"mass": 5.0, "bridge_mass": 9.0, "motion": MOTION, "bridge_motion": "0.1*t**3"}, [0.3, 0.1, 2.0]),
    "mobile": ({"mass": 5.0, "inertia": 1.0, "motion": [MOTION, 0.0, "0.2*t**3"]}, [0.3, 0.0, 2.0]),
    "deck": ({"surge": MOTION, "heave": "-0.2*t**3", "pitch": "0.1*t**3"}, [0.3, 0.0, 1.8]),
}


@pytest.mark.parametrize("kind", CARRIERS)
def test_carriers_follow_their_motion(kind):
    keys, place = CARRIERS[kind]
    result = run(hanging(kind, exits=[(0.0, 0.0, 2.0), (0.1, 0.0, 2.0)], **keys))
    assert result["body_position"].sel(body="D").values[-1] == pytest.approx(place, abs=1e-8)


def test_names_of_bodies_and_drivers_differ():
    machine = hanging("trolley", mass=1.0)
    machine.body("D", mass=1.0, box=[1, 1, 1])
    with pytest.raises(taut.ScenarioError, match="a body has the same name"):
        machine.scenario()


def test_winch_moves_no_exit():
    with pytest.raises(taut.ScenarioError, match="write winch: instead of driver:"):
        hanging("winch", payout=0.0).scenario()
