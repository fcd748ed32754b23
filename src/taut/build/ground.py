"""Contacts with the ground, and the user's events."""

import numpy as np

from taut.build.bodies import unit
from taut.build.context import Context
from taut.build.tree import ContactSpec, CrossingSpec
from taut.model.enums import ContactLaw

CORNERS = [(i, j, k) for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)]  # the lower ones first
SHARING = 4  # corners that carry a body at rest


def add_ground(context: Context) -> None:
    """Let the ground carry a body: at its eight corners, as it may topple, or by the height of its centre alone."""
    ground = context.scenario.ground
    if ground is None:
        return
    box = context.scenario.all_bodies()[ground.body].box
    if box is None:
        path = f"{context.scenario.body_path(ground.body)}.box"
        raise context.scenario.error(path, "the body on the ground needs the shape box", remedy="give box: [x, y, z]")
    node = context.handles[ground.body]
    if ground.law == "bilateral":
        context.tree.add_contact(
            ContactSpec("ground", node, ContactLaw.BILATERAL, (0.0, 0.0, 0.0), ground.height + box[2] / 2,
                        ground.stiffness, ground.damping)
        )  # fmt: skip
        return
    com = np.array(context.scenario.all_bodies()[ground.body].com)
    for number, corner in enumerate(CORNERS, 1):
        point = com + 0.5 * np.array(corner) * np.array(box)
        context.tree.add_contact(
            ContactSpec(f"ground.corner{number}", node, ContactLaw.UNILATERAL, point, ground.height,
                        ground.stiffness / SHARING, ground.damping / SHARING, ground.friction, ground.velocity_scale)
        )  # fmt: skip


def add_events(context: Context) -> None:
    """Watch what the user asks for."""
    for event in context.scenario.events:
        context.tree.crossings.append(
            CrossingSpec(event.name, context.handles[event.body], event.point, unit(event.direction), event.value,
                         event.measure == "speed")
        )  # fmt: skip
