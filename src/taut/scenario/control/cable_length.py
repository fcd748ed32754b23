"""The controller that leads a body along a path by the lengths of its cables."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Name, NonNegative, Positive, Record, fault, note, quantity
from taut.scenario.records.orientation import Orientation
from taut.scenario.signals.records import Signal

from .sampled import Sampled, path_signals


class TensionFeedforward(Record):
    """Tensions that carry a body along its path: as near to a preload as its wrench allows, none below a least one."""

    preload: NonNegative = quantity("tension they keep near to, where there is a choice", "N", 0.0)
    least: NonNegative = quantity("smallest tension", "N", 0.0)
    carries: NonNegative = quantity("mass borne beside that of the body, at its centre of mass", "kg", 0.0)


class Carrier(Record):
    """What is measured of a body that carries exits or guides; of what is not, it stays as it is at the start."""

    position: Name | None = note("measurement of its origin", None)
    velocity: Name | None = note("measurement of its velocity", None)
    orientation: Name | None = note("measurement of its orientation", None)
    angular_velocity: Name | None = note("measurement of its angular velocity", None)


class DrumLoop(Record):
    """The servo of every drum whose torque is commanded; torques are those of the motor, before its gearbox."""

    kp: Positive = quantity("speed asked for by an error of the drum's angle", "1/s", 10.0)
    kv: Positive = quantity("torque by an error of its speed", "N m s/rad", 1.0)
    ki: NonNegative = quantity("torque by the integral of that", "N m/rad", 0.0)
    limit: Positive | None = quantity("largest torque", "N m", None)
    power: Positive | None = quantity("largest power of the motor", "W", None)


Path = tuple[Signal, Signal, Signal]
Named = Annotated[dict[Name, Name], Field(max_length=1000)]


class ControllerCableLength(Sampled):
    """Winches that lead a body along a path: unstrained lengths by inverse kinematics over all guides.

    Every cable is as long as its way from its exit over pulley and guides to its anchor, with the body at its wanted
    place, less the stretch by its tension. Winches and drums follow these lengths, with their rates and accelerations
    ahead.
    """

    kind: Literal["cable-length"]
    body: Name = note("body that is led", "platform")
    commands: Annotated[dict[Name, Name], Field(min_length=1, max_length=1000)] = note(
        "by cable, the command that is the length or payout of its winch, or angle or torque of its drum"
    )
    setpoint: Path = quantity("wanted place of the body's origin, three signals", "m")
    orientation: Orientation | None = note("wanted orientation; none: that of the start", None)
    turn: Path | None = quantity("rotation vector by which it is turned from there; none: it is not", "rad", None)
    bandwidth: Positive = quantity("with which winches take up a difference of length", "rad/s", 5.0)
    tensions: Named = note("by cable, a measurement of its tension, whose stretch is taken off its length", {})
    feedforward: TensionFeedforward | None = note("tensions by the statics of the body, instead of measured ones", None)
    exits: Named = note("by cable, a measurement of the place of its exit: for exits that move", {})
    carriers: Annotated[dict[Name, Carrier], Field(max_length=1000)] = note(
        "what is measured of other bodies that move and carry exits or guides, by body", {}
    )
    angles: Named = note("by cable whose drum's torque is commanded, a measurement of the drum's angle", {})
    speeds: Named = note("by cable whose drum's torque is commanded, a measurement of the drum's speed", {})
    servo: DrumLoop = note("of drums whose torque is commanded", DrumLoop())
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
        for key in ("tensions", "exits", "angles", "speeds"):
            stranger = next((name for name in getattr(self, key) if name not in self.commands), None)
            if stranger is not None:
                raise fault("is for cables that have a command here", at=f"{key}.{stranger}")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the commands that the controller sets."""
        return tuple(self.commands.values())

    def signals(self) -> dict[str, Any]:
        """Return the signals that the controller follows, by their keys."""
        return path_signals(self.setpoint, self.turn)
