"""A platform on long ropes: where it is beside what their lengths alone say, and the torque in them (as [Wang2018])."""

import numpy as np
from scipy.spatial.transform import Rotation

from taut.results.result import Result
from taut.views.plots.sheet import Curve, Panel, Sheet, curves_of

SMALLEST = 1e-6  # smallest span of a vertical axis [m, rad, N m]
CHANGES = 1e-9  # lengths that change by less than this count as constant [m]
ROTATIONS = ("about x", "about y", "about z")


def displacement_sheets(result: Result) -> list[Sheet]:
    """Displacement of the platform beside the mean length paid out, and its rotation vector; only if lengths change."""
    if "cable_length" not in result or "platform_position" not in result or "platform_quaternion" not in result:
        return []
    length = result["cable_length"].mean("cable")
    if not np.ptp(length.values) > CHANGES:
        return []
    position = result["platform_position"]
    moved = (position - position[0]).transpose("time", "xyz").copy()
    moved[:, 2] += length.values - length.values[0]
    turns = result["platform_quaternion"].transpose("time", "wxyz").values[:, [1, 2, 3, 0]]
    vectors = Rotation.from_quat(turns).as_rotvec()
    rotations = [Curve(name, result.time, vectors[:, k]) for k, name in enumerate(ROTATIONS)]
    panels = [
        Panel("displacement [m]", curves_of(moved, "xyz"), smallest_span=SMALLEST),
        Panel("rotation vector [rad]", rotations, smallest_span=SMALLEST),
    ]
    return [Sheet("displacement", "Platform beside the length of its ropes", panels)]


def torque_sheets(result: Result) -> list[Sheet]:
    """Torque at both ends of the cables that twist."""
    if "cable_torque" not in result:
        return []
    torque = result["cable_torque"].transpose("time", "cable", "node")
    twisting = [k for k in range(torque.sizes["cable"]) if np.isfinite(torque.values[0, k]).sum() > 1]
    names = [str(torque["cable"].values[k]) for k in twisting]
    last = [int(np.isfinite(torque.values[0, k]).sum()) - 1 for k in twisting]
    time = torque["time"].values
    ends = {"torque at exit [N m]": [0] * len(last), "torque at anchor [N m]": last}
    panels = []
    for label, nodes in ends.items():
        found = zip(names, twisting, nodes, strict=True)
        curves = [Curve(name, time, torque.values[:, k, at]) for name, k, at in found]
        panels.append(Panel(label, curves, smallest_span=SMALLEST))
    return [Sheet("torque", "Cable torques", panels)]
