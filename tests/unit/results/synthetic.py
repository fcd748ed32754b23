"""A made-up but plausible run of a robot with four moving exits, four cables of five elements and one platform.

The exits lift, carry over an arc and set down; the platform swings behind them. Nothing is integrated: energies and
forces follow from the made-up motion, so that every channel has the size and shape of a real one.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from taut.results.finish import make_result
from taut.results.record import RunRecord

CABLES = ("C1", "C2", "C3", "C4")
ELEMENTS = 5
MASS, CABLE_MASS, LENGTH, GRAVITY = 0.5, 0.05, 0.75, 9.81
EXITS = np.array([[0.4, 0.6, 0.95], [1.0, 0.6, 0.95], [0.4, 1.4, 0.95], [1.0, 1.4, 0.95]])
CLOSURES = tuple(f"{cable}.anchor" for cable in CABLES)
SCENARIO = "taut: 1\nname: synthetic pick and place\n"
WAYPOINTS = np.array([[0, 0, 0], [0, 0, 1], [0.3536, 0.3536, 1.866], [0.7071, 0.7071, 1], [0.7071, 0.7071, 0]])


def synthetic_result(samples=601, status="completed", **changes):
    """A result of 6 s; ``changes`` replace arrays of the same name."""
    arrays, coords = synthetic_arrays(samples)
    return make_result({**arrays, **changes}, coords, synthetic_record(status))


def synthetic_record(status="completed", **more):
    counts = {"accepted": 120, "rejected": 7, "newton_failures": 2, "newton_iterations": 391, "factorisations": 64}
    fields = {"scenario_text": SCENARIO, "title": "synthetic pick and place", "duration": 6.0, "statistics": counts}
    return RunRecord(**{**fields, "status": status, "method": "radau5", **more})


def synthetic_arrays(samples=601):
    """Arrays and coordinates as an integrator hands them over."""
    time = np.linspace(0.0, 6.0, samples)
    offset = exit_offset(time)
    swing = 0.04 * np.sin(7.0 * (time - 2.0)) * np.exp(-0.3 * np.abs(time - 3.0)) * (time > 2.0)
    position = np.array([0.7, 1.0, 0.1]) + offset + np.stack([swing, 0.8 * swing, -0.05 * np.abs(swing)], axis=1)
    velocity = np.gradient(position, time, axis=0)
    acceleration = np.gradient(velocity, time, axis=0)
    angles = np.stack([0.01 * swing, -0.02 * swing, 0.3 * swing**2], axis=1)
    motion = {
        "body_position": position,
        "body_quaternion": Rotation.from_euler("XYZ", angles).as_quat()[:, [3, 0, 1, 2]],
        "body_velocity": velocity,
        "body_angular_velocity": np.gradient(angles, time, axis=0),
        "body_acceleration": acceleration,
    }
    arrays = {name: values[:, None] for name, values in motion.items()}
    arrays |= cable_arrays(time, offset, acceleration)
    arrays |= machine_arrays(time)
    arrays |= energy_arrays(time, position, velocity)
    arrays |= step_arrays()
    names = {"body": ["platform"], "cable": CABLES, "closure": CLOSURES}
    names |= {"row": [f"{name}.{axis}" for name in CLOSURES for axis in "xyz"]}
    names |= {"column": [f"v{k}" for k in range(66)], "coordinate": [f"q{k}" for k in range(67)]}
    return arrays, {"time": time, **names}


def exit_offset(time):
    """Offset of the exits, from rest to rest between the waypoints."""
    times = np.array([0.0, 2.0, 3.0, 4.0, 6.0])
    k = np.clip(np.searchsorted(times, time, side="right") - 1, 0, 3)
    s = ((time - times[k]) / np.diff(times)[k])[:, None]
    return WAYPOINTS[k] + (3 * s**2 - 2 * s**3) * (WAYPOINTS[k + 1] - WAYPOINTS[k])


def cable_arrays(time, offset, acceleration):
    along = np.linspace(0.0, 1.0, ELEMENTS + 1)[:, None]
    bow = 0.01 * np.sin(np.pi * along) * np.array([1.0, 0.5, 0.0])
    nodes = EXITS[:, None] - along * np.array([0.0, 0.0, LENGTH]) + bow
    share = np.array([1.0, 0.97, 1.02, 1.01])
    anchor = 0.25 * MASS * (acceleration[:, None] + [0.0, 0.0, GRAVITY]) * share[None, :, None]
    weight = CABLE_MASS * (acceleration[:, None] + [0.0, 0.0, GRAVITY])
    # at the first instant nothing is stretched yet
    ramp = (time > 0.0)[:, None, None]
    tension = (anchor[..., 2:] + weight[..., 2:] * (1.0 - along[1:, 0])) * ramp
    return {
        "cable_nodes": nodes + offset[:, None, None],
        "cable_tension": tension,
        "cable_tension_exit": ((anchor + weight) * ramp)[..., 2],
        "cable_tension_anchor": (anchor * ramp)[..., 2],
        "cable_length": np.full((len(time), len(CABLES)), LENGTH),
        "cable_slack": tension <= 0.0,
        "anchor_force": -anchor * ramp,
        "exit_force": (anchor + weight) * ramp,
    }


def machine_arrays(time):
    rng = np.random.default_rng(0)
    closure = 1e-12 * rng.lognormal(size=(len(time), len(CLOSURES)))
    return {
        "joint_position": rng.normal(size=(len(time), 67)),
        "joint_velocity": rng.normal(size=(len(time), 66)),
        "joint_acceleration": rng.normal(size=(len(time), 66)),
        "multiplier": rng.normal(size=(len(time), 3 * len(CLOSURES))),
        "constraint_error": closure.max(axis=1),
        "constraint_error_velocity": 20.0 * closure.max(axis=1),
        "closure_error": closure,
        "closure_error_velocity": 20.0 * closure,
    }


def energy_arrays(time, position, velocity):
    mass = MASS + len(CABLES) * CABLE_MASS
    kinetic = 0.5 * mass * np.sum(velocity**2, axis=1)
    gravity = mass * GRAVITY * position[:, 2]
    elastic = 1e-4 * (1.0 + kinetic)
    dissipated = 0.02 * np.cumsum(kinetic) * (time[1] - time[0])
    stored = kinetic + gravity + elastic
    error = 1e-7 * np.sin(3.0 * time)
    return {
        "energy_kinetic": kinetic,
        "energy_gravity": gravity,
        "energy_elastic": elastic,
        "work_input": stored - stored[0] + dissipated - error,
        "work_dissipated": dissipated,
    }


def step_arrays():
    # small steps after each restart, growing until the next
    pieces = [np.geomspace(1e-3, 1.0, 30) / np.geomspace(1e-3, 1.0, 30).sum() * span for span in (2.0, 1.0, 1.0, 2.0)]
    size = np.concatenate(pieces)
    return {
        "step_time": np.cumsum(size),
        "step_size": size,
        "step_newton_iterations": np.resize([3, 3, 4, 3, 2], len(size)),
        "step_error": np.full(len(size), 0.3),
    }
