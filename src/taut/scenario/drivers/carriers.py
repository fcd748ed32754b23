"""Carriages that carry exits: trolleys on rails, gantries, mobile bases, decks. Each is a few bodies on joints."""

from typing import Any, Literal

from taut.scenario.base import Direction, NonNegative, Positive, Record, Vec3, note, quantity
from taut.scenario.records.body import Body
from taut.scenario.records.joint import Joint
from taut.scenario.records.laws import Friction
from taut.scenario.records.orientation import Orientation
from taut.scenario.signals.records import Signal

from .parts import Parts, part_name

UP = (0.0, 0.0, 1.0)


def rail_joint(axis: Vec3, force: Any, motion: Any, friction: Friction | None, **place: Any) -> Joint:
    """Return a slider that a force moves, or that follows a motion in spite of friction."""
    effort = {"force": force, "friction": friction} if motion is None else {"motion": motion}
    return Joint(kind="prismatic", axis=axis, **effort, **place)


class DriverTrolley(Record):
    """A trolley on a straight rail; moved by a force, or as prescribed."""

    kind: Literal["trolley"]
    mass: Positive = quantity("mass of the trolley", "kg")
    axis: Direction = note("direction of the rail", (1.0, 0.0, 0.0))
    position: Vec3 | None = quantity("trolley at the start, world; none: at the exit of its cable", "m", None)
    force: Signal | None = quantity("force along the rail", "N", None)
    motion: Signal | None = quantity("prescribed way along the rail from the start, instead of force", "m", None)
    friction: Friction | None = note("friction of the wheels, against a force", None)

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ("force", "motion")

    def parts(self, name: str, place: Vec3) -> Parts:
        """Return the trolley."""
        rail = rail_joint(self.axis, self.force, self.motion, self.friction, origin=self.position or place)
        return Parts({name: Body(mass=self.mass, joint=rail)})


class DriverGantry(Record):
    """A trolley on a bridge that runs on rails across it."""

    kind: Literal["gantry"]
    bridge_mass: Positive = quantity("mass of the bridge", "kg")
    mass: Positive = quantity("mass of the trolley", "kg")
    bridge_axis: Direction = note("direction in which the bridge runs", (0.0, 1.0, 0.0))
    axis: Direction = note("direction in which the trolley runs on the bridge", (1.0, 0.0, 0.0))
    position: Vec3 | None = quantity("trolley at the start, world; none: at the exit of its cable", "m", None)
    bridge_force: Signal | None = quantity("force along the bridge's rails", "N", None)
    force: Signal | None = quantity("force on the trolley along the bridge", "N", None)
    bridge_motion: Signal | None = quantity("prescribed way of the bridge, instead of bridge_force", "m", None)
    motion: Signal | None = quantity("prescribed way of the trolley, instead of force", "m", None)
    friction: Friction | None = note("friction of the wheels of both, against forces", None)

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ("bridge_force", "force", "bridge_motion", "motion")

    def parts(self, name: str, place: Vec3) -> Parts:
        """Return bridge and trolley."""
        bridge = part_name(name, "bridge")
        place = self.position or place
        rails = rail_joint(self.bridge_axis, self.bridge_force, self.bridge_motion, self.friction, origin=place)
        track = rail_joint(self.axis, self.force, self.motion, self.friction, parent=bridge)
        return Parts({bridge: Body(mass=self.bridge_mass, joint=rails), name: Body(mass=self.mass, joint=track)})


class DriverMobile(Record):
    """A vehicle on level ground: it moves in x and y and turns about the vertical; by forces, or as prescribed."""

    kind: Literal["mobile"]
    mass: Positive = quantity("mass", "kg")
    inertia: Positive = quantity("inertia about the vertical", "kg m^2")
    position: Vec3 | None = quantity("its frame at the start, world; none: at the exit of its cable", "m", None)
    force: tuple[Signal | None, Signal | None, Signal | None] | None = quantity(
        "forces in x and y and torque about z", "N or N m", None
    )
    motion: tuple[Signal | None, Signal | None, Signal | None] | None = quantity(
        "prescribed x, y and turn from the start, null for what is free", "m or rad", None
    )
    friction: Friction | None = note("friction of the wheels, in every direction", None)

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ("force", "motion")

    def parts(self, name: str, place: Vec3) -> Parts:
        """Return the vehicle."""
        force = tuple(0.0 if entry is None else entry for entry in self.force) if self.force else None
        wheels = Joint(kind="planar", axis=UP, origin=self.position or place, force=force, motion=self.motion,
                       friction=self.friction)  # fmt: skip
        return Parts({name: Body(mass=self.mass, inertia=(self.inertia, self.inertia, self.inertia), joint=wheels)})


class DriverDeck(Record):
    """A deck, boom tip or helicopter whose motion is prescribed in all six directions."""

    kind: Literal["deck"]
    position: Vec3 | None = quantity("its frame at the start, world; none: at the exit of its cable", "m", None)
    orientation: Orientation | None = note("axes at rest, world; none: parallel to the world", None)
    surge: Signal = quantity("way along its x axis", "m", 0.0)
    sway: Signal = quantity("way along its y axis", "m", 0.0)
    heave: Signal = quantity("way along its z axis", "m", 0.0)
    roll: Signal = quantity("turn about x, after pitch and yaw", "rad", 0.0)
    pitch: Signal = quantity("turn about y, after yaw", "rad", 0.0)
    yaw: Signal = quantity("turn about z", "rad", 0.0)
    mass: NonNegative = quantity("mass that moves with it, which no result but the drive's effort feels", "kg", 1.0)

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ("surge", "sway", "heave", "roll", "pitch", "yaw")

    def parts(self, name: str, place: Vec3) -> Parts:
        """Return a chain of driven joints without mass, and the deck at its end."""
        mass = self.mass or 1.0
        x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), UP
        steps = (("prismatic", x, self.surge), ("prismatic", y, self.sway), ("prismatic", z, self.heave),
                 ("revolute", z, self.yaw), ("revolute", y, self.pitch), ("revolute", x, self.roll))  # fmt: skip
        names = [*(part_name(name, part) for part in ("surge", "sway", "heave", "yaw", "pitch")), name]
        bodies, place_it = {}, {"origin": self.position or place, "orientation": self.orientation}
        for body, before, (kind, axis, motion) in zip(names, ["world", *names], steps, strict=False):
            joint = Joint(kind=kind, parent=before, axis=axis, motion=motion, **place_it)  # type: ignore[arg-type]
            is_deck = body == name
            heavy = {"mass": mass, "inertia": (mass, mass, mass)}
            bodies[body] = Body(joint=joint, **heavy) if is_deck else Body(massless=True, joint=joint)
            place_it = {}
        return Parts(bodies)
