"""What fails during the run: a switch for each, that the things it strikes refer to."""

import numpy as np

from taut.build.context import Context

SAYS = {
    "cut": "is cut",
    "loss": "is lost",
    "release": "lets go",
    "brake": "brakes",
    "brake-loss": "loses its brake",
}


def add_failures(context: Context) -> None:
    """Make the switches."""
    for failure in context.scenario.all_failures():
        kind = "brake" if failure.kind == "brake-loss" else failure.kind
        if (kind, failure.target) in context.switches:
            message = "fails twice in the same way"
            i = max(k for k, own in enumerate(context.scenario.failures) if own.target == failure.target)
            raise context.scenario.error(f"failures[{i}].target", message, value=failure.target)
        time = np.inf if failure.at is None else failure.at
        says = f"{failure.target} {SAYS[failure.kind]}"
        context.switches[kind, failure.target] = context.tree.add_switch(failure.name, time, says)
