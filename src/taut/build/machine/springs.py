"""Springs between points of two bodies: tethers that push as well."""

import numpy as np

from taut.build.cables.route_tables import TetherSpec
from taut.build.context import Context

SHORTEST = 1e-9  # least length of a spring, so that it has a direction [m]


def add_springs(context: Context) -> None:
    """Add every spring; stiffness and damping times the free length are the tether's EA and eta A."""
    for i, spring in enumerate(context.scenario.springs):
        a, b = (context.to_world(body, point) for body, point in zip(spring.bodies, spring.points, strict=True))
        length = spring.length or float(np.linalg.norm(b - a))
        if length < SHORTEST:
            message = "its ends meet at the start: it has no length"
            raise context.scenario.error(f"springs[{i}]", message, remedy="give length, or other points")
        first, second = (context.handles[body] for body in spring.bodies)
        context.tree.add_tether(
            TetherSpec(
                name=spring.name,
                nodes=(first, second),
                points=spring.points,
                length=length,
                stiffness=spring.stiffness * length,
                damping=spring.damping * length,
                is_two_sided=True,
            )
        )
