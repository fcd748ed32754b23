"""The robot inside a model: which body its cables hold, from where, and within which limits."""

from dataclasses import replace
from typing import Any

import numpy as np

from taut.model import Model
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import euler_angles
from taut.robots.ways import Rope, led_cable, touches, without_wheels
from taut.scenario.start_pose import planar_axes, start_poses

Machine = Any  # a Model, a Scenario or a Robot; functions of this room take any of them


def robot_of(  # noqa: PLR0913
    machine: Machine,
    *,
    body: str | None = None,
    limits: Any = None,
    freedom: str | None = None,
    exits: str = "given",
    pulley: float | None = None,
) -> Robot:
    """The robot that a model or a scenario describes.

    Args:
        machine: Model, Scenario, or a Robot, which is returned with the changes asked for.
        body: the platform; none: the body that most cables are anchored to.
        limits: smallest and largest tension [N], numbers or one per cable; none: ``tension_limits`` of the cables,
            and where they have none, 0 and no upper limit.
        freedom: spatial, planar-xy, planar-xz or point; none: as the body's joint says, and a point where all anchors
            are at the body's origin.
        exits: "given", or "point" to take pulleys for points.
        pulley: radius of pulleys at all exits [m], on swivel axes along z; none: the scenario's.

    Raises:
        ScenarioError: there are no cables, or the body cannot be the platform of a robot.
    """
    robot = machine if isinstance(machine, Robot) else read_robot(_scenario(machine), body)
    if freedom is not None:
        robot = replace(robot, freedom=freedom)
    if exits == "point":
        robot = replace(robot, radii=0.0, ropes=tuple(without_wheels(rope) for rope in robot.ropes))
    elif exits != "given":
        raise refusal("is not known", at="exits", value=exits, remedy="given or point")
    if pulley is not None:
        if not 0.0 <= pulley < np.inf:
            raise refusal("must be a radius", at="pulley", value=pulley)
        if robot.has_ropes:
            remedy = "write pulleys and guides into the scenario"
            raise refusal("goes with cables straight from their exits", at="pulley", value=pulley, remedy=remedy)
        robot = replace(robot, radii=pulley, axes=(0.0, 0.0, 1.0))
    return robot.with_limits(limits)


def scenario_of(machine: Machine, body: str | None = None) -> tuple[Any, str]:
    """The scenario of a model or a scenario, and the body that is the platform; none of a Robot made of numbers."""
    if isinstance(machine, Robot):
        return None, "platform"
    scenario = _scenario(machine)
    return scenario, body or _platform(scenario)


def _scenario(machine: Machine) -> Any:
    scenario = machine.scenario if isinstance(machine, Model) else machine
    if scenario is None or not hasattr(scenario, "cables"):
        remedy = "build it from a scenario, or describe it as a taut.robots.Robot"
        raise refusal("the model was made without a scenario: its cables have no geometry", remedy=remedy)
    return scenario


def read_robot(scenario: Any, body: str | None) -> Robot:
    """The robot of a scenario."""
    name = body or _platform(scenario)
    bodies, poses = scenario.all_bodies(), start_poses(scenario)
    if name not in bodies:
        raise refusal("is no body of the scenario", at="body", value=name, remedy=f"one of {', '.join(bodies)}")
    cables = [cable for cable in scenario.cables if touches(cable, name)]
    if not cables:
        raise refusal(f"no cable is anchored to {name}", at="cables")
    led = [led_cable(scenario, cable, name, poses) for cable in cables]
    mass, com, inertia = bodies[name].mass_properties()
    limits, (R, place) = [cable.tension_limits or (0.0, np.inf) for cable in cables], poses[name]
    return Robot(
        name=scenario.name,
        cables=tuple(cable.name for cable in cables),
        exits=np.array([cable.ends[0] for cable in led]),
        anchors=np.array([cable.ends[1] for cable in led]),
        freedom=_freedom(bodies[name].joint, name, [cable.guides for cable in led]),
        axes=np.array([cable.pulley.axis if cable.pulley else (0.0, 0.0, 1.0) for cable in cables]),
        radii=np.array([cable.pulley.radius if cable.pulley else 0.0 for cable in cables]),
        leads=np.array([0.0 if cable.rope else cable.lead for cable in led]),
        tension_min=np.array([pair[0] for pair in limits]),
        tension_max=np.array([pair[1] for pair in limits]),
        mass=mass,
        com=com,
        inertia=inertia,
        gravity=np.array(scenario.gravity),
        stiffness=np.array([_rigidity(cable, one.length) for cable, one in zip(cables, led, strict=True)]),
        mass_per_length=np.array([_weight(cable) for cable in cables]),
        home=np.concatenate([place, euler_angles(R)]),
        ropes=tuple(cable.rope for cable in led),
        start_tensions=_start_tensions(scenario, cables, [one.length for one in led]),
        box=_box(bodies[name]),
    )


def _platform(scenario: Any) -> str:
    if not scenario.cables:
        remedy = "robots hang on cables: the scenario needs some under cables"
        raise refusal("the scenario has no cables", at="cables", remedy=remedy)
    held = [cable.body for cable in scenario.cables if cable.body != "world"]
    # if all ropes end in the world, the platform is among the bodies that carry their guides
    held = held or [guide.body for cable in scenario.cables for guide in getattr(cable, "via", ())
                    if guide.body != "world"]  # fmt: skip
    if not held:
        raise refusal("no cable holds a body", at="cables", remedy="anchor some to one, or lead them over one")
    return max(dict.fromkeys(held), key=held.count)


def _freedom(joint: Any, name: str, ropes: list[Rope]) -> str:
    if joint.kind == "free":
        carried = [guide.point for rope in ropes for guide in rope if guide.is_carried]
        return "spatial" if np.any(carried) else "point"
    if joint.kind == "planar":
        normal = np.abs(planar_axes(joint)[2])
        if normal[2] > 1.0 - 1e-12:
            return "planar-xy"
        if normal[1] > 1.0 - 1e-12:
            return "planar-xz"
    message = f"{name} hangs on a {joint.kind} joint: platforms of robots are free, or move in the x-y or x-z plane"
    raise refusal(message, at="body", remedy="name another body with body=... (--body NAME)")


def _rigidity(cable: Any, span: float) -> float:
    return cable.axial_rigidity(cable.length or max(span, 1e-9))


def _start_tensions(scenario: Any, cables: list[Any], spans: list[float]) -> np.ndarray | None:
    """Tensions by `initial.pretension`, else by the lengths of the cables if they are all given [N]."""
    pretension = scenario.initial.pretension
    if pretension is not None:
        return np.full(len(cables), float(pretension))
    lengths = [cable.length for cable in cables]
    if None in lengths or any(cable.kind != "spring" for cable in cables):
        return None
    pulls = [_rigidity(cable, span) * (span / cable.length - 1.0) for cable, span in zip(cables, spans, strict=True)]
    return np.maximum(pulls, 0.0) if np.all(np.isfinite(pulls)) else None


def _weight(cable: Any) -> float:
    if hasattr(cable, "section"):
        return cable.section(1.0).mass_per_length
    return getattr(cable, "mass_per_length", None) or 0.0


def _box(body: Any) -> np.ndarray | None:
    if body.box is None:
        return None
    half = 0.5 * np.array(body.box)
    return np.array([np.array(body.com) - half, np.array(body.com) + half])
