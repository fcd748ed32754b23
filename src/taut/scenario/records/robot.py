"""A cable robot in one record: cables, winches or drums with servos, measurements and a path, by a few lists."""

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from taut.scenario.base import Name, NonNegative, Positive, Record, Vec3, fault, note, quantity
from taut.scenario.cables.guide import Guide
from taut.scenario.cables.pulley import Pulley
from taut.scenario.cables.winch import Drum
from taut.scenario.signals.records import Signal

Points = Annotated[tuple[Vec3, ...], Field(min_length=1, max_length=100)]
Path = tuple[Signal, Signal, Signal]


class Servo(Record):
    """Gains and limits of the servos of a robot's drums; as those of a controller of the kind drum."""

    period: Positive = quantity("time between samples", "s", 0.005)
    kp: NonNegative = quantity("speed asked for by an error of the angle", "1/s", 10.0)
    kv: NonNegative = quantity("torque by an error of the speed", "N m s/rad", 1.0)
    ki: NonNegative = quantity("torque by its integral", "N m/rad", 0.0)
    limit: Positive | None = quantity("largest torque", "N m", None)
    power: Positive | None = quantity("largest power", "W", None)


class DrumMotor(Record):
    """Motors of a robot's drums that lead them at every instant; as `motor` of a drum."""

    kp: Positive = quantity("speed asked for by an error of the angle", "1/s", 10.0)
    kv: Positive = quantity("torque by an error of the speed", "N m s/rad", 1.0)
    limit: Positive | None = quantity("largest torque", "N m", None)
    power: Positive | None = quantity("largest power", "W", None)
    lag: NonNegative = quantity("time constant with which the torque follows what is asked for", "s", 0.0)


class TensionControl(Record):
    """Tensions that lead the body instead of servos; as those of a controller of the kind cable-tension."""

    period: Positive = quantity("time between samples", "s", 0.002)
    least: NonNegative = quantity("smallest tension asked for", "N", 0.0)
    most: Positive = quantity("largest tension asked for", "N")
    goal: NonNegative | None = quantity("tension to be near to; none: the middle of least and most", "N", None)
    bandwidth: Positive = quantity("with which errors of place die out", "rad/s", 8.0)
    turn_bandwidth: Positive = quantity("with which errors of orientation die out", "rad/s", 12.0)
    ki: NonNegative = quantity("acceleration for every metre and second that an error of place lasts", "1/s^3", 0.0)


class Robot(Record):
    """A body on cables, each with a winch of its own: from drum or winch over its pulley to an anchor on the body.

    Cables are named C1, C2, ... after `name`, their winches `C1 winch`, what is measured of them `C1 length` and so on.
    """

    name: Name = note("beginning of the cables' names", "C")
    body: Name = note("body that they hold", "platform")
    exits: Points = quantity("exit points, world", "m")
    anchors: Points = quantity("anchors, in the frame of body", "m")
    cable: dict[str, Any] = note("keys of every cable: kind, stiffness and so on", {})
    pulley: Pulley | None = note("at every exit; none: a point", None)
    guides: tuple[tuple[Guide, ...], ...] = note(
        "of every cable a list of its guides from exit to anchor, in the world or on body; none: straight cables", ()
    )
    drum: Drum | None = note("of every cable, with a servo; none: winches that prescribe the lengths", None)
    servo: Servo = note("of the drums", Servo())
    motor: DrumMotor | None = note("of the drums, instead of servos with samples", None)
    tensions: TensionControl | None = note("lead the body by tensions of its drums; none: servos follow lengths", None)
    path: Path | None = quantity("where the body's origin is led; none: it stays", "m", None)
    turn: Path | None = quantity("rotation vector by which the body is turned on its way; none: it is not", "rad", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.exits) != len(self.anchors):
            raise fault(f"there are {len(self.exits)} exits and {len(self.anchors)} anchors", at="anchors")
        if self.tensions is not None and self.drum is None:
            raise fault("needs drum: a winch that prescribes the length has no tension to set", at="tensions")
        if self.tensions is not None and self.path is None:
            raise fault("needs path: where the body is led", at="tensions")
        if self.motor is not None and (self.drum is None or self.tensions is not None):
            raise fault("leads drums along a path: it needs drum, and no tensions", at="motor")
        if self.guides and len(self.guides) != len(self.exits):
            raise fault(f"there are {len(self.exits)} exits and {len(self.guides)} lists of guides", at="guides")
        if self.cable.get("via"):
            raise fault("is the same of all cables: it knows no guides of each", at="cable.via",
                        remedy="give a list of guides for every cable: guides")  # fmt: skip
        for k, own in enumerate(self.guides):
            for i, guide in enumerate(own):
                if guide.body not in ("world", self.body):
                    raise fault(f"is neither the world nor {self.body}, the body that is led",
                                at=f"guides[{k}][{i}].body")  # fmt: skip
        return self

    @model_validator(mode="after")
    def _check_servo(self) -> Self:
        if "servo" in self.model_fields_set and self.drum is None:
            raise fault("needs drum: a winch that prescribes the length has no servo", at="servo",
                        remedy="give drum: {radius: ..., inertia: ...}, or leave servo out")  # fmt: skip
        return self
