"""Constraint errors e1 and e2 (as [Mamidi2024, Figs. 15 and 16]), with the audit's limits."""

from taut.results.result import Result
from taut.views.plots.sheet import Curve, Panel, Sheet, curve_of, curves_of

MOST_CLOSURES = 8
LEVELS = {
    "constraint_error": ("closure_error", "e$_1$ [m]"),
    "constraint_error_velocity": ("closure_error_velocity", "e$_2$ [m/s]"),
}


def constraint_sheets(result: Result) -> list[Sheet]:
    """Errors of positions and velocities, by closure where these are few."""
    limits = result.audit.get("thresholds", {})
    panels = [
        Panel(label, _curves(result, name, closure_name), is_logarithmic=True, limit=limits.get(name))
        for name, (closure_name, label) in LEVELS.items()
        if name in result and has_loops(result)
    ]
    return [Sheet("constraint", "Constraint errors", panels)] if panels else []


def has_loops(result: Result) -> bool:
    """Whether anything is held by constraints; without any, the errors are zero throughout."""
    return "closure_error" in result or bool(result["constraint_error"].values.any())


def _curves(result: Result, name: str, closure_name: str) -> list[Curve]:
    if closure_name in result and result.dataset.sizes["closure"] <= MOST_CLOSURES:
        return curves_of(result[closure_name], "closure")
    return [curve_of(result[name], "largest")]
