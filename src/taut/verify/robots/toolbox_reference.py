"""The reference numbers of the robots' toolbox: the robots, and how far a value may be from one that is written.

A value passes within ten times the difference of the two methods that computed it, but not closer than 1e-9 (absolute,
and relative), and not closer than half a unit of the last digit that is written.
"""

import json
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from taut.robots.robot import Robot
from taut.verify.quantity import Quantity, at_most

FILE = Path(__file__).with_name("toolbox_reference.json")
LEAST = 1e-9
FREEDOMS = {"spatial": "spatial", "planar in xy": "planar-xy", "planar in xz": "planar-xz", "point": "point"}
SOURCE = "reference numbers, each by two independent methods"


@cache
def reference() -> dict[str, Any]:
    """Numbers of the reference, read from its file."""
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def reference_robot(name: str, exits: str = "point") -> Robot:
    """A robot of the reference, with its pulleys or with points in their place."""
    r = reference()["robots"][name]
    freedom = next(known for text, known in FREEDOMS.items() if r["kind"].startswith(text))
    return Robot(
        name=name,
        cables=tuple(f"C{k + 1}" for k in range(len(r["exits"]))),
        exits=r["exits"],
        anchors=r["anchors"],
        freedom=freedom,
        axes=r["pulley_axes"],
        radii=r["pulley_radius"] if exits == "pulley" else 0.0,
        tension_min=r["tension_min"],
        tension_max=r["tension_max"],
        mass=r["mass"],
        com=r["com"],
        inertia=r["inertia_com_platform_axes"],
        gravity=r["gravity"],
        stiffness=r["EA"],
        mass_per_length=r["mass_per_length"],
    )


def units(values: np.ndarray) -> np.ndarray:
    """The last digit written of every value, of numbers written in the same way."""
    numbers = [Decimal(repr(float(x))).normalize().as_tuple() for x in values.ravel()]
    finest = min(int(number.exponent) for number in numbers)
    digits = max(len(number.digits) for number in numbers)
    leading = np.floor(np.log10(np.maximum(np.abs(values), 1e-300))) + 1.0
    return np.maximum(10.0**finest, 10.0 ** (leading - digits))


class Comparison:
    """Comparison of one block's values with the reference; its result is the largest difference."""

    def __init__(self, agreement: str | float) -> None:
        """Take the allowed difference: an entry ``agreement`` of the reference, or a number."""
        given = reference()["about"]["agreement_between_methods"]
        self.allowed = 10.0 * (given[agreement] if isinstance(agreement, str) else agreement)
        self.is_relative = isinstance(agreement, str) and agreement.endswith("relative")
        self.worst, self.count = 0.0, 0

    def add(self, found: Any, written: Any) -> None:
        """Compare a value with the reference, and keep the largest difference; infinite if one is not finite."""
        ours, theirs = np.asarray(found, float), np.asarray(written, float)
        if ours.shape != theirs.shape:
            self.worst = np.inf
            return
        # relative agreement is measured against the largest entry of a matrix, not entry by entry
        size = np.abs(theirs).max() if self.is_relative and theirs.size else np.abs(theirs)
        near = np.maximum(self.allowed * (size if self.is_relative else 1.0), LEAST * np.maximum(size, 1.0))
        share = np.abs(ours - theirs) / np.maximum(near, 0.5 * units(theirs) * (1.0 + 1e-6))
        self.worst = max(self.worst, float(np.max(np.nan_to_num(share, nan=np.inf), initial=0.0)))
        self.count += theirs.size

    def quantity(self, name: str) -> Quantity:
        """The largest difference against what is allowed; a block without values does not pass."""
        value = self.worst if self.count else np.inf
        return at_most(f"{name}, {self.count} values: largest difference against what is allowed", value, 1.0, SOURCE)


def exact(name: str, found: float, written: float) -> Quantity:
    """A count, which must be equal."""
    return Quantity(name, float(found), float(written), 0.0, SOURCE)


def grid_poses(robot: Robot, case: dict[str, Any]) -> np.ndarray:
    """Poses of a grid of the reference."""
    axes = [np.linspace(span[0], span[1], count) for span, count in zip(case["box"], case["grid"], strict=True)]
    places = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(axes))
    poses = np.zeros((len(places), robot.freedoms))
    poses[:, : len(axes)] = places
    if robot.freedoms > len(axes):
        poses[:, len(axes) :] = case["orientation"]
    return poses
