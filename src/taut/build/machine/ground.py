"""Contacts with the ground, and the user's events."""

from typing import Any

import numpy as np

from taut.build.context import Context
from taut.build.tree import ContactSpec, CrossingSpec
from taut.model.enums import ClosureKind, ContactLaw
from taut.scenario.records.ground import Event, Ground
from taut.scenario.start_pose import unit

AXES: dict[Any, int] = {"x": 0, "y": 1, "z": 2, 0: 0, 1: 1, 2: 2}
# signs of the eight corners of a box, the lower ones first
CORNERS = [(i, j, k) for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)]
SHARING = 4  # number of corners that carry a body at rest
UPWARDS = (False, False, True)  # directions in which a contact with the ground acts: only upwards


def add_ground(context: Context) -> None:
    """Let the ground carry a body: at its eight corners, as it may topple, or by the height of its centre alone."""
    ground = context.scenario.ground
    if ground is None:
        return
    check_ground(context, ground)
    body, node, tree = context.scenario.all_bodies()[ground.body], context.handles[ground.body], context.tree
    stiffness, box = ground.stiffness or 0.0, np.array(body.box or (0.0, 0.0, 0.0))
    if ground.law == "bilateral":
        tree.add_contact(ContactSpec("ground", node, ContactLaw.BILATERAL, (0.0, 0.0, 0.0), ground.height + box[2] / 2,
                                     stiffness, ground.damping))  # fmt: skip
        return
    # a sphere touches the ground below its centre, whatever its orientation
    corners, sharing = ([(0, 0, 0)], 1) if body.sphere else (CORNERS, SHARING)
    radius = body.sphere.radius if body.sphere else 0.0
    for number, corner in enumerate(corners, 1):
        point = np.array(body.com) + 0.5 * np.array(corner) * box
        name = "ground" if body.sphere else f"ground.corner{number}"
        law, closure = ContactLaw.UNILATERAL, -1
        if ground.law == "rigid":
            ends = (point, (0.0, 0.0, ground.height + radius))
            closure = tree.add_closure(name, ClosureKind.POINT, (node, 0), ends, directions=UPWARDS,
                                       restitution=ground.restitution)  # fmt: skip
            law = ContactLaw.RIGID
            if ground.coefficient() == 0.0:
                continue
        tree.add_contact(ContactSpec(name, node, law, point, ground.height, stiffness / sharing,
                                     ground.damping / sharing, ground.coefficient(), ground.velocity_scale,
                                     ground.presliding, radius, closure))  # fmt: skip


def check_ground(context: Context, ground: Ground) -> None:
    """Refuse a ground that lacks what its law needs, or has what it cannot use."""
    scenario = context.scenario
    body, path = scenario.all_bodies()[ground.body], scenario.body_path(ground.body)
    if body.box is None and (ground.law == "bilateral" or body.sphere is None):
        shapes = "box" if ground.law == "bilateral" else "box or sphere"
        message = f"the body on the ground needs the shape {shapes}"
        raise scenario.error(f"{path}.box", message, remedy="give box: [x, y, z]")
    if ground.law == "rigid":
        for key in ("stiffness", "damping"):
            if key in ground.model_fields_set and getattr(ground, key):
                message, remedy = "a rigid ground has no springs and dampers", "leave it out, or use unilateral"
                raise scenario.error(f"ground.{key}", message, value=getattr(ground, key), remedy=remedy)
    elif ground.stiffness is None:
        message, remedy = f"the law {ground.law} needs a stiffness", "give stiffness [N/m], or use law: rigid"
        raise scenario.error("ground.stiffness", message, remedy=remedy)


def add_events(context: Context) -> None:
    """Watch what the user asks for."""
    context.tree.crossings += [crossing_of(context, event) for event in context.scenario.all_events()]


def crossing_of(context: Context, event: Event) -> CrossingSpec:
    """A point of a body, the tension of a cable, or a measurement."""
    scenario = context.scenario
    lasts, side = event.lasts or 0.0, -1 if event.crossing == "down" else 1
    measured = scenario.measurements[event.measurement] if event.measurement is not None else None
    if measured is None:
        node = 0 if event.cable is not None else context.handles[event.body]
        return CrossingSpec(event.name, node, event.point, unit(event.direction), event.value,
                            event.measure == "speed", event.cable, lasts=lasts, side=side)  # fmt: skip
    if measured.body is not None:
        axis = np.eye(3)[AXES[measured.component]]
        is_speed = measured.quantity() == "velocity"
        return CrossingSpec(event.name, context.handles[measured.body], measured.point, axis, event.value, is_speed,
                            lasts=lasts, side=side)  # fmt: skip
    cable = next((own for own in scenario.cables if own.name == measured.cable), None)
    winch = None if cable is None else cable.winch if measured.end == "exit" else getattr(cable, "anchor_winch", None)
    drum = getattr(scenario.drivers.get(winch or ""), "drum", None)
    return CrossingSpec(event.name, 0, np.zeros(3), np.zeros(3), event.value, measured=measured, drum=drum,
                        lasts=lasts, side=side)  # fmt: skip
