"""Winches: they change the unstrained length of the cables that run over them."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Flag, NonNegative, Number, Positive, Record, fault, note, quantity
from taut.scenario.signals.derived import IntegratedSignal, ScaledSignal, blended_in
from taut.scenario.signals.records import Signal

WAYS = ("length", "payout", "rate", "drum")
Efficiency = Annotated[float, Field(gt=0.0, le=1.0)]


class Gearbox(Record):
    """Between motor and drum; what it loses is friction that follows the torque it hands on."""

    ratio: Positive = note("turns of the motor for one of the drum")
    efficiency: Efficiency = note("of driving the drum; 2 - 1/efficiency of being driven: up to 0.5 it locks", 1.0)
    inertia: NonNegative = quantity("inertia of the motor, about its own axis", "kg m^2", 0.0)


class Drum(Record):
    """A drum that turns under the cable's pull, a torque and a brake; its cable must have one, and only one, winch."""

    radius: Positive = quantity("radius at which the cable leaves", "m")
    inertia: Positive = quantity("inertia of drum and drive", "kg m^2")
    torque: Signal = quantity(
        "torque of the drive, positive when it pays out; with a gearbox that of the motor", "N m", 0.0
    )
    gearbox: Gearbox | None = note("between motor and drum; for cables without mass", None)
    speed: Number = quantity(
        "angular velocity at the start, positive when it pays out; cables without mass", "rad/s", 0.0
    )
    friction: NonNegative = quantity("viscous friction", "N m s/rad", 0.0)
    brake: NonNegative = quantity("torque that the brake holds; beyond it the drum slips against it", "N m", 0.0)
    braked: Flag = note("the brake holds at the start", True)
    brake_delay: NonNegative = quantity("time from the failure `brake` until the brake begins to close", "s", 0.0)
    brake_rise: NonNegative = quantity("time in which it then closes; for cables without mass", "s", 0.0)
    creep: Positive = quantity(
        "speed of the cable at which the brake is nearly full where it is smoothed: non-smooth methods", "m/s", 1e-3
    )


class DriverWinch(Record):
    """A winch that prescribes the length of its cables, or a drum that moves by itself."""

    kind: Literal["winch"]
    length: Signal | None = quantity("unstrained length outside", "m", None)
    payout: Signal | None = quantity("length paid out since the start, added to each cable's own", "m", None)
    rate: Signal | None = quantity("rate of paying out", "m/s", None)
    drum: Drum | None = note("a drum with inertia instead of a prescribed length", None)
    feed: Literal["consistent", "paper"] = note(
        "consistent: inertia of the material that flows; paper: the rate of the mass matrix alone, as published",
        "consistent",
    )
    start: Literal["blend", "raw"] = note(
        "blend: the change of length grows smoothly over the first seconds; raw: at once", "blend"
    )
    blend_time: Positive = Field(0.5, description="how long it blends in [s]", json_schema_extra={"unit": "s"})

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [key for key in WAYS if getattr(self, key) is not None]
        if len(given) != 1:
            raise fault(f"needs exactly one of {', '.join(WAYS)}; found {' and '.join(given) or 'none'}")
        return self

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ("length", "payout", "rate")

    def change(self, own: float) -> Any:
        """Return the change of length [m] since the start as a signal, for a cable of its own length [m]."""
        if self.length is not None:
            change: Any = ScaledSignal(self.length, 1.0, -own)
        elif self.payout is not None:
            change = self.payout
        else:
            change = IntegratedSignal(self.rate)
        return blended_in(change, self.blend_time) if self.start == "blend" else change

    def ratio(self, own: float) -> ScaledSignal:
        """Return the length against the cable's own [m] as a signal."""
        return ScaledSignal(self.change(own), 1.0 / own, 1.0)
