"""Measurements: what a controller is told of the machine, with the faults of real sensors."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Limits, Name, NonNegative, Number, Positive, Record, Vec3, fault, note, quantity

OWNERS = ("body", "joint", "cable")
QUANTITIES = {
    "body": ("position", "velocity", "acceleration", "orientation", "angular_velocity"),
    "joint": ("position", "velocity", "acceleration", "force"),
    "cable": (
        "tension_exit",
        "tension_anchor",
        "length",
        "span_tension",
        "guide_load",
        "guide_wrap",
        "guide_swivel",
        "guide_slip",
        "drum_angle",
        "drum_speed",
        "drum_torque",
        "motor_torque",
        "encoder_angle",
        "encoder_length",
    ),
    "machine": ("position", "velocity"),
}
NUMBERED = {"span_tension": "span", "guide_load": "guide", "guide_wrap": "guide", "guide_swivel": "guide",
            "guide_slip": "guide", "encoder_angle": "counts", "encoder_length": "counts"}  # fmt: skip
Count = Annotated[int, Field(ge=1, le=1000)]
Guide = Annotated[int, Field(ge=0, le=1000)]
Counts = Annotated[int, Field(ge=1, le=2**31)]
Share = Annotated[float, Field(ge=0, lt=1)]
Component = Literal["x", "y", "z", "w", 0, 1, 2, 3, 4, 5, 6]
# keys of sensors that remember what was before
REMEMBERING = ("lag", "delay", "drift", "period", "losses")


class Measurement(Record):
    """A quantity of a body, a joint or a cable, or of all joints of the machine if none is named."""

    body: Name | None = note("body that is measured", None)
    joint: Name | None = note("body whose joint is measured", None)
    cable: Name | None = note("cable that is measured", None)
    what: Name | None = note(
        "body: position, velocity, acceleration, orientation (quaternion [w, x, y, z]) or angular_velocity, in world "
        "axes; joint: position, velocity, acceleration or force; cable: tension_exit or tension_anchor, "
        "length (unstrained, outside), span_tension, guide_load (its size), guide_wrap, guide_swivel (about the "
        "vertical), guide_slip, drum_angle, drum_speed (positive when it pays out), drum_torque, "
        "motor_torque (before the gearbox), encoder_angle (the drum's, by an encoder on the motor), encoder_length "
        "(paid out since the start, by the drum's radius); machine: position or velocity of all joints. "
        "Default: the first of these",
        None,
    )
    span: Count | None = note("span_tension: number of the span, from 1 at the exit", None)
    guide: Guide | None = note("guide_...: number of the guide, from 1 at the exit; 0: the pulley at the exit", None)
    counts: Counts | None = note("encoder_...: counts per turn of the motor's shaft", None)
    end: Literal["exit", "anchor"] = note(
        "drum_..., motor_..., encoder_...: the drum at which end of the cable", "exit"
    )
    point: Vec3 = quantity("body: point that is measured, body frame", "m", (0.0, 0.0, 0.0))
    component: Component | None = note("one component, as x, y, z or a number from 0; none: all", None)
    noise: NonNegative = note("standard deviation of the noise, in the unit of the quantity", 0.0)
    bias: Number = note("constant error, in the unit of the quantity", 0.0)
    resolution: NonNegative = note("smallest step of the sensor, in the unit of the quantity; 0: none", 0.0)
    lag: NonNegative = quantity("time constant with which the sensor follows the quantity", "s", 0.0)
    delay: NonNegative = quantity("time from the quantity to what is reported of it", "s", 0.0)
    scale: Number = note("factor of the sensor on the quantity", 1.0)
    drift: NonNegative = note(
        "random walk of the error: its standard deviation after one second, in the unit of the quantity", 0.0
    )
    range: Limits | None = note("[least, largest] that is reported, in the unit of the quantity; none: all", None)
    period: Positive | None = quantity(
        "time between the sensor's own samples, the first at t = 0, held between; none: at those of the controllers",
        "s",
        None,
    )
    losses: Share = note("share of the samples that are lost at random; the last one is reported again", 0.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [key for key in OWNERS if getattr(self, key) is not None]
        if len(given) > 1:
            raise fault(f"measures one thing: give {' or '.join(given)}", at=given[1])
        allowed = QUANTITIES[self.owner()]
        if self.quantity() not in allowed:
            raise fault(f"must be one of {', '.join(allowed)} for a {self.owner()}", at="what")
        for key in ("span", "guide", "counts"):
            is_needed = NUMBERED.get(self.quantity()) == key
            if is_needed != (getattr(self, key) is not None):
                what = "is needed for" if is_needed else "does not go with"
                raise fault(f"{what} {self.quantity()}", at=key)
        if self.counts is not None and self.resolution:
            raise fault("follows from counts", at="resolution")
        if self.range is not None and not self.range[0] < self.range[1]:
            raise fault("must be [least, largest]", at="range")
        return self

    def remembers(self) -> bool:
        """Return whether what the sensor reports depends on what was before."""
        return any(getattr(self, key) for key in REMEMBERING)

    def is_plain(self) -> bool:
        """Return whether the sensor has no faults but noise, bias and resolution."""
        return not self.remembers() and self.scale == 1.0 and self.range is None

    def drum_key(self) -> str:
        """Return the name by which the drum is known that is measured."""
        return f"{self.cable}.anchor" if self.end == "anchor" else str(self.cable)

    def owner(self) -> str:
        """Return what is measured: body, joint, cable or machine."""
        return next((key for key in OWNERS if getattr(self, key) is not None), "machine")

    def quantity(self) -> str:
        """Return the quantity of the owner that is measured."""
        return self.what or QUANTITIES[self.owner()][0]
