"""What a driver is made of: bodies on their joints, and forces on them. One of its bodies carries the exits."""

from dataclasses import dataclass, field
from typing import Any

from taut.scenario.records.body import Body
from taut.scenario.records.force import ZERO3, Force


@dataclass(frozen=True)
class Parts:
    """Bodies and forces of one driver; the body named like the driver carries the exits."""

    bodies: dict[str, Body] = field(default_factory=dict)
    forces: tuple[Force, ...] = ()


def part_name(driver: str, part: str) -> str:
    """Return the name of a driver's part, such as `crane bridge`."""
    return f"{driver} {part}"


def derived_force(name: str, body: str, **keys: Any) -> Force:
    """Return a force whose signals are derived from others, in body axes."""
    usual = {"point": ZERO3, "force": ZERO3, "torque": ZERO3, "frame": "body"}
    return Force.model_construct(name=name, body=body, **{**usual, **keys})
