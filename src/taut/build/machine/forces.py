"""Applied forces and torques: the user's, and those of drivers."""

from taut.build.context import Context


def add_forces(context: Context) -> None:
    """Add every force that is not identically zero."""
    owners = {force.name: name for name, parts in context.scenario.driver_parts().items() for force in parts.forces}
    for force in context.scenario.all_forces():
        signals = context.signals((*force.force, *force.torque))
        if any(signal >= 0 for signal in signals):
            # a rotor fails alone, or with its quadcopter
            switch = max(context.switch("loss", force.name), context.switch("loss", owners.get(force.name)))
            node = context.handles[force.body]
            context.tree.add_wrench(node, force.point, signals, is_follower=force.frame == "body", switch=switch)
