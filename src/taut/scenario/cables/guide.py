"""Guides of ropes: what a cable without mass runs over between its exit and its anchor."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Direction, Name, NonNegative, Positive, Record, Vec3, fault, note, quantity


class Pinhole(Record):
    """A smooth hole, or a wheel so small that its radius does not count."""

    kind: Literal["pinhole"]
    body: Name = note("body that carries it", "world")
    point: Vec3 = quantity("where it is, in the frame of body", "m", (0.0, 0.0, 0.0))


class Sheave(Record):
    """A wheel in whose groove the rope runs, leaving it at tangents.

    With an axis its plane is fixed on its body; without one it swivels, so that it lies in the plane of its neighbours.
    """

    kind: Literal["sheave"]
    body: Name = note("body that carries it", "world")
    point: Vec3 = quantity("its centre, in the frame of body", "m", (0.0, 0.0, 0.0))
    radius: Positive = quantity("radius at the rope's middle", "m")
    axis: Direction | None = note("its axis, in the frame of body; none: it swivels", None)
    side: Literal["short", "over", "under", "left", "right"] = note(
        "where the rope passes: short: as makes it shortest; over or under the centre at the start; left or right: the "
        "centre lies there as seen along the rope with the axis upwards",
        "short",
    )
    inertia: NonNegative = quantity(
        "moment of inertia about the axis; with one the rope sticks to it, and turns it", "kg m^2", 0.0
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.axis is None and self.side != "short":
            raise fault("a sheave that swivels lies inside the rope's bend", at="side", remedy="give axis, or no side")
        if self.axis is None and self.inertia > 0.0:
            raise fault("a wheel with inertia needs an axis", at="inertia", remedy="give axis, or no inertia")
        return self


Guide = Annotated[Pinhole | Sheave, Field(discriminator="kind")]
