"""What acts on the machine: applied forces, commands of controllers, failures."""

import numpy as np

from taut.build.context import Context
from taut.scenario.cables.overload import BREAKS


def add_forces(context: Context) -> None:
    """Add every force that is not identically zero."""
    owners = {force.name: name for name, parts in context.scenario.driver_parts().items() for force in parts.forces}
    for force in context.scenario.all_forces():
        signals = context.signals((*force.force, *force.torque))
        if any(signal >= 0 for signal in signals):
            # a rotor's force ends when the rotor or its quadcopter fails
            switch = max(context.switch("loss", force.name), context.switch("loss", owners.get(force.name)))
            node = context.handles[force.body]
            context.tree.add_wrench(node, force.point, signals, is_follower=force.frame == "body", switch=switch)


def add_commands(context: Context) -> None:
    """Give every command its row, in the order of the scenario."""
    for name in context.scenario.commands():
        context.signal(name)


SAYS = {
    "cut": "is cut",
    "loss": "is lost",
    "release": "lets go",
    "brake": "brakes",
    "brake-loss": "loses its brake",
}


def add_failures(context: Context) -> None:
    """Add a switch for every failure of the scenario."""
    for failure in context.scenario.all_failures():
        # a rope that the user cuts as well needs no second switch: when it breaks, the same one opens
        by_load = failure.kind == "cut" and failure.name == f"{failure.target}{BREAKS}"
        if by_load and ("cut", failure.target) in context.switches:
            continue
        kind = "brake" if failure.kind == "brake-loss" else failure.kind
        if (kind, failure.target) in context.switches:
            message = "fails twice in the same way"
            i = max(k for k, own in enumerate(context.scenario.failures) if own.target == failure.target)
            raise context.scenario.error(f"failures[{i}].target", message, value=failure.target)
        time = np.inf if failure.at is None else failure.at
        says = failure.name if by_load else f"{failure.target} {SAYS[failure.kind]}"
        context.switches[kind, failure.target] = context.tree.add_switch(failure.name, time, says)
