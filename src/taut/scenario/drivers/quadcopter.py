"""A quadcopter that carries exits: a rigid body with four rotors, their thrust and reactive moment."""

from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Discriminator, Tag, model_validator

from taut.scenario.base import NonNegative, Positive, Record, Size3, Vec3, fault, note, quantity
from taut.scenario.records.body import Body
from taut.scenario.records.joint import Joint
from taut.scenario.records.laws import Friction
from taut.scenario.records.orientation import Orientation
from taut.scenario.signals.derived import LaggedSignal, ScaledSignal, limited
from taut.scenario.signals.records import Signal

from .parts import Parts, derived_force, part_name

ROTORS = 4


def _rotors(value: Any) -> str:
    return "each" if isinstance(value, list | tuple) else "all"


Thrusts = Annotated[
    Annotated[Signal, Tag("all")] | Annotated[tuple[Signal, Signal, Signal, Signal], Tag("each")],
    Discriminator(_rotors),
]


class DriverQuadcopter(Record):
    """A quadcopter; rotors 1 to 4 at 45, 135, 225 and 315 degrees from its x axis (layout x), turning alternately."""

    kind: Literal["quadcopter"]
    mass: Positive = quantity("mass", "kg")
    inertia: Size3 = quantity("[Ixx, Iyy, Izz] about its centre", "kg m^2")
    arm: Positive = quantity("distance of the rotors from the centre", "m")
    layout: Literal["x", "plus"] = note("rotors between the axes (x) or on them (plus)", "x")
    moment_ratio: NonNegative = quantity("reactive moment per thrust", "m", 0.0)
    thrust: Thrusts = quantity("thrust of every rotor, or a list of four, along the body's z axis", "N", 0.0)
    max_thrust: Positive | None = quantity(
        "largest thrust of a rotor; the smallest is then 0; none: no limit", "N", None
    )
    motor_lag: NonNegative = quantity("time constant of the motors; 0: none", "s", 0.0)
    attitude: Literal["free", "held"] = note(
        "free: it turns under its rotors and cables; held: it keeps its axes, as a point with its mass (as published)",
        "free",
    )
    drag: NonNegative = quantity("drag per speed", "N s/m", 0.0)
    position: Vec3 | None = quantity("centre at the start, world; none: at the exit of its cable", "m", None)
    orientation: Orientation | None = note("axes at the start, world; none: parallel to the world", None)
    velocity: Vec3 | None = quantity("velocity at the start", "m/s", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        largest = max(self.inertia)
        if largest > sum(self.inertia) - largest:
            raise fault("belongs to no real body: the largest must not exceed the sum of the others", at="inertia")
        return self

    def signal_keys(self) -> tuple[str, ...]:
        """Return the keys that hold signals."""
        return ("thrust",)

    def rotor_points(self) -> np.ndarray:
        """Return the rotors' places in the body frame [m], shape [4, 3]."""
        angles = np.arange(ROTORS) * np.pi / 2 + (np.pi / 4 if self.layout == "x" else 0.0)
        return self.arm * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(ROTORS)])

    def thrusts(self) -> tuple[Any, ...]:
        """Return the thrust of every rotor as a signal, limited and behind its motor's lag."""
        given = self.thrust if isinstance(self.thrust, tuple) else (self.thrust,) * ROTORS
        if self.max_thrust is not None:
            given = tuple(limited(spec, 0.0, self.max_thrust) for spec in given)
        return tuple(LaggedSignal(spec, self.motor_lag) for spec in given) if self.motor_lag else given

    def parts(self, name: str, place: Vec3) -> Parts:
        """Return the body and the forces of its rotors."""
        body = self.turning_body(place) if self.attitude == "free" else self.held_body(place)
        forces = tuple(
            derived_force(
                part_name(name, f"rotor {k + 1}"),
                name,
                point=tuple(point),
                force=(0.0, 0.0, thrust),
                torque=(0.0, 0.0, ScaledSignal(thrust, self.moment_ratio * (-1) ** k) if self.moment_ratio else 0.0),
            )
            for k, (point, thrust) in enumerate(zip(self.rotor_points().tolist(), self.thrusts(), strict=True))
        )
        return Parts({name: body}, forces)

    def turning_body(self, place: Vec3) -> Body:
        """Return the body that moves and turns freely."""
        friction = (Friction(viscous=self.drag),) * 3 + (None,) * 3 if self.drag else None
        return Body(
            mass=self.mass,
            inertia=self.inertia,
            position=self.position or place,
            orientation=self.orientation,
            velocity=self.velocity,
            joint=Joint(friction=friction),
        )

    def held_body(self, place: Vec3) -> Body:
        """Return the body that keeps its axes: three coordinates along them."""
        R = self.orientation.rotation() if self.orientation else np.eye(3)
        joint = Joint(
            kind="point",
            origin=self.position or place,
            orientation=self.orientation,
            velocity=tuple((R.T @ np.array(self.velocity)).tolist()) if self.velocity else None,
            friction=Friction(viscous=self.drag) if self.drag else None,
        )
        return Body(mass=self.mass, inertia=self.inertia, joint=joint)
