"""Trajectories of CASPR as the motion of a scenario.

Taken: cubic_spline_trajectory and quintic_spline_trajectory, whose points have a time (the first at zero; relative ones
count from the point before), the joint's coordinates q and their rates q_dot and q_ddot, zero where they are missing.
Between two points each coordinate is the polynomial of the lowest degree through values and rates. A platform in space
may turn about one axis; orientations there go through quaternions, which a spline of angles is not. Others are refused.
"""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from scipy.interpolate import BPoly, PPoly

from taut.robots.exchange.caspr import JOINTS, listed, parse
from taut.robots.problems import refusal

RATES = {"cubic_spline_trajectory": ("q_dot",), "quintic_spline_trajectory": ("q_dot", "q_ddot")}
ALONG = {"SPATIAL_EULER_XYZ": (0, 1, 2), "T_XYZ": (0, 1, 2), "PLANAR_XY": (0, 1, None), "PLANAR_XZ": (0, None, 1)}
ABOUT = {"SPATIAL_EULER_XYZ": (3, 4, 5), "T_XYZ": (), "PLANAR_XY": (None, None, 2), "PLANAR_XZ": (None, 2, None)}


def read_trajectory(path: str | Path, kind: str, origin: np.ndarray, wanted: str | None) -> dict[str, Any]:
    """The motion of the platform, its duration [s] and the coordinates at the start, of a joint of a kind.

    Raises:
        ScenarioError: a file that cannot be read, or a trajectory that cannot be taken.
    """
    chosen = chosen_trajectory(parse(path), path, wanted)
    if chosen.tag not in RATES:
        message = f"trajectory {chosen.get('id', '')}: {chosen.tag} is not taken"
        raise refusal(message, at=str(path), remedy=f"one of {', '.join(RATES)}")
    times, rows = read_points(chosen, JOINTS[kind], path)
    curve = PPoly.from_bernstein_basis(BPoly.from_derivatives(times, rows))
    motion: dict[str, Any] = {
        "position": [float(shift) if k is None else signal(curve, k, shift)
                     for k, shift in zip(ALONG[kind], origin, strict=True)]
    }  # fmt: skip
    turning = [k for k in ABOUT[kind] if k is not None and (np.ptp(rows[:, 0, k]) or rows[:, 1:, k].any())]
    if turning:
        check_turn(turning, rows, kind, path)
        start = rows[0, 0]
        motion["rotation"] = [signal(curve, k, -start[k]) if k in turning else 0.0 for k in ABOUT[kind]]
    return {"motion": motion, "duration": float(times[-1]), "start": rows[0, 0]}


def check_turn(turning: list[int], rows: np.ndarray, kind: str, path: str | Path) -> None:
    """Refuse turns about several axes."""
    still = [k for k in ABOUT[kind] if k is not None and k not in turning]
    if len(turning) > 1 or any(rows[0, 0, k] != 0.0 for k in still):
        remedy = "one angle may change, with the others zero"
        raise refusal("the trajectory turns about several axes, which is not taken", at=str(path), remedy=remedy)


def chosen_trajectory(root: ElementTree.Element, path: str | Path, wanted: str | None) -> ElementTree.Element:
    """The trajectory asked for, else the only one."""
    found = {element.get("id", ""): element for element in root.findall("./joint_trajectories/*")}
    if wanted is None and len(found) == 1:
        return next(iter(found.values()))
    if wanted not in found:
        message = "has several trajectories" if wanted is None and found else f"has no trajectory {wanted!r}"
        raise refusal(message, at=str(path), remedy=f"--trajectory: one of {', '.join(found) or 'none'}")
    return found[wanted]


def read_points(chosen: ElementTree.Element, count: int, path: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Times [n], and coordinates with their rates [n, rates, coordinate]."""
    points, rates = chosen.findall("./points/point"), RATES[chosen.tag]
    if len(points) < 2:
        raise refusal("the trajectory needs two points at least", at=str(path))
    rows = np.zeros((len(points), 1 + len(rates), count))
    times = np.zeros(len(points))
    for i, point in enumerate(points):
        for order, name in enumerate(("q", *rates)):
            element = point.find(name)
            if element is not None or order == 0:
                rows[i, order] = listed(element.text or "" if element is not None else "", count, name, path)
        times[i] = 0.0 if i == 0 else float(listed(point.get("time", ""), 1, "time of a point", path)[0])
    if chosen.get("time_definition", "relative") == "relative":
        times = np.cumsum(times)
    if not np.all(np.diff(times) > 0.0):
        raise refusal("the times of the trajectory do not grow", at=str(path))
    return times, rows


def signal(curve: PPoly, k: int, shift: float) -> dict[str, Any]:
    """One coordinate, shifted, as a signal."""
    rows = curve.c[::-1, :, k].T.copy()
    rows[:, 0] += shift
    return {"kind": "polynomial", "breaks": curve.x.tolist(), "coefficients": rows.tolist()}
