"""The controller cable-length over pulleys, guides, moving exits and drums: bodies go where they are led."""

import numpy as np
import pytest

import taut
from taut.scenario.records.orientation import rotation_from_quaternion, rotation_from_vector

CORNERS = [(x, y, z) for z in (1, -1) for x in (-1, 1) for y in (-1, 1)]
PATH, TURN = ["0.3*way", "0.2*way", "0.1*way"], ["0.1*way", "0", "0.2*way"]


def robot(drive="payout", *, kind="spring", pulley=True, **keys):
    """Eight cables around a platform, from pulleys."""
    machine = taut.Machine("robot")
    machine.platform(mass=20.0, box=[0.4, 0.4, 0.4], position=[0, 0, 0])
    own: dict = {"kind": "spring", "axial_stiffness": 4e5, "axial_damping": 2e3}
    if kind == "mrfe":
        own = {"kind": "mrfe", "elements": 2, "radius": 2e-3, "mass_per_length": 1e-3, "axial_stiffness": 4e5,
               "axial_damping": 2e3, "bending_stiffness": 0.0}  # fmt: skip
    angles, speeds = {}, {}
    machine.signal("way", kind="waypoints", times=[0, 0.8], values=[0, 1], blend="quintic")
    for k, (x, y, z) in enumerate(CORNERS):
        name = f"C{k}"
        wheel = {"pulley": {"radius": 0.05, "axis": [0, 0, z]}} if pulley else {}
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
    ("drive", "kind", "most", "end"),
    [("payout", "spring", 5e-4, 5e-5), ("payout", "mrfe", 1e-3, 5e-4), ("torque", "spring", 2e-3, 2e-4),
     ("angle", "spring", 3e-2, 1e-3)],
)  # fmt: skip
def test_platform_goes_where_it_is_led_over_pulleys(drive, kind, most, end):
    result = taut.simulate(taut.build(robot(drive, kind=kind).scenario()))
    away, angle = errors(result)
    print(drive, kind, away.max(), away[-1], angle.max(), angle[-1], result.audit["verdict"])
    assert result.audit["verdict"] == "pass"
    assert away.max() < most and angle.max() < 2 * most
    assert away[-1] < end and angle[-1] < 2 * end
