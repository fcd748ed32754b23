"""The motion a body is to make: for inverse dynamics and for controllers. A run does not enforce it."""

from typing import Self

from pydantic import model_validator

from taut.scenario.base import Name, Record, fault, note, quantity
from taut.scenario.drivers.driver import Signals3


class Motion(Record):
    """Position and rotation of a body over time; what is left out stays as it is at the start."""

    body: Name = note("body that moves as told", "platform")
    position: Signals3 | None = quantity("position of the body's origin, world, three signals", "m", None)
    offset: Signals3 | None = quantity(
        "three signals added to the body's start position, instead of position", "m", None
    )
    rotation: Signals3 | None = quantity(
        "rotation vector from the start orientation, world axes, three signals", "rad", None
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.position is not None and self.offset is not None:
            raise fault("give position or offset, not both", at="offset")
        return self

    def translation(self) -> Signals3:
        """Return the signals of position or offset."""
        return self.position or self.offset or (0.0, 0.0, 0.0)

    def turn(self) -> Signals3:
        """Return the signals of the rotation vector."""
        return self.rotation or (0.0, 0.0, 0.0)
