"""Winches: they change the unstrained length of the cables that run over them."""

import math
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from taut.scenario.base import Direction, Flag, NonNegative, Number, Positive, Record, fault, note, quantity
from taut.scenario.signals.derived import IntegratedSignal, ScaledSignal, blended_in
from taut.scenario.signals.records import Signal

COMMANDS = ("torque", "angle", "speed")
WAYS = ("length", "payout", "rate", "drum")
Efficiency = Annotated[float, Field(gt=0.0, le=1.0)]


class Gearbox(Record):
    """Between motor and drum; what it loses is friction that follows the torque it hands on."""

    ratio: Positive = note("turns of the motor for one of the drum")
    efficiency: Efficiency = note("of driving the drum; 2 - 1/efficiency of being driven: up to 0.5 it locks", 1.0)
    inertia: NonNegative = quantity("inertia of the motor, about its own axis", "kg m^2", 0.0)


class Layers(Record):
    """Turns of the rope side by side on a drum, and layers of them; it climbs to the next in half a turn."""

    width: Positive = quantity("width of the drum between its flanges", "m")
    pitch: Positive = quantity("from turn to turn", "m")
    diameter: Positive = quantity("of the rope", "m")
    turns: NonNegative = note("turns on the drum at the start")
    stack: Literal["nested", "flat"] = note(
        "nested: a layer lies in the grooves of the one below, sqrt(3)/2 diameters further out; flat: a diameter",
        "nested",
    )

    @property
    def turns_per_layer(self) -> int:
        """Number of whole turns between the flanges."""
        return int(np.floor(self.width / self.pitch + 1e-9))

    @property
    def rise(self) -> float:
        """By how much the radius grows from layer to layer [m]."""
        return self.diameter * (math.sqrt(0.75) if self.stack == "nested" else 1.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.turns_per_layer < 1:
            raise fault("is narrower than one turn", at="width", remedy="give at least the pitch")
        return self


class Motor(Record):
    """A drive whose law acts at every instant: a torque by signal, or a servo of angle or speed, within its limits.

    Asked for is torque + feedforward, or kv (goal - speed) + feedforward with the goal kp (angle - its present
    value) + the angle's rate, or the speed given. Angles and speeds are those of the drum, positive when it pays out;
    torques those of the motor.
    """

    torque: Signal | None = quantity("torque asked for", "N m", None)
    angle: Signal | None = quantity("angle to which the drum is led, from its start", "rad", None)
    speed: Signal | None = quantity("speed to which the drum is led", "rad/s", None)
    kp: NonNegative = quantity("speed asked for by an error of the angle", "1/s", 0.0)
    kv: NonNegative = quantity("torque asked for by an error of the speed", "N m s/rad", 0.0)
    feedforward: Number = quantity("constant torque beside it", "N m", 0.0)
    limit: Positive | None = quantity("largest torque", "N m", None)
    power: Positive | None = quantity("largest power: the torque falls with the speed", "W", None)
    lag: NonNegative = quantity("time constant with which the torque follows what is asked for", "s", 0.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = self.given()
        if len(given) != 1:
            raise fault(f"needs exactly one of {', '.join(COMMANDS)}; found {' and '.join(given) or 'none'}")
        for key in ("kp", "kv"):
            is_needed = self.angle is not None or (key == "kv" and self.speed is not None)
            if is_needed != (getattr(self, key) > 0.0):
                what = "is needed for" if is_needed else "does not go with"
                raise fault(f"{what} {given[0]}", at=key)
        return self

    def given(self) -> list[str]:
        """Return the keys that say what the motor is asked for."""
        return [key for key in COMMANDS if getattr(self, key) is not None]

    def signal(self) -> Any:
        """The signal that the winch follows: a torque [N m] or an angle [rad]."""
        return IntegratedSignal(self.speed) if self.speed is not None else self.angle if self.torque is None else (
            self.torque)  # fmt: skip


class Drum(Record):
    """A drum that turns under the pull of its cables, a torque and a brake; all cables of the winch run on it."""

    radius: Positive = quantity(
        "radius at which the cable leaves; with layers that of the lowest, at the rope's middle", "m"
    )
    inertia: Positive = quantity("inertia of drum and drive", "kg m^2")
    torque: Signal = quantity(
        "torque of the drive, positive when it pays out; with a gearbox that of the motor", "N m", 0.0
    )
    motor: Motor | None = note("a drive with limits, lag and servo, instead of torque", None)
    layers: Layers | None = note("turns and layers of the rope on it; none: its radius does not change", None)
    axis: Direction | None = note(
        "axis of the drum, in the axes of the body with the exit: along it the exit travels by pitch for every turn "
        "that is paid out, with layers to and fro; none: it stays",
        None,
    )
    pitch: Positive | None = quantity("from turn to turn on a drum with an axis; with layers theirs", "m", None)
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

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.motor is not None and self.torque != 0.0:
            raise fault("is that of the motor: give one of them", at="torque")
        if (self.axis is None) != (self.turn_pitch is None) and (self.pitch is not None or self.layers is None):
            missing = "pitch" if self.pitch is None else "axis"
            raise fault("is needed for a rope that travels along its drum", at=missing, remedy="give axis and pitch")
        if self.pitch is not None and self.layers is not None and self.pitch != self.layers.pitch:
            raise fault("is not that of the layers", at="pitch", remedy="leave it out")
        return self

    @property
    def turn_pitch(self) -> float | None:
        """From turn to turn [m]."""
        return self.pitch if self.layers is None else self.layers.pitch


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
