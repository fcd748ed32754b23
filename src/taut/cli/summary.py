"""The answer of `taut check` as text."""

from collections.abc import Iterator
from typing import Any


def summary_lines(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that describe a machine."""
    yield f"{summary['name']}: ok"
    yield from _listed("bodies", [f"{body['name']} ({body['mass']:g} kg)" for body in summary["bodies"]])
    yield from _listed("cables", [f"{cable['name']} ({_made_of(cable)})" for cable in summary["cables"]])
    yield from _listed("sub-systems", [f"{part['name']} ({part['coordinates']})" for part in summary["subsystems"]])
    yield f"  coordinates: {summary['coordinates']}"
    yield f"  constraints: {summary['constraints']}, {summary['independent_constraints']} independent"
    yield f"  degrees of freedom: {summary['degrees_of_freedom']}"
    found, given = summary["closure_error"], summary["closure_error_given"]
    yield f"  largest loop error at the start: {found:.1e} (as given {given:.1e})"
    yield from _listed(
        "signals, their rates or accelerations jump at [s]", [f"{time:g}" for time in summary["breakpoints"]]
    )
    for warning in summary["warnings"]:
        yield f"  warning: {warning}"


def _made_of(cable: dict[str, Any]) -> str:
    if "modes" in cable:
        return f"{cable['modes']} modes, {cable['lateral_modes']} lateral"
    return f"{cable['elements']} elements" if cable["elements"] else "without mass"


def _listed(what: str, entries: list[str]) -> Iterator[str]:
    if entries:
        more = f", ... {len(entries)} in all" if len(entries) > 12 else ""
        yield f"  {what}: {', '.join(entries[:12])}{more}"
