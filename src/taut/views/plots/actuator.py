"""Forces and power of the actuators, and condition numbers (as [Sathuluri, Fig. 16])."""

from taut.results.result import Result
from taut.views.plots.sheet import Panel, Sheet, curve_of, curves_of

SMALLEST = 1e-6  # smallest span of a vertical axis [N, N m, W]
KINDS = {"condition_gain": "gain type", "condition_loss": "loss type"}


def actuator_sheets(result: Result) -> list[Sheet]:
    """A sheet of force, rate and power of every actuator."""
    if "actuator_force" not in result:
        return []
    labels = {
        "actuator_force": "force [N or N m]",
        "actuator_velocity": "rate [m/s or rad/s]",
        "actuator_power": "power [W]",
    }
    panels = [
        Panel(label, curves_of(result[name], "actuator"), smallest_span=SMALLEST) for name, label in labels.items()
    ]
    return [Sheet("actuator", "Actuators", panels)]


def singularity_sheets(result: Result) -> list[Sheet]:
    """A sheet of the condition numbers."""
    curves = [curve_of(result[name], label) for name, label in KINDS.items() if name in result]
    panel = Panel("condition number", curves, is_logarithmic=True)
    return [Sheet("singularity", "Nearness of singular poses", [panel])] if curves else []
