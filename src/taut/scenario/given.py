"""What the user said of the start: whose poses, joint positions, rates and cable lengths are given, not defaults."""

from dataclasses import dataclass
from typing import Any

from taut.model.joints import KINDS, WANDERING_JOINTS
from taut.scenario.records.body import Body

# kinds of joints to the world that leave a body free to take any pose
POSES = [name for name, kind in KINDS.items() if kind in WANDERING_JOINTS]


@dataclass(frozen=True)
class Given:
    """Names of bodies whose pose, joint position or velocity is given, and of cables that come off a drum."""

    poses: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()
    drums: tuple[str, ...] = ()


def find_given(scenario: Any) -> Given:
    """Return what is given. Positions of a crane's parts follow from its words, and are none of the user's."""
    said = said_bodies(scenario)
    drums = {name for name, driver in scenario.drivers.items() if getattr(driver, "drum", None) is not None}
    return Given(
        poses=tuple(name for name, body in said.items() if has_pose(body) and is_placed(body)),
        joints=tuple(name for name, body in said.items() if not has_pose(body) and is_placed(body)),
        rates=tuple(name for name, body in said.items() if has_rate(body)),
        drums=tuple(cable.name for cable in scenario.cables if cable.kind == "mrfe" and cable.winch in drums),
    )


def said_bodies(scenario: Any) -> dict[str, Body]:
    """Return the bodies in the words of the scenario, before a planar machine makes them its own, and of drivers."""
    crane = {name for name, _, _ in scenario.crane_parts()}
    own = {"platform": scenario.platform, **scenario.bodies} if scenario.platform else dict(scenario.bodies)
    return {
        name: own.get(name, body) for name, body in scenario.all_bodies().items() if name in own or name not in crane
    }


def has_pose(body: Body) -> bool:
    """Return whether the body moves against the world by itself."""
    return body.joint.kind in POSES and body.joint.parent == "world"


def is_placed(body: Body) -> bool:
    """Return whether the pose or joint position of a body is given."""
    if body.joint.kind == "free":
        return body.position is not None or body.orientation is not None
    return body.joint.position is not None or (body.joint.kind == "point" and has_pose(body) and any(body.joint.origin))


def has_rate(body: Body) -> bool:
    """Return whether the velocity of a body or the rate of its joint is given."""
    if body.joint.kind == "free":
        return body.velocity is not None or body.angular_velocity is not None
    return body.joint.velocity is not None
