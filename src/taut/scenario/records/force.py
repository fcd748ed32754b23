"""Forces and torques on bodies."""

from typing import Literal

from taut.scenario.base import Name, Record, Vec3, note, quantity
from taut.scenario.signals.records import Signal

ZERO3 = (0.0, 0.0, 0.0)
Signals3 = tuple[Signal, Signal, Signal]


class Force(Record):
    """A force and a torque on a body, as signals."""

    name: Name | None = note("name in results and messages; none: force and its number", None)
    body: Name = note("body it acts on")
    point: Vec3 = quantity("point of attack, body frame", "m", ZERO3)
    force: Signals3 = quantity("force, three signals", "N", ZERO3)
    torque: Signals3 = quantity("torque, three signals", "N m", ZERO3)
    frame: Literal["world", "body"] = note("axes in which force and torque are given", "world")
