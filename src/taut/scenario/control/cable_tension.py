"""The controller that leads a body along a path by the tensions of its ropes."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Name, NonNegative, Positive, fault, note, quantity
from taut.scenario.records.orientation import Orientation
from taut.scenario.signals.records import Signal

from .sampled import Sampled, path_signals

Commands = Annotated[dict[Name, Name], Field(min_length=1, max_length=1000)]
Three = tuple[Signal, Signal, Signal]


class ControllerCableTension(Sampled):
    """Drums that lead a body along a path: the wrench it needs, by tensions within limits.

    Its pose is measured. What accelerates it as its path and the errors ask, and bears its weight, is shared out to the
    ropes: as near to a goal as the limits allow. The drums' torques give these tensions, and turn their own inertia.
    """

    kind: Literal["cable-tension"]
    body: Name = note("body that is led; it must be free", "platform")
    commands: Commands = note("by cable, the command that is the torque of its drum")
    position: Name = note("measurement of the body's position")
    velocity: Name = note("measurement of its velocity")
    orientation: Name = note("measurement of its orientation")
    spin: Name = note("measurement of its angular velocity")
    setpoint: Three = quantity("wanted place of the body's origin, three signals", "m")
    upright: Orientation | None = note("wanted orientation; none: that of the start", None)
    turn: Three | None = quantity("rotation vector by which it is turned from there; none: it is not", "rad", None)
    bandwidth: Positive = quantity("with which errors of place die out", "rad/s", 8.0)
    turn_bandwidth: Positive = quantity("with which errors of orientation die out", "rad/s", 12.0)
    ki: NonNegative = quantity("acceleration for every metre and second that an error of place lasts", "1/s^3", 0.0)
    least: NonNegative = quantity("smallest tension asked for", "N", 0.0)
    most: Positive = quantity("largest tension asked for", "N")
    goal: NonNegative | None = quantity("tension to be near to; none: the middle of least and most", "N", None)
    carries: NonNegative = quantity("mass borne beside that of the body, at its centre of mass", "kg", 0.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.least >= self.most:
            raise fault(f"must be more than least, {self.least:g} N", at="most")
        if self.goal is not None and not self.least <= self.goal <= self.most:
            raise fault(f"must be from least to most, {self.least:g} to {self.most:g} N", at="goal")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the commands that the controller sets."""
        return tuple(self.commands.values())

    def signals(self) -> dict[str, Any]:
        """Return the signals that the controller follows, by their keys."""
        return path_signals(self.setpoint, self.turn)
