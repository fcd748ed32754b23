"""Joints: how a body may move against its parent.

The joint frame sits on the parent body at `origin`, turned by `orientation`. The body frame coincides with it when the
joint coordinates are zero.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from taut.model.joints import JOINTS, KINDS, Place, column_places, rest_position
from taut.scenario.base import Direction, Flag, Name, Number, Record, Vec3, fault, note, quantity
from taut.scenario.signals.records import Signal

from .laws import Friction, Law
from .orientation import Orientation

JointKind = Literal["fixed", "revolute", "prismatic", "universal", "spherical", "planar", "free", "point"]
# default axis of joints with one (of a planar one: its normal); joints without an entry that turn about two take axes
DEFAULT_AXIS = {"revolute": (0.0, 0.0, 1.0), "prismatic": (0.0, 0.0, 1.0), "planar": (0.0, -1.0, 0.0)}
DEFAULT_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
JOINT_SIZES = {kind: len(column_places(KINDS[kind])) for kind in get_args(JointKind)}
ONE_COORDINATE = [kind for kind, size in JOINT_SIZES.items() if size == 1]
TWO_AXES = [kind for kind in JOINT_SIZES if kind not in DEFAULT_AXIS and "axis_2" in
            (move.axis for move in JOINTS[KINDS[kind]].moves)]  # fmt: skip
UNITS = "m or rad"


def _joined(kinds: Iterable[str]) -> str:
    *first, last = kinds
    return f"{', '.join(first)} and {last}" if first else last


def _one_or_many(value: Any) -> str:
    return "many" if isinstance(value, list | tuple) else "one"


def _one_or_many_signals(value: Any) -> str:
    return "one" if isinstance(value, str | Mapping | Record) else _one_or_many(value)


def _check_axes(axes: tuple[Vec3, Vec3]) -> tuple[Vec3, Vec3]:
    dot = sum(a * b for a, b in zip(*axes, strict=True))
    square = sum(a * a for a in axes[0]) * sum(b * b for b in axes[1])
    if dot * dot > 1e-12 * square:
        raise fault("must be two perpendicular directions")
    return axes


Six = Field(max_length=6)
Numbers = Annotated[
    Annotated[Number, Tag("one")] | Annotated[tuple[Number, ...], Six, Tag("many")], Discriminator(_one_or_many)
]
Laws = Annotated[
    Annotated[Law, Tag("one")] | Annotated[tuple[Law | None, ...], Six, Tag("many")], Discriminator(_one_or_many)
]
Frictions = Annotated[
    Annotated[Friction, Tag("one")] | Annotated[tuple[Friction | None, ...], Six, Tag("many")],
    Discriminator(_one_or_many),
]
Signals = Annotated[
    Annotated[Signal, Tag("one")] | Annotated[tuple[Signal, ...], Six, Tag("many")], Discriminator(_one_or_many_signals)
]
Motions = Annotated[
    Annotated[Signal, Tag("one")] | Annotated[tuple[Signal | None, ...], Six, Tag("many")],
    Discriminator(_one_or_many_signals),
]
Axes = Annotated[tuple[Direction, Direction], AfterValidator(_check_axes)]


class Joint(Record):
    """A joint between a body and its parent; coordinates in the order of the axes (planar: x, z, angle)."""

    kind: JointKind = note("which motions are free", "free")
    parent: Name = note("body that carries the joint, or world", "world")
    origin: Vec3 = quantity("joint frame origin, in the parent frame", "m", (0.0, 0.0, 0.0))
    orientation: Orientation | None = note("joint frame axes, in the parent frame; none: parallel", None)
    axis: Direction | None = note(
        "revolute, prismatic: axis; planar: normal; joint frame. Default z; planar: -y (motion in x, z)", None
    )
    axes: Axes | None = note("universal: first axis (on the parent), second axis (on the body); default x and y", None)
    position: Numbers | None = quantity(
        "coordinates at the start (spherical: quaternion [w, x, y, z]); default zero", UNITS, None
    )
    velocity: Numbers | None = quantity(
        "rates at the start (spherical: angular velocity in the body frame)", "m/s or rad/s", None
    )
    spring: Laws | None = note("law of all coordinates, or a list with one law (or null) per coordinate", None)
    friction: Frictions | None = note(
        "friction of all coordinates, or a list with one entry (or null) per coordinate", None
    )
    actuated: Flag = note("the joint is driven by an actuator: inverse dynamics solves for its force", False)
    range: tuple[Number, Number] | None = quantity(
        "revolute, prismatic: allowed coordinates [lowest, highest]; kinematic analyses refuse what lies outside",
        UNITS,
        None,
    )
    force: Signals | None = quantity(
        "generalised force on the coordinate, or a list, one per coordinate", "N or N m", None
    )
    motion: Motions | None = quantity(
        "the coordinate follows this signal, by whatever force it takes; or a list, one (or null) per coordinate",
        UNITS,
        None,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_geometry()
        for key in ("position", "velocity", "spring", "friction", "force", "motion"):
            self._check_entries(key, len(rest_position(KINDS[self.kind])) if key == "position" else self.size())
        ball = self.ball()
        if ball is not None and self.position is not None:
            first = ball.coordinate
            if max(map(abs, self.coordinates()[first : first + 4])) < 1e-6:
                raise fault("must not be zero", at="position")
        self._check_motion()
        return self

    def _check_motion(self) -> None:
        if self.motion is None:
            return
        if self.ball() is not None:
            raise fault(f"is not for {self.kind} joints", at="motion",
                        remedy="use a chain of revolute, prismatic or point joints")  # fmt: skip
        if self.size() > 1:
            return
        for key in ("position", "velocity", "spring", "friction", "force"):
            if getattr(self, key) is not None:
                raise fault("has no effect: the motion of the joint is given", at=key, remedy="remove it, or motion")

    def _check_geometry(self) -> None:
        if self.axis is not None and self.kind not in DEFAULT_AXIS:
            raise fault(f"is for {_joined(DEFAULT_AXIS)} joints, not for {self.kind}", at="axis")
        if self.axes is not None and self.kind not in TWO_AXES:
            raise fault(f"is for {_joined(TWO_AXES)} joints, not for {self.kind}", at="axes")
        if self.range is not None and self.size() != 1:
            raise fault(f"is for {_joined(ONE_COORDINATE)} joints, not for {self.kind}", at="range")
        if self.range is not None and self.range[0] >= self.range[1]:
            raise fault("must be [lowest, highest]", at="range")
        if self.kind == "free" and self.parent != "world":
            raise fault(
                "must be world: a free body moves against the world", at="parent", remedy="use another joint kind"
            )
        if self.kind == "free" and {"origin", "orientation"} & self.model_fields_set:
            at = "origin" if "origin" in self.model_fields_set else "orientation"
            raise fault("is not for free joints", at=at, remedy="give position and orientation of the body instead")

    def _check_entries(self, key: str, size: int) -> None:
        value = getattr(self, key)
        if value is None:
            return
        if self.kind == "free" and key in ("position", "velocity"):
            raise fault("is not for free joints", at=key, remedy=f"give the {key} of the body instead")
        if size == 0:
            raise fault("is not for fixed joints: they have no coordinates", at=key)
        if isinstance(value, tuple) and len(value) != size:
            raise fault(f"must have {size} entries for a {self.kind} joint, not {len(value)}", at=key)
        if isinstance(value, float) and key in ("position", "velocity") and size != 1:
            raise fault(f"must be a list of {size} numbers for a {self.kind} joint", at=key)

    def size(self) -> int:
        """Return the number of degrees of freedom."""
        return JOINT_SIZES[self.kind]

    def ball(self) -> Place | None:
        """Return where the quaternion of a joint with a free turn is; None for other joints."""
        return next((place for place in column_places(KINDS[self.kind]) if place.component == 0), None)

    def main_axis(self) -> Vec3:
        """Return the axis or, of a planar joint, the normal in the joint frame, not normalised."""
        return self.axis or DEFAULT_AXIS[self.kind]

    def both_axes(self) -> tuple[Vec3, Vec3]:
        """Return the two axes of a joint that has them, not normalised."""
        return self.axes or DEFAULT_AXES

    def coordinates(self) -> tuple[float, ...]:
        """Return the start coordinates; a quaternion is not normalised. Not for free joints: see the body."""
        if self.position is None:
            return tuple(rest_position(KINDS[self.kind]))
        return self.position if isinstance(self.position, tuple) else (self.position,)

    def rates(self) -> tuple[float, ...]:
        """Return the start rates, one per degree of freedom."""
        return tuple(rate or 0.0 for rate in self._spread(self.velocity))

    def springs(self) -> tuple[Any, ...]:
        """Return one law or None per degree of freedom."""
        return self._spread(self.spring)

    def frictions(self) -> tuple[Friction | None, ...]:
        """Return one friction or None per degree of freedom."""
        return self._spread(self.friction)

    def forces(self) -> tuple[Any, ...]:
        """Return one signal or None per degree of freedom."""
        return self._spread(self.force)

    def motions(self) -> tuple[Any, ...]:
        """Return one signal or None per degree of freedom."""
        return self._spread(self.motion)

    def _spread(self, value: Any) -> tuple[Any, ...]:
        return value if isinstance(value, tuple) else (value,) * self.size()
