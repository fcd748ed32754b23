"""Energy: its parts, the works that change it, and the error of the balance."""

import numpy as np

from taut.results.result import Result
from taut.views.plots.sheet import Curve, Panel, Sheet, curve_of

PARTS = {"energy_kinetic": "kinetic", "energy_gravity": "gravity", "energy_elastic": "elastic"}
WORKS = {"work_input": "input", "work_dissipated": "dissipated"}
SMALLEST = 1e-9  # smallest span of a vertical axis [J]


def energy_sheets(result: Result) -> list[Sheet]:
    """Changes of stored energies since the start, works, and the balance on a logarithmic axis."""
    if not all(name in result for name in (*PARTS, *WORKS, "energy_balance")):
        return []
    parts = [curve_of(result[name] - result[name][0], label) for name, label in PARTS.items()]
    works = [curve_of(result[name], label) for name, label in WORKS.items()]
    stored = Curve("stored", parts[0].x, np.sum([curve.y for curve in parts], axis=0))
    panels = [
        Panel("change of energy [J]", parts, smallest_span=SMALLEST),
        Panel("work, stored [J]", [*works, stored], smallest_span=SMALLEST),
        Panel(
            "|balance error| [J]",
            [curve_of(abs(result["energy_balance"]), "error")],
            is_logarithmic=True,
            limit=_limit(result),
        ),
    ]
    return [Sheet("energy", "Energy", panels)]


def _limit(result: Result) -> float | None:
    """The audit's limit in joules."""
    line = result.audit.get("energy")
    return line["allowed"] if line and line["exchanged"] else None
