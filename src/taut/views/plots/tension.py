"""Tensions at both ends of every cable, of the spans over guides, loads of these, and lengths where they change."""

import numpy as np

from taut.results.result import Result
from taut.views.plots.sheet import Panel, Sheet, curves_of

SMALLEST = 1e-6  # smallest span of a vertical axis [N, m]
CHANGES = 1e-9  # lengths that change by less than this count as constant [m]


def tension_sheets(result: Result) -> list[Sheet]:
    """Tension at the exits and at the anchors."""
    channels = {"cable_tension_exit": "tension at exit [N]", "cable_tension_anchor": "tension at anchor [N]"}
    panels = [
        Panel(label, curves_of(result[name], "cable"), smallest_span=SMALLEST)
        for name, label in channels.items()
        if name in result
    ]
    return [Sheet("tension", "Cable tensions", panels)] if panels else []


def guide_sheets(result: Result) -> list[Sheet]:
    """Tensions of the spans of cables over guides, loads and wraps of the guides; none without any."""
    if "span_tension" not in result:
        return []
    load = (result["guide_load"] ** 2).sum("xyz") ** 0.5
    panels = [
        Panel("tension of span [N]", curves_of(result["span_tension"], "span"), smallest_span=SMALLEST),
        Panel("load of guide [N]", curves_of(load, "guide"), smallest_span=SMALLEST),
    ]
    if np.abs(result["guide_wrap"].values).max() > 0.0:
        panels.append(Panel("wrap [rad]", curves_of(result["guide_wrap"], "guide"), smallest_span=SMALLEST))
    if "guide_swivel" in result and np.ptp(result["guide_swivel"].values, axis=0).max(initial=0.0) > 0.0:
        panels.append(Panel("swivel [rad]", curves_of(result["guide_swivel"], "guide"), smallest_span=SMALLEST))
    return [Sheet("guides", "Ropes over guides", panels)]


def length_sheets(result: Result) -> list[Sheet]:
    """Unstrained lengths, if any of them changes."""
    if "cable_length" not in result or not np.max(np.ptp(result["cable_length"].values, axis=0)) > CHANGES:
        return []
    return [
        Sheet("length", "Cable lengths", [Panel("unstrained length [m]", curves_of(result["cable_length"], "cable"))])
    ]
