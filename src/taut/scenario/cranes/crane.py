"""Cranes in a few words: a trolley, perhaps on a bridge, and links that hang below each other, or ropes to one payload.

The words become ordinary bodies, joints and closures (`cranes.bodies`). A link without a name is one body with its
mass at its end; a named one is `NAME-rope` (the link) and `NAME` (the mass, whose frame sits where it is). Angles are
relative to the link above, zero hanging straight down; a positive angle swings towards +x, a positive second angle
towards +y.
"""

from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from taut.scenario.base import Count, Name, NonNegative, Number, Positive, Record, Size3, Vec3, fault, note, quantity
from taut.scenario.records.laws import Friction, Law
from taut.scenario.signals.records import Signal

Pair = Annotated[tuple[Number, Number], Field()]


class CraneBacklash(Record):
    """Free play between a motor and what it moves."""

    gap: Positive = quantity("free play to either side", "m")
    stiffness: Positive = quantity("stiffness when in contact", "N/m")
    damping: NonNegative = quantity("damping when in contact", "N s/m", 0.0)
    motor_mass: Positive = quantity("mass of the motor, as it acts along the rail", "kg")


class CraneCarrier(Record):
    """A trolley or a bridge on its rail: moved by a force, or by a motion that is given."""

    mass: Positive = quantity("mass", "kg")
    position: Number = quantity("place on the rail at the start", "m", 0.0)
    velocity: Number = quantity("speed at the start", "m/s", 0.0)
    force: Signal | None = quantity("force along the rail", "N", None)
    motion: Signal | None = quantity("place on the rail, given; instead of a force", "m", None)
    friction: Friction | None = note("friction on the rail, with stiction if wanted", None)
    spring: Law | None = note("spring along the rail", None)
    backlash: CraneBacklash | None = note("free play between the motor and the carrier", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.motion is not None:
            for key in ("force", "friction", "spring", "backlash"):
                if getattr(self, key) is not None:
                    raise fault("has no effect: the motion is given", at=key)
        return self


class CraneGripped(Record):
    """A payload that the mass at a link's end grips, and may let go: a body named payload, held by payload-grip."""

    mass: Positive = quantity("mass", "kg")
    box: Size3 = quantity("sides along x, y, z", "m")
    below: NonNegative = quantity("depth of its centre below what grips it", "m", 0.0)
    release: Positive | None = quantity(
        "time at which it is let go; none: it is held, or a failure releases payload-grip", "s", None
    )


class Grip(NamedTuple):
    """A payload that is gripped: by which body, and its key."""

    hook: str
    payload: CraneGripped
    path: str


class CraneLink(Record):
    """A link: massless with a mass at its end, or a rod; of fixed, driven or free length."""

    name: Name | None = note("name of the mass at its end, for example hook or load; none: link and its number", None)
    length: Positive = quantity("length (of a link whose length is driven: taken from `motion`)", "m", 1.0)
    mass: NonNegative = quantity("mass at its end", "kg", 0.0)
    inertia: Vec3 | None = quantity("[Ixx, Iyy, Izz] of the mass at its end; none: a point", "kg m^2", None)
    box: Size3 | None = quantity("shape of the mass at its end", "m", None)
    rod_mass: NonNegative = quantity("mass of the link itself, a slender rod", "kg", 0.0)
    count: Count = note("cut it into this many links, which share length and masses", 1)
    angle: Number | Pair = quantity("angle at the start; in space two", "rad", 0.0)
    rate: Number | Pair = quantity("its rate at the start", "rad/s", 0.0)
    bending: Law | None = note("spring of the joint at its top", None)
    friction: Friction | None = note("friction of the joint at its top", None)
    motion: Signal | None = quantity("length, given: a winch", "m", None)
    stretch: Law | None = note("free length with this spring; its `free` is the relaxed length", None)
    hoist_force: Signal | None = quantity("free length with this force along it, positive lengthens", "N", None)
    payload: CraneGripped | None = note("payload gripped by the mass at its end, which can be let go", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.motion is not None and (self.stretch is not None or self.hoist_force is not None):
            raise fault("the length cannot be given and free at once", at="motion")
        if self.is_variable() and (self.rod_mass or self.count > 1):
            at = "rod_mass" if self.rod_mass else "count"
            raise fault("needs a fixed length", at=at, remedy="leave out motion, stretch and hoist_force")
        if self.count > 1 and self.name is not None:
            raise fault("is for one link, not for several", at="name")
        if self.box is not None and (self.inertia is not None or not self.mass):
            raise fault("needs a mass and no inertia", at="box")
        if self.payload is not None and (self.name is None or not self.mass):
            raise fault("needs a link with a name and a mass, which stays when it is let go", at="payload")
        return self

    def is_variable(self) -> bool:
        """Return whether the length changes."""
        return self.motion is not None or self.stretch is not None or self.hoist_force is not None


class CraneRope(Record):
    """One of several ropes to one payload: a rod from a point of the trolley to a point of the payload."""

    trolley: Vec3 = quantity("where it hangs, trolley frame", "m")
    payload: Vec3 = quantity("where it holds, payload frame", "m")
    mass: Positive = quantity("mass of the rope", "kg")


class CranePayload(Record):
    """The payload of several ropes: a box below the trolley."""

    mass: Positive = quantity("mass", "kg")
    box: Size3 = quantity("sides along x, y, z", "m")
    below: Positive = quantity("depth of its centre below the rail at the start", "m")
    shift: Number = quantity("start that far off along x, the ropes as long as in the middle", "m", 0.0)


class Crane(Record):
    """A crane: bodies named trolley, bridge, link1... or as their links are called, and payload."""

    kind: Literal["planar", "spatial"] = note("swings in the x-z plane, or in all directions", "planar")
    height: Number = quantity("height of the rail", "m", 0.0)
    trolley: CraneCarrier = note("trolley, moves along x")
    bridge: CraneCarrier | None = note("spatial: bridge, moves along y and carries the trolley", None)
    links: Annotated[tuple[CraneLink, ...], Field(max_length=10_000)] = note("links from the trolley downwards", ())
    ropes: Annotated[tuple[CraneRope, ...], Field(max_length=100)] = note("ropes to one payload, instead of links", ())
    payload: CranePayload | None = note("payload of the ropes", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if bool(self.links) == bool(self.ropes):
            raise fault("needs either links or ropes", at="links")
        if bool(self.ropes) != (self.payload is not None):
            raise fault("goes with ropes, and ropes with a payload", at="payload")
        if self.bridge is not None and self.kind != "spatial":
            raise fault("needs kind: spatial", at="bridge")
        for i, link in enumerate(self.links):
            for key in ("angle", "rate"):
                if isinstance(getattr(link, key), tuple) and self.kind != "spatial":
                    raise fault("two angles need kind: spatial", at=f"links[{i}].{key}")
        self._check_masses()
        self._check_payload()
        return self

    def _check_payload(self) -> None:
        carriers = [i for i, link in enumerate(self.links) if link.payload is not None]
        if len(carriers) > 1:
            raise fault("one payload only can be gripped", at=f"links[{carriers[1]}].payload")
        same = next((i for i, link in enumerate(self.links) if link.name == "payload"), None)
        if carriers and same is not None:
            raise fault("is the name of what is gripped: take another", at=f"links[{same}].name")

    def grip(self) -> Grip | None:
        """Return what is gripped, and by what."""
        for i, link in enumerate(self.links):
            if link.payload is not None and link.name is not None:
                return Grip(link.name, link.payload, f"links[{i}].payload")
        return None

    def _check_masses(self) -> None:
        last = self.links[-1] if self.links else None
        if last is not None and not last.mass and not last.rod_mass:
            raise fault("the last link must carry a mass", at=f"links[{len(self.links) - 1}].mass")
