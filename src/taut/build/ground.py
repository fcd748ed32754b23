"""Contacts with the ground, and the user's events."""

import numpy as np

from taut.build.bodies import unit
from taut.build.context import Context
from taut.build.tree import ContactSpec, CrossingSpec
from taut.model.enums import ClosureKind, ContactLaw

CORNERS = [(i, j, k) for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)]  # the lower ones first
SHARING = 4  # corners that carry a body at rest
UPWARDS = (False, False, True)  # direction in which the ground holds


def add_ground(context: Context) -> None:
    """Let the ground carry a body: at its eight corners, as it may topple, or by the height of its centre alone."""
    ground = context.scenario.ground
    if ground is None:
        return
    check_ground(context)
    body = context.scenario.all_bodies()[ground.body]
    node = context.handles[ground.body]
    if ground.law == "bilateral":
        context.tree.add_contact(
            ContactSpec("ground", node, ContactLaw.BILATERAL, (0.0, 0.0, 0.0), ground.height + body.box[2] / 2,
                        ground.stiffness, ground.damping)
        )  # fmt: skip
        return
    # a sphere touches wherever it is turned to: by its centre, a radius above the ground
    corners = [(0, 0, 0)] if body.sphere else CORNERS
    height = ground.height + (body.sphere.radius if body.sphere else 0.0)
    sharing = 1 if body.sphere else SHARING
    for number, corner in enumerate(corners, 1):
        point = np.array(body.com) + (0.0 if body.sphere else 0.5 * np.array(corner) * np.array(body.box))
        name = "ground" if body.sphere else f"ground.corner{number}"
        if ground.law == "rigid":
            context.tree.add_closure(name, ClosureKind.POINT, (node, 0), (point, (0.0, 0.0, height)),
                                     directions=UPWARDS, restitution=ground.restitution)  # fmt: skip
            continue
        context.tree.add_contact(
            ContactSpec(name, node, ContactLaw.UNILATERAL, point, height, ground.stiffness / sharing,
                        ground.damping / sharing, ground.friction, ground.velocity_scale)
        )  # fmt: skip


def check_ground(context: Context) -> None:
    """Refuse a ground that lacks what its law needs, or has what it cannot use."""
    scenario, ground = context.scenario, context.scenario.ground
    body = scenario.all_bodies()[ground.body]
    path = scenario.body_path(ground.body)
    if body.box is None and (ground.law == "bilateral" or body.sphere is None):
        shapes = "box" if ground.law == "bilateral" else "box or sphere"
        raise scenario.error(f"{path}.box", f"the body on the ground needs the shape {shapes}",
                             remedy="give box: [x, y, z]")  # fmt: skip
    if ground.law == "rigid":
        for key in ("stiffness", "damping", "friction", "velocity_scale"):
            if key in ground.model_fields_set and getattr(ground, key):
                raise scenario.error(f"ground.{key}", "a rigid ground has no springs, dampers and friction",
                                     value=getattr(ground, key), remedy=f"leave {key} out, or use law: unilateral")  # fmt: skip
    elif ground.stiffness is None:
        raise scenario.error("ground.stiffness", f"the law {ground.law} needs a stiffness",
                             remedy="give stiffness [N/m], or use law: rigid")  # fmt: skip


def add_events(context: Context) -> None:
    """Watch what the user asks for."""
    for event in context.scenario.events:
        context.tree.crossings.append(
            CrossingSpec(event.name, context.handles[event.body], event.point, unit(event.direction), event.value,
                         event.measure == "speed")
        )  # fmt: skip
