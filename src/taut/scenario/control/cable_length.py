"""The controller that leads a body along a path by the lengths of its cables."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Name, NonNegative, Positive, Record, fault, note, quantity
from taut.scenario.records.orientation import Orientation
from taut.scenario.signals.records import Signal

from .sampled import Sampled


class TensionFeedforward(Record):
    """Tensions that carry a body along its path: as near to a preload as its wrench allows, none below a least one."""

    preload: NonNegative = quantity("tension they keep near to, where there is a choice", "N", 0.0)
    least: NonNegative = quantity("smallest tension", "N", 0.0)
    carries: NonNegative = quantity("mass borne beside that of the body, at its centre of mass", "kg", 0.0)


class ControllerCableLength(Sampled):
    """Winches that lead a body along a path: unstrained lengths by straight-line inverse kinematics.

    Every cable is as long as the straight line from its exit to its anchor on the body at its wanted place, less the
    stretch by its tension. The winches follow these lengths, with their rates and accelerations ahead.
    """

    kind: Literal["cable-length"]
    body: Name = note("body that is led", "platform")
    commands: Annotated[dict[Name, Name], Field(min_length=1, max_length=1000)] = note(
        "by cable, the command that is the length or payout of its winch"
    )
    setpoint: tuple[Signal, Signal, Signal] = quantity("wanted place of the body's origin, three signals", "m")
    orientation: Orientation | None = note("wanted orientation; none: that of the start", None)
    bandwidth: Positive = quantity("with which winches take up a difference of length", "rad/s", 5.0)
    tensions: Annotated[dict[Name, Name], Field(max_length=1000)] = note(
        "by cable, a measurement of its tension, whose stretch is taken off its length", {}
    )
    feedforward: TensionFeedforward | None = note("tensions by the statics of the body, instead of measured ones", None)
    exits: Annotated[dict[Name, Name], Field(max_length=1000)] = note(
        "by cable, a measurement of the place of its exit: for exits that move", {}
    )
    position: Name | None = note("measurement of the body's origin, for feedback", None)
    kp: NonNegative = note("share of the error of place that the place aimed at is moved by", 0.0)
    ki: NonNegative = quantity("the same for every second the error lasts", "1/s", 0.0)
    most_correction: Positive = quantity("farthest that feedback moves the place aimed at", "m", 0.5)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.tensions and self.feedforward is not None:
            raise fault("cannot go with feedforward: tensions are measured or foreseen", at="tensions")
        if self.position is None and (self.kp or self.ki):
            raise fault("needs the measurement position", at="kp" if self.kp else "ki")
        for key in ("tensions", "exits"):
            stranger = next((name for name in getattr(self, key) if name not in self.commands), None)
            if stranger is not None:
                raise fault("is for cables that have a command here", at=f"{key}.{stranger}")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the commands it sets."""
        return tuple(self.commands.values())

    def signals(self) -> dict[str, Any]:
        """Return the signals it follows, by their keys."""
        return {f"setpoint[{k}]": signal for k, signal in enumerate(self.setpoint)}
