"""From the record `robot` to the cables, winches, commands, measurements and controllers it stands for.

What the winch of a cable pays out is the change of the cable's length along the path, over its pulley and guides (a
signal of the kind ``rope-length``); over the radius it is the angle to which the servo leads its drum.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from pydantic import ValidationError

from taut.model.balance import nearest_tensions
from taut.model.routes import Stop, trace
from taut.scenario.errors import ScenarioError
from taut.scenario.records.body import Body
from taut.scenario.records.robot import Robot
from taut.scenario.signals.expression import SignalError
from taut.scenario.signals.rope_length import Leading

GRAVITY = (0.0, 0.0, -9.81)  # default of a scenario [m/s^2]
MEASURED = {"tension": "tension_exit", "length": "length"}
POSE = {"position": "position", "velocity": "velocity", "orientation": "orientation", "spin": "angular_velocity"}
OF_DRUMS = {"angle": "drum_angle", "speed": "drum_speed", "torque": "drum_torque"}


def with_robot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping of a scenario with all that its robot stands for; as it is if there is none, or it is not valid."""
    try:
        robot = Robot.model_validate(data["robot"])
    except KeyError:
        return dict(data)
    except ValidationError:
        return with_first_cable(data)
    known = {cable.get("name") for cable in data.get("cables") or () if isinstance(cable, Mapping)}
    if f"{robot.name}1" in known:
        # the parts of the robot are already there, because the scenario was written by taut
        return dict(data)
    found: dict[str, Any] = dict(data)
    for group in ("signals", "drivers", "measurements", "controllers"):
        found[group] = dict(data.get(group) or {})
    found["cables"] = list(data.get("cables") or ())
    pulls = start_tensions(robot, data)
    for k in range(len(robot.exits)):
        add_cable(found, robot, k)
        if robot.drum is None:
            payout = length_change(robot, k, 1.0)
            found["drivers"][f"{robot.name}{k + 1} winch"] = {"kind": "winch", "payout": payout, "start": "raw"}
        else:
            add_drum(found, robot, k, float(pulls[k]))
            if robot.motor is not None:
                add_motor(found, robot, k)
            elif robot.tensions is None:
                add_servo(found, robot, k)
    if robot.tensions is not None:
        add_tension_control(found, robot)
    return found


