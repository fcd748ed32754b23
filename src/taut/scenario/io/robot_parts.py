"""From the record `robot` to the cables, winches, commands, measurements and controllers it stands for.

The way of every cable along the path is computed at many times, over its pulley (``model/routes.py``); a spline through
them is what its winch pays out, or, over the radius, the angle to which the servo leads its drum.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from taut.model.balance import nearest_tensions
from taut.model.routes import SheaveKind, Stop, Wheel, trace
from taut.scenario.errors import ScenarioError
from taut.scenario.records.body import Body
from taut.scenario.records.robot import Robot
from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.records import Signal
from taut.scenario.start_pose import unit

GRAVITY = (0.0, 0.0, -9.81)  # default of a scenario [m/s^2]
SAMPLES = 400  # of the path, for a run
SIGNALS = TypeAdapter(dict[str, Signal])
MEASURED = {"tension": "tension_exit", "length": "length"}
POSE = {"position": "position", "velocity": "velocity", "orientation": "orientation", "spin": "angular_velocity"}
OF_DRUMS = {"angle": "drum_angle", "speed": "drum_speed", "torque": "drum_torque"}


def with_robot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping of a scenario with all that its robot stands for; as it is if there is none, or it is not valid."""
    try:
        robot = Robot.model_validate(data["robot"])
        named = SIGNALS.validate_python(data.get("signals") or {})
    except (KeyError, ValidationError):
        return dict(data)
    known = {cable.get("name") for cable in data.get("cables") or () if isinstance(cable, Mapping)}
    if f"{robot.name}1" in known:
        # the parts of the robot are already there, because the scenario was written by taut
        return dict(data)
    found: dict[str, Any] = dict(data)
    for group in ("signals", "drivers", "measurements", "controllers"):
        found[group] = dict(data.get(group) or {})
    found["cables"] = list(data.get("cables") or ())
    times = np.linspace(0.0, float((data.get("run") or {}).get("duration", 1.0)), SAMPLES)
    ways = lengths(robot, named, times)
    pulls = start_tensions(robot, data)
    for k in range(len(robot.exits)):
        add_cable(found, robot, k)
        change = {"kind": "table", "times": times.tolist(), "values": (ways[k] - ways[k][0]).tolist()}
        if robot.drum is None:
            found["drivers"][f"{robot.name}{k + 1} winch"] = {"kind": "winch", "payout": change, "start": "raw"}
        else:
            add_drum(found, robot, k, float(pulls[k]))
            if robot.motor is not None:
                add_motor(found, robot, k, change)
            elif robot.tensions is None:
                add_servo(found, robot, k, change)
    if robot.tensions is not None:
        add_tension_control(found, robot)
    return found


def start_tensions(robot: Robot, data: Mapping[str, Any]) -> np.ndarray:
    """Tensions of `initial.pretension` [cable]: those nearest to it that hold the body, else as it is given.

    The drums begin with the torques of these, so that nothing moves before it is led. What is wrong with the body or
    cannot be held is said later, by the checks of the scenario and by the build.
    """
    wanted = np.full(len(robot.exits), float((data.get("initial") or {}).get("pretension") or 0.0))
    given = data.get("platform") if robot.body == "platform" else (data.get("bodies") or {}).get(robot.body)
    try:
        body = Body.model_validate(given)
        mass, com, _ = body.mass_properties()
    except (ValidationError, ScenarioError, ValueError):
        return wanted
    if not wanted.any() or body.joint.kind != "free":
        return wanted
    R, x = body.rotation(), np.array(body.position or (0.0, 0.0, 0.0))
    loads = []
    for k in range(len(robot.exits)):
        arm = R @ np.array(robot.anchors[k])
        pull = -trace([first_stop(robot, k, (1, 3)), Stop((x + arm)[None])]).directions[-1, 0]
        loads.append(np.concatenate([pull, np.cross(arm, pull)]))
    weight = mass * np.array(data.get("gravity") or GRAVITY)
    carried = -np.concatenate([weight, np.cross(R @ np.array(com), weight)])
    motions = [0, 2, 4] if data.get("planar") else [0, 1, 2, 3, 4, 5]
    tensions, left = nearest_tensions(np.array(loads).T[motions], carried[motions], wanted)
    return tensions if left == 0.0 and np.all(tensions >= 0.0) else wanted


def lengths(robot: Robot, named: Mapping[str, Any], times: np.ndarray) -> np.ndarray:
    """Way of every cable along the path [cable, time]; without a path the ways do not change."""
    if robot.path is None:
        return np.zeros((len(robot.exits), len(times)))

    def along(path: Any) -> np.ndarray:
        return np.stack([curve_of(part, named).evaluate(times)[0] * np.ones_like(times) for part in path], axis=1)

    r = along(robot.path)
    turns = along(robot.turn) if robot.turn is not None else np.zeros_like(r)
    return np.array([way(robot, k, r, turns) for k in range(len(robot.exits))])


def swivel_axis(robot: Robot, k: int) -> tuple[float, float, float]:
    """As given; else up for the upper exits and down for the lower ones, so that ropes come from outside."""
    assert robot.pulley is not None
    if "axis" in robot.pulley.model_fields_set:
        return robot.pulley.axis
    middle = float(np.mean([place[2] for place in robot.exits]))
    return (0.0, 0.0, 1.0 if robot.exits[k][2] >= middle else -1.0)


