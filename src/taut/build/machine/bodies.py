"""Rigid bodies and their joints as nodes."""

from typing import Any

import numpy as np

from taut.build.context import Context
from taut.build.machine.laws import joint_spring
from taut.build.tree import ColumnSpec, RigidBody
from taut.model.joints import DRIVEN_FORMS, KINDS, JointKind, column_places
from taut.scenario.cranes.bodies import is_hoist
from taut.scenario.records.body import Body
from taut.scenario.records.joint import Joint
from taut.scenario.records.orientation import quaternion_from_rotation, rotation_from_quaternion
from taut.scenario.start_pose import joint_axes, start_coordinates, unit


def add_bodies(context: Context) -> None:
    """Add every body, parents first."""
    waiting = dict(context.scenario.all_bodies())
    while waiting:
        ready = [name for name, body in waiting.items() if body.joint.parent in context.handles]
        if not ready:
            name = next(iter(waiting))
            raise context.scenario.error(
                f"{context.scenario.body_path(name)}.joint.parent", "is part of a ring of parents"
            )
        for name in ready:
            handle = add_body(context, name, waiting.pop(name))
            context.handles[name] = handle
            context.tree.bodies[name] = handle


def add_body(context: Context, name: str, body: Body) -> int:
    """Add one body on its joint."""
    joint = body.joint
    mass, com, inertia = body.mass_properties()
    carried = (context.handles[joint.parent], RigidBody(mass, com, inertia))
    frame: Any = {
        "offset": joint.origin,
        "rotation": joint.orientation.rotation() if joint.orientation else np.eye(3),
        "axes": joint_axes(joint),
        "is_hoist": is_hoist(name, body) and context.scenario.crane is not None,
    }
    kind = KINDS[joint.kind]
    if joint.motion is not None and kind in DRIVEN_FORMS:
        signals = (context.signal(joint.motions()[0]), -1, -1)
        return context.tree.add_node(name, DRIVEN_FORMS[kind], *carried, **frame, signals=signals)
    position, velocity = start_of(context, body)
    columns = joint_columns(context, name, joint)
    kind = JointKind.SMALL if body.rotations == "small" else kind
    handle = context.tree.add_node(name, kind, *carried, **frame, columns=columns, position=position, velocity=velocity)
    for column, motion in enumerate(joint.motions()):
        if motion is not None:
            context.tree.add_motion(motion_name(name, joint, column), handle, column, context.real_signal(motion))
    return handle


def motion_name(name: str, joint: Joint, column: int) -> str:
    """Name of the closure that prescribes a coordinate."""
    return f"{name}.motion{column + 1}" if joint.size() > 1 else f"{name}.motion"


def start_of(context: Context, body: Body) -> tuple[list[float], list[float]]:
    """Start coordinates and rates in the engine's order: quaternion turns are in the axes of the joint frame."""
    joint = body.joint
    if joint.kind == "free":
        zero = (0.0, 0.0, 0.0)
        quaternion = quaternion_from_rotation(body.rotation())
        rates = [*(body.velocity or zero), *(body.angular_velocity or zero)]
        if body.rotations == "small":
            return [*(body.position or zero), 0.0, 0.0, 0.0], rates
        return [*(body.position or zero), *quaternion], rates
    position, rates = np.array(start_coordinates(joint, context.scenario)), np.array(joint.rates())
    ball = joint.ball()
    if ball is not None:
        turn, columns = slice(ball.coordinate, ball.coordinate + 4), ball_columns(joint)
        position[turn] = unit(position[turn])
        rates[columns] = rotation_from_quaternion(position[turn]) @ rates[columns]
    return position.tolist(), rates.tolist()


def ball_columns(joint: Joint) -> slice:
    """The three columns of a joint's free turn."""
    first = [place.component for place in column_places(KINDS[joint.kind])].index(0)
    return slice(first, first + 3)


def joint_columns(context: Context, name: str, joint: Joint) -> list[ColumnSpec]:
    """Spring, friction, actuator of every coordinate."""
    check_isotropic(context, name, joint)
    return [
        ColumnSpec(
            spring=joint_spring(spring),
            coulomb=friction.coulomb if friction else 0.0,
            viscous=friction.viscous if friction else 0.0,
            velocity_scale=friction.velocity_scale if friction else 1e-3,
            stiction=friction.stiction if friction else 0.0,
            stribeck_velocity=friction.stribeck_velocity if friction else 1e-2,
            signal=context.signal(force),
            is_actuated=joint.actuated,
        )
        for spring, friction, force in zip(joint.springs(), joint.frictions(), joint.forces(), strict=True)
    ]


def check_isotropic(context: Context, name: str, joint: Joint) -> None:
    """A spring of a free turn has a potential only if it is the same about all axes and relaxed at zero."""
    if joint.ball() is None:
        return
    turning = joint.springs()[ball_columns(joint)]
    path = f"{context.scenario.body_path(name)}.joint.spring"
    if any(spring != turning[0] for spring in turning):
        message = "must be the same for the three turns of a spherical or free joint"
        remedy = "use a universal and a revolute joint for a spring that differs by axis"
        raise context.scenario.error(path, message, remedy=remedy)
    if turning[0] is not None and (turning[0].free != 0 or turning[0].law not in ("linear", "kelvin-voigt")):
        raise context.scenario.error(path, "of a spherical or free turn must be linear with free: 0")