def with_first_cable(data: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping whose robot is not valid, with one cable of its, so that mistakes in `robot.cable` are told too."""
    robot, cables = data["robot"], data.get("cables") or []
    cable = robot.get("cable") if isinstance(robot, Mapping) else None
    if not isinstance(cable, Mapping) or not cable or not isinstance(cables, list | tuple):
        return dict(data)
    own = {"name": "C1", "exit": [0.0, 0.0, 1.0], "anchor": [0.0, 0.0, 0.0], "body": "platform"}
    return {**data, "cables": [*cables, {**cable, **own}]}


def robot_origins(data: Any) -> dict[tuple[str | int, ...], tuple[str | int, ...]]:
    """What the user wrote in `robot`, by the path of the cables and drums that it stands for."""
    robot = data.get("robot") if isinstance(data, Mapping) else None
    cables = (data.get("cables") or ()) if isinstance(data, Mapping) else ()
    exits = robot.get("exits") if isinstance(robot, Mapping) else None
    if not isinstance(robot, Mapping) or not isinstance(cables, list | tuple):
        return {}
    found: dict[tuple[str | int, ...], tuple[str | int, ...]] = {}
    begin = robot.get("name", "C")
    if any(isinstance(cable, Mapping) and cable.get("name") == f"{begin}1" for cable in cables):
        return {}  # written by taut, with all parts in place
    for k in range(max(len(exits) if isinstance(exits, list | tuple) else 0, 1)):
        at: tuple[str | int, ...] = ("cables", len(cables) + k)
        found[at] = ("robot", "cable")
        found |= {(*at, "exit"): ("robot", "exits", k), (*at, "anchor"): ("robot", "anchors", k),
                  (*at, "pulley"): ("robot", "pulley")}  # fmt: skip
        if robot.get("guides"):
            found[*at, "via"] = ("robot", "guides", k)
        found["drivers", f"{begin}{k + 1} winch", "drum"] = ("robot", "drum")
    return found


def start_tensions(robot: Robot, data: Mapping[str, Any]) -> np.ndarray:
    """Tensions of `initial.pretension` [cable]: those nearest to it that hold the body, else as it is given.

    The drums begin with the torques of these, so that nothing moves before it is led. What is wrong with the body or
    cannot be held is said later, by the checks of the scenario and by the build.
    """
    initial = data.get("initial")
    given = initial.get("pretension") if isinstance(initial, Mapping) else None
    gravity = data.get("gravity", GRAVITY)
    wanted = np.full(len(robot.exits), float(given) if isinstance(given, int | float) else 0.0)
    if not is_vector(gravity):
        return wanted
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
    try:
        ways = [way_to(robot, k, R, x) for k in range(len(robot.exits))]
    except SignalError:
        return wanted
    for k, way in enumerate(ways):
        arm = R @ np.array(robot.anchors[k])
        pull = -trace([*way, Stop((x + arm)[None])]).directions[-1, 0]
        loads.append(np.concatenate([pull, np.cross(arm, pull)]))
    weight = mass * np.array(gravity)
    carried = -np.concatenate([weight, np.cross(R @ np.array(com), weight)])
    motions = [0, 2, 4] if data.get("planar") else [0, 1, 2, 3, 4, 5]
    tensions, left = nearest_tensions(np.array(loads).T[motions], carried[motions], wanted)
    return tensions if left == 0.0 and np.all(tensions >= 0.0) else wanted


def is_vector(given: Any) -> bool:
    """Whether this is a list of three numbers."""
    numbers = list(given) if isinstance(given, list | tuple | np.ndarray) else []
    return len(numbers) == 3 and all(isinstance(x, int | float | np.number) for x in numbers)  # noqa: PLR2004


def length_change(robot: Robot, k: int, scale: float) -> Any:
    """Signal of the change of a cable's length along the path, times a factor; without a path there is none."""
    if robot.path is None:
        return 0.0
    pulley = {"pulley": pulley_of(robot, k)} if robot.pulley is not None else {}
    if robot.guides:
        pulley |= {"via": guides_of(robot, k), "body": robot.body}
    turn = {"turn": list(robot.turn)} if robot.turn is not None else {}
    return {"kind": "rope-length", "exit": list(robot.exits[k]), "anchor": list(robot.anchors[k]), **pulley,
            "path": list(robot.path), **turn, "scale": scale}  # fmt: skip


def pulley_of(robot: Robot, k: int) -> dict[str, Any]:
    """The pulley at an exit."""
    assert robot.pulley is not None
    return {**robot.pulley.model_dump(exclude_none=True), "axis": list(swivel_axis(robot, k))}


def swivel_axis(robot: Robot, k: int) -> tuple[float, float, float]:
    """Swivel axis as given; else up for the upper exits and down for the lower, so that ropes come from outside."""
    assert robot.pulley is not None
    if "axis" in robot.pulley.model_fields_set:
        return robot.pulley.axis
    middle = float(np.mean([place[2] for place in robot.exits]))
    return (0.0, 0.0, 1.0 if robot.exits[k][2] >= middle else -1.0)


def guides_of(robot: Robot, k: int) -> list[dict[str, Any]]:
    """Guides of a cable as they are written."""
    return [guide.model_dump(exclude_unset=True) for guide in robot.guides[k]]


def leading(robot: Robot, k: int) -> Leading:
    """Where a rope begins at its exit, and where it is fastened on the body."""
    radius, axis = (robot.pulley.radius, swivel_axis(robot, k)) if robot.pulley is not None else (0.0, (0.0, 0.0, 1.0))
    via = robot.guides[k] if robot.guides else ()
    return Leading(np.array(robot.exits[k]), np.array(robot.anchors[k]), radius, axis, via, body=robot.body)


def way_to(robot: Robot, k: int, R: np.ndarray, x: np.ndarray) -> list[Stop]:
    """Stops of a cable before its anchor, with the body at a pose."""
    from scipy.spatial.transform import Rotation

    own, turn = leading(robot, k), Rotation.from_matrix(R).as_rotvec()
    return own.started(x, turn).stops(x[None], turn[None])[:-1]


def add_cable(found: dict[str, Any], robot: Robot, k: int) -> None:
    """Add one cable and its measurements."""
    name = f"{robot.name}{k + 1}"
    own = {"name": name, "exit": list(robot.exits[k]), "anchor": list(robot.anchors[k]), "body": robot.body,
           "winch": f"{name} winch"}  # fmt: skip
    if robot.pulley is not None:
        own["pulley"] = pulley_of(robot, k)
    if robot.guides:
        own["via"] = guides_of(robot, k)
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


def add_motor(found: dict[str, Any], robot: Robot, k: int) -> None:
    """The motor of a drum in place of its command; the torque of the pretension is fed forward."""
    name, drum = f"{robot.name}{k + 1}", robot.drum
    assert drum is not None and robot.motor is not None
    angle = length_change(robot, k, 1.0 / drum.radius)
    own = found["drivers"][f"{name} winch"]["drum"]
    feedforward = found["signals"].pop(own.pop("torque"))["initial"]
    own["motor"] = {**robot.motor.model_dump(exclude_none=True), "angle": angle, "feedforward": feedforward}


def add_servo(found: dict[str, Any], robot: Robot, k: int) -> None:
    """The servo of a drum; the torque of the pretension is fed forward."""
    name, command, drum = f"{robot.name}{k + 1}", f"{robot.name}{k + 1}_torque", robot.drum
    assert drum is not None
    setpoint = length_change(robot, k, 1.0 / drum.radius)
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
