"""Guides of ropes: what a cable without mass runs over between its exit and its anchor."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Direction, Name, NonNegative, Positive, Record, Vec3, fault, note, quantity


class Pinhole(Record):
    """A hole, smooth or with friction, or a wheel so small that its radius does not count."""

    kind: Literal["pinhole"]
    body: Name = note("body that carries it", "world")
    point: Vec3 = quantity("where it is, in the frame of body", "m", (0.0, 0.0, 0.0))
    friction: NonNegative = quantity("Coulomb coefficient between rope and hole", "-", 0.0)

    @property
    def rubs(self) -> bool:
        """Whether a rope has different tensions on both sides of it without turning a wheel."""
        return self.friction > 0.0


class Bearing(Record):
    """A plain bearing: its friction follows the load of the rope, and the weight of the sheave."""

    friction: NonNegative = quantity("Coulomb coefficient", "-")
    radius: Positive = quantity("radius of the bearing", "m")
    mass: NonNegative = quantity("mass of the sheave that the bearing carries; its body has to include it", "kg", 0.0)


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
        "moment of inertia about the axis; with one the rope turns it, and slips on it if it has friction",
        "kg m^2",
        0.0,
    )
    friction: NonNegative | None = quantity(
        "Coulomb coefficient between rope and sheave; without inertia, bearing and efficiency it is a bar that does "
        "not turn; none: the rope does not slip",
        "-",
        None,
    )
    bearing: Bearing | None = note("friction of its bearing; none: it turns freely", None)
    efficiency: Annotated[float, Field(gt=0.0, le=1.0)] | None = note(
        "tension where the rope leaves over that where it arrives, when it runs; instead of a bearing, without inertia",
        None,
    )
    spin: float = quantity("angular velocity at the start, about its axis; needs inertia and friction", "rad/s", 0.0)

    @property
    def rubs(self) -> bool:
        """Whether a rope has different tensions on both sides of it without turning a wheel with inertia."""
        if self.inertia > 0.0:
            return self.friction is not None
        is_held = self.bearing is not None and self.bearing.friction > 0.0
        return bool(self.friction) or is_held or (self.efficiency or 1.0) < 1.0

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.axis is None and self.side != "short":
            raise fault("a sheave that swivels lies inside the rope's bend", at="side", remedy="give axis, or no side")
        if self.axis is None and self.inertia > 0.0:
            raise fault("a wheel with inertia needs an axis", at="inertia", remedy="give axis, or no inertia")
        if self.axis is None and self.rubs:
            raise fault("a sheave with friction needs an axis", at="friction", remedy="give axis, or no friction")
        if self.efficiency is not None and (self.bearing is not None or self.inertia > 0.0):
            raise fault("takes the place of a bearing, and has no inertia beside it", at="efficiency",
                        remedy="give bearing, or no inertia")  # fmt: skip
        if self.spin != 0.0 and (self.inertia == 0.0 or self.friction is None):
            raise fault("a rope that does not slip turns its sheave with it", at="spin",
                        remedy="give inertia and friction, or no spin")  # fmt: skip
        return self


Guide = Annotated[Pinhole | Sheave, Field(discriminator="kind")]
