"""What cables of every kind share: where they run, what moves their exits, what changes their length."""

from typing import Any, Literal, Self

from pydantic import model_validator

from taut.scenario.base import Limits, Name, Positive, Record, Vec3, fault, note, quantity

from .pulley import Pulley


class CableBase(Record):
    """A cable from an exit point A to an anchor B on a body."""

    name: Name = note("name of the cable in results and messages")
    exit: Vec3 = quantity("exit point A, world (or frame of exit_body)", "m")
    exit_body: Name | None = note("body that carries the exit point; none: the world", None)
    driver: Name | None = note("driver that moves the exit point; none: it stays", None)
    pulley: Pulley | None = note("pulley at the exit; none: the cable leaves from a point", None)
    winch: Name | None = note("driver of the kind winch that changes the cable's length; none: it stays", None)
    winding: Literal["forward", "backward"] = note(
        "on a drum; backward: it is hauled in while the drum turns as for paying out", "forward"
    )
    body: Name = note("body the cable is anchored to", "platform")
    anchor: Vec3 = quantity("anchor B, in the frame of body", "m")
    length: Positive | None = quantity(
        "unstrained length; none: straight distance from exit to anchor at the start", "m", None
    )
    tension_limits: Limits | None = quantity(
        "smallest and largest tension allowed, for the analyses of robots; runs do not keep them, but warn", "N", None
    )

    @model_validator(mode="after")
    def _check_exit(self) -> Self:
        if self.driver is not None and self.exit_body is not None:
            raise fault("cannot go with exit_body: the exit moves with that body", at="driver")
        if self.tension_limits is not None and not 0.0 <= self.tension_limits[0] < self.tension_limits[1]:
            raise fault("must be two numbers, the smaller first and not negative", at="tension_limits")
        return self

    def signals(self) -> dict[str, Any]:
        """Return the signals of the cable itself, by their keys."""
        return {}

    def piece_count(self) -> int:
        """Return the number of pieces between exit and anchor, a measure of effort."""
        return 1

    def axial_rigidity(self, length: float) -> float:
        """Return EA [N] for an unstrained length [m]; infinite if the cable does not stretch."""
        del length
        return float("inf")
