"""Ropes that break: the event at which the tension is too large, and the failure that follows."""

from typing import Any

from taut.scenario.records.failure import Failure
from taut.scenario.records.ground import Event

BREAKS = " breaks"


def overload(cable: Any) -> Event:
    """The moment at which the largest tension of a cable passes its breaking load."""
    return Event(name=f"{cable.name} overload", cable=cable.name, value=cable.breaking_load, crossing="up")


def overload_failure(cable: Any) -> Failure:
    """The failure that cuts a cable when its breaking load is passed."""
    return Failure(name=f"{cable.name}{BREAKS}", when=f"{cable.name} overload", kind="cut", target=cable.name)
