"""Joints whose motion is given and the force that it takes, and what controllers were told and commanded."""

from collections.abc import Sequence

from taut.results.result import Result
from taut.views.plots.sheet import Curve, Panel, Sheet, curves_of

SMALLEST = 1e-9  # of each unit
CURVES = 8  # of a panel
DRIVES = {
    "drive_position": "place [m or rad]",
    "drive_velocity": "rate [m/s or rad/s]",
    "drive_force": "force [N or N m]",
}
CONTROL = {"measurement_value": ("measurement", "measured [SI]"), "command_value": ("command", "commanded [SI]")}


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
    for name, (dim, label) in CONTROL.items():
        curves = _sampled(result, name, dim) if name in result else []
        panels = [Panel(label, curves[k : k + CURVES], smallest_span=SMALLEST) for k in range(0, len(curves), CURVES)]
        if panels:
            sheets.append(Sheet(dim, label.partition(" [")[0].capitalize(), panels))
    return sheets


def _sampled(result: Result, name: str, dim: str) -> Sequence[Curve]:
    time, array = result["control_time"].values, result[name].transpose("sample", dim)
    return [Curve(str(entry), time, array.values[:, k]) for k, entry in enumerate(array[dim].values)]
