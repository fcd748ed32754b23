"""Applied forces and torques of the scenario."""

from taut.build.context import Context


def add_forces(context: Context) -> None:
    """Add every force that is not identically zero."""
    for force in context.scenario.forces:
        signals = context.signals((*force.force, *force.torque))
        if any(signal >= 0 for signal in signals):
            node = context.handles[force.body]
            context.tree.add_wrench(node, force.point, signals, is_follower=force.frame == "body")
