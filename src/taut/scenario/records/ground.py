"""The ground under a body, and the events a user wants to know of."""

from typing import Literal, Self

from pydantic import model_validator

from taut.scenario.base import (
    Direction,
    Fraction,
    Name,
    NonNegative,
    Number,
    Positive,
    Record,
    Vec3,
    fault,
    note,
    quantity,
)

USUAL_FRICTION = 0.3  # default coefficient of friction of ground with springs and dampers


class Ground(Record):
    """A horizontal ground that carries a box or a sphere, by springs and dampers or rigidly."""

    body: Name = note("body that touches the ground; needs the shape box, or sphere", "platform")
    height: Number = quantity("height of the ground", "m", 0.0)
    stiffness: Positive | None = quantity("stiffness against penetration, of the whole body; not if rigid", "N/m", None)
    damping: NonNegative = quantity("damping beside it, of the whole body", "N s/m", 0.0)
    law: Literal["unilateral", "bilateral", "rigid"] = note(
        "unilateral: at the corners, a quarter of the stiffness each, never pulls; "
        "bilateral: by the height of the centre, may pull (as published); "
        "rigid: at the corners, nothing penetrates, impacts by the restitution",
        "unilateral",
    )
    restitution: Fraction = note("rigid: speed after an impact against that before, 0 to 1", 0.0)
    friction: NonNegative | None = note(
        "Coulomb coefficient; without it 0.3 of the unilateral law, none of others", None
    )
    presliding: Positive = quantity("way that a corner gives, and springs back, before it slips", "m", 1e-6)
    velocity_scale: Positive = quantity("sphere: sliding speed at which friction is nearly full", "m/s", 1e-2)

    def coefficient(self) -> float:
        """Coulomb coefficient of friction of the ground."""
        if self.friction is None or self.law == "bilateral":
            return USUAL_FRICTION if self.law == "unilateral" else 0.0
        return self.friction


class Event(Record):
    """A moment to find: a point of a body passes a plane, its speed, a rope's tension or a measurement passes a value.

    With `lasts` the event is the moment at which it has been beyond the value for that long, without a break.
    """

    name: Name = note("name of the event in results and messages")
    body: Name = note("body that is watched", "platform")
    cable: Name | None = note("cable without mass whose largest tension is watched, instead of a body", None)
    measurement: Name | None = note(
        "measurement that is watched, without the errors of its sensor, instead of a body", None
    )
    point: Vec3 = quantity("point on the body, body frame", "m", (0.0, 0.0, 0.0))
    direction: Direction = note("world direction along which position or speed is measured", (0.0, 0.0, 1.0))
    measure: Literal["position", "speed"] = note("what is measured along the direction", "position")
    value: Number = quantity("value to pass, in the unit of what is watched", "m, m/s, N, ...")
    crossing: Literal["up", "down", "both"] = note("which way", "both")
    lasts: Positive | None = quantity(
        "how long it must stay above (crossing: up) or below (down) the value; also from the start on", "s", None
    )
    action: Literal["record", "stop"] = note("what to do", "record")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.lasts is not None and self.crossing == "both":
            raise fault("needs crossing: up (stays above the value) or down (below)", at="lasts")
        watched = [
            key for key in ("body", "cable", "measurement") if key in self.model_fields_set and getattr(self, key)
        ]
        if len(watched) > 1:
            raise fault(f"watches one thing: give {' or '.join(watched)}", at=watched[1])
        for key in ("point", "direction", "measure"):
            if key in self.model_fields_set and (self.cable or self.measurement):
                raise fault(f"belongs to a body, not to a {'cable' if self.cable else 'measurement'}", at=key)
        return self