def way(robot: Robot, k: int, r: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Length of one cable at all times [time]."""
    anchor = Stop(r + rotated(turns, np.array(robot.anchors[k])))
    return trace([first_stop(robot, k, r.shape), anchor]).length


def first_stop(robot: Robot, k: int, shape: tuple[int, ...]) -> Stop:
    """The exit of a cable: a point, or its pulley; ``shape`` is that of the points [time, 3]."""
    leave = np.broadcast_to(np.array(robot.exits[k]), shape)
    if robot.pulley is None:
        return Stop(leave)
    axis = np.broadcast_to(unit(swivel_axis(robot, k)), shape)
    return Stop(leave, Wheel(robot.pulley.radius, 1, SheaveKind.CASTOR, np.pi), axis)


def rotated(turns: np.ndarray, a: np.ndarray) -> np.ndarray:
    """A vector turned by rotation vectors [time, 3], by Rodrigues' formula."""
    angle = np.linalg.norm(turns, axis=1, keepdims=True)
    n = turns / np.where(angle > 0.0, angle, 1.0)
    along = np.sum(n * a, axis=1, keepdims=True)
    return np.cos(angle) * a + np.sin(angle) * np.cross(n, a) + (1.0 - np.cos(angle)) * along * n


def add_cable(found: dict[str, Any], robot: Robot, k: int) -> None:
    """One cable, and what is measured of it."""
    name = f"{robot.name}{k + 1}"
    own = {"name": name, "exit": list(robot.exits[k]), "anchor": list(robot.anchors[k]), "body": robot.body,
           "winch": f"{name} winch"}  # fmt: skip
    if robot.pulley is not None:
        own["pulley"] = {**robot.pulley.model_dump(exclude_none=True), "axis": list(swivel_axis(robot, k))}
    found["cables"].append({**robot.cable, **own})
    for word, what in MEASURED.items() if robot.cable.get("kind") != "ritz" else (("tension", "tension_exit"),):
        found["measurements"][f"{name} {word}"] = {"cable": name, "what": what}


def add_drum(found: dict[str, Any], robot: Robot, k: int, pull: float) -> None:
    """A drum; its torque begins with that of the cable's tension at the start."""
    name, drum = f"{robot.name}{k + 1}", robot.drum
    assert drum is not None
    ratio = drum.gearbox.ratio if drum.gearbox is not None else 1.0
    command = f"{name}_torque"
    found["signals"][command] = {"kind": "command", "initial": -pull * drum.radius / ratio}
    own = {**drum.model_dump(exclude_none=True), "torque": command, "braked": False}
    found["drivers"][f"{name} winch"] = {"kind": "winch", "drum": own}
    for word, what in OF_DRUMS.items():
        found["measurements"][f"{name} {word}"] = {"cable": name, "what": what}


def add_motor(found: dict[str, Any], robot: Robot, k: int, change: dict[str, Any]) -> None:
    """The motor of a drum in place of its command; the torque of the pretension is fed forward."""
    name, drum = f"{robot.name}{k + 1}", robot.drum
    assert drum is not None and robot.motor is not None
    angle = {**change, "values": [value / drum.radius for value in change["values"]]}
    own = found["drivers"][f"{name} winch"]["drum"]
    feedforward = found["signals"].pop(own.pop("torque"))["initial"]
    own["motor"] = {**robot.motor.model_dump(exclude_none=True), "angle": angle, "feedforward": feedforward}


def add_servo(found: dict[str, Any], robot: Robot, k: int, change: dict[str, Any]) -> None:
    """The servo of a drum; the torque of the pretension is fed forward."""
    name, command, drum = f"{robot.name}{k + 1}", f"{robot.name}{k + 1}_torque", robot.drum
    assert drum is not None
    setpoint = {**change, "values": [value / drum.radius for value in change["values"]]}
    found["controllers"][f"{name} servo"] = {
        "kind": "drum", "mode": "position", "angle": f"{name} angle", "speed": f"{name} speed", "command": command,
        "setpoint": setpoint, "feedforward": found["signals"][command]["initial"],
        **robot.servo.model_dump(exclude_none=True)}  # fmt: skip


def add_tension_control(found: dict[str, Any], robot: Robot) -> None:
    """The controller that leads the body by the tensions of all drums, and the measurements of its pose."""
    assert robot.tensions is not None and robot.path is not None
    for key, what in POSE.items():
        found["measurements"][f"{robot.body} {key}"] = {"body": robot.body, "what": what}
    names = [f"{robot.name}{k + 1}" for k in range(len(robot.exits))]
    turn = {"turn": list(robot.turn)} if robot.turn is not None else {}
    found["controllers"][f"{robot.body} tensions"] = {
        "kind": "cable-tension", "body": robot.body, "commands": {name: f"{name}_torque" for name in names},
        **{key: f"{robot.body} {key}" for key in POSE}, "setpoint": list(robot.path), **turn,
        **robot.tensions.model_dump(exclude_none=True)}  # fmt: skip
