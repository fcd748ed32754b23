"""Commands: signals that a controller sets during the run."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Number, Positive, Record, fault, note, quantity

Limits = Annotated[tuple[Number, Number], Field()]


class SignalCommand(Record):
    """Signal set by a controller at its samples; held, ramped or integrated between them, with an exact lag."""

    kind: Literal["command"] = "command"
    initial: Number = note("value until a controller acts, in the unit of the signal", 0.0)
    acts: Literal["value", "ramp", "rate", "acceleration"] = note(
        "value: the command is held; ramp: reached in a straight line over one period; rate, acceleration: the command "
        "is held as the signal's first or second derivative",
        "value",
    )
    limits: Limits | None = note("smallest and largest command; none: no limits", None)
    rate_limit: Positive | None = quantity("largest change of the command", "unit/s", None)
    lag: Positive | None = quantity("time constant with which the actuator follows", "s", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.limits is not None and not self.limits[0] < self.limits[1]:
            raise fault("must be [smallest, largest]", at="limits")
        if self.lag is not None and self.acts == "ramp":
            raise fault("is not for ramps: they have no jumps to smooth", at="lag")
        return self
