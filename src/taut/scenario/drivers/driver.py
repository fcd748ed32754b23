"""Drivers: what moves the exit points of cables."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from taut.scenario.base import Record, Vec3, fault, note, quantity
from taut.scenario.cables.winch import DriverWinch
from taut.scenario.records.force import Signals3
from taut.scenario.records.run import Enforce
from taut.scenario.signals.records import Blend, SignalWaypoints, Times, check_same_length, check_times

from .carriers import DriverDeck, DriverGantry, DriverMobile, DriverTrolley
from .quadcopter import DriverQuadcopter

Points = Annotated[tuple[Vec3, ...], Field(min_length=1, max_length=10_000)]


class DriverWaypoints(Record):
    """Points at given times; cubic and quintic go from rest to rest on each segment."""

    times: Times = quantity("times, increasing", "s")
    offsets: Points | None = quantity("offsets from each exit's own start point, one per time", "m", None)
    positions: Points | None = quantity("world positions, one per time, instead of offsets", "m", None)
    blend: Blend = note("how to go from one point to the next", "cubic")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.offsets is None) == (self.positions is None):
            raise fault("needs either offsets or positions, and only one of them")
        check_times(self.times)
        check_same_length(self.times, self.points(), "offsets" if self.offsets is not None else "positions")
        return self

    def points(self) -> tuple[Vec3, ...]:
        """Return the offsets or positions, whichever were given."""
        return self.offsets if self.offsets is not None else self.positions or ()

    def signals(self) -> tuple[SignalWaypoints, SignalWaypoints, SignalWaypoints]:
        """Return the x, y and z signals."""
        x, y, z = zip(*self.points(), strict=True)
        return tuple(SignalWaypoints(times=self.times, values=values, blend=self.blend) for values in (x, y, z))  # type: ignore[return-value]


class DriverFixed(Record):
    """The exit points stay where they are."""

    kind: Literal["fixed"]

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ()


class DriverForce(Record):
    """A force pulls at the exit points, which move freely otherwise."""

    kind: Literal["force"]
    force: Signals3 = quantity("force, three signals", "N")
    frame: Literal["world", "cable"] = note(
        "axes of the force: of the world, or of the cable's first element, whose z axis points along the cable", "world"
    )

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ("force",)


class DriverTrajectory(Record):
    """The exit points follow a prescribed motion; give one of position, offset, waypoints."""

    kind: Literal["trajectory"]
    position: Signals3 | None = quantity("world position of the exit, three signals", "m", None)
    offset: Signals3 | None = quantity("three signals added to each exit's own start point", "m", None)
    waypoints: DriverWaypoints | None = note("points at given times", None)
    enforce: Enforce | None = note("how the motion is imposed; none: as `run.driven` says", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [key for key in ("position", "offset", "waypoints") if getattr(self, key) is not None]
        if len(given) != 1:
            raise fault(f"needs exactly one of position, offset, waypoints; found {' and '.join(given) or 'none'}")
        return self

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ("position", "offset")

    def is_offset(self) -> bool:
        """Return whether the signals are added to each exit's start point (else they are the world position)."""
        return self.offset is not None or (self.waypoints is not None and self.waypoints.offsets is not None)

    def signals(self) -> tuple[Any, Any, Any]:
        """Return the x, y and z signals of the offset or position."""
        return self.waypoints.signals() if self.waypoints else self.offset or self.position  # type: ignore[return-value]


def _driver_tag(value: Any) -> Any:
    return value.get("kind", "missing kind") if isinstance(value, Mapping) else getattr(value, "kind", "not a mapping")


Driver = Annotated[
    Annotated[DriverFixed, Tag("fixed")]
    | Annotated[DriverTrajectory, Tag("trajectory")]
    | Annotated[DriverForce, Tag("force")]
    | Annotated[DriverQuadcopter, Tag("quadcopter")]
    | Annotated[DriverTrolley, Tag("trolley")]
    | Annotated[DriverGantry, Tag("gantry")]
    | Annotated[DriverMobile, Tag("mobile")]
    | Annotated[DriverDeck, Tag("deck")]
    | Annotated[DriverWinch, Tag("winch")],
    Discriminator(_driver_tag),
]
CARRIERS = (DriverQuadcopter, DriverTrolley, DriverGantry, DriverMobile, DriverDeck)
