"""Joints whose motion is given and the force that it takes, and what controllers were told and commanded."""

import json
from collections.abc import Sequence

from taut.results.result import Result
from taut.views.plots.sheet import Curve, Panel, Sheet, curves_of

SMALLEST = 1e-9  # smallest span of a vertical axis, in each unit
CURVES = 8  # most curves of a panel
DRIVES = {
    "drive_position": "place [m or rad]",
    "drive_velocity": "rate [m/s or rad/s]",
    "drive_force": "force [N or N m]",
}
CONTROL = {"measurement_value": ("measurement", "measured"), "command_value": ("command", "commanded")}


def drive_sheets(result: Result) -> list[Sheet]:
    """A sheet of place, rate and force of every drive."""
    panels = [
        Panel(label, curves_of(result[name], "drive"), smallest_span=SMALLEST)
        for name, label in DRIVES.items()
        if name in result
    ]
    return [Sheet("drive", "Drives", panels)] if panels else []


def control_sheets(result: Result) -> list[Sheet]:
    """A sheet of what was measured and one of what was commanded, at the controllers' own samples."""
    if "control_time" not in result or not len(result["control_time"]):
        return []
    sheets = []
    for name, (dim, word) in CONTROL.items():
        units = _units(result, dim)
        panels = []
        for unit, curves in _by_unit(_sampled(result, name, dim) if name in result else [], units).items():
            label = f"{word} [{unit}]" if unit else word
            panels += [Panel(label, curves[k : k + CURVES], smallest_span=SMALLEST)
                       for k in range(0, len(curves), CURVES)]  # fmt: skip
        if panels:
            sheets.append(Sheet(dim, word.capitalize(), panels))
    return sheets


def _units(result: Result, dim: str) -> dict[str, str]:
    """Units by name, as far as the result says them."""
    text = result.dataset.attrs.get("structure", "")
    try:
        units = json.loads(text).get("units", {}) if text else {}
    except ValueError:  # the structure is not JSON: the result was written by another program
        units = {}
    return units.get(dim, {})


def _by_unit(curves: Sequence[Curve], units: dict[str, str]) -> dict[str, list[Curve]]:
    """Curves of one unit together; what has components is named `name.x`."""
    found: dict[str, list[Curve]] = {}
    for curve in curves:
        unit = units.get(curve.label, units.get(curve.label.partition(".")[0], ""))
        found.setdefault(unit, []).append(curve)
    return found


def _sampled(result: Result, name: str, dim: str) -> Sequence[Curve]:
    time, array = result["control_time"].values, result[name].transpose("sample", dim)
    return [Curve(str(entry), time, array.values[:, k]) for k, entry in enumerate(array[dim].values)]
