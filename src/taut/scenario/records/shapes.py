"""Shapes of homogeneous bodies: volume, and inertia about the centre for a given mass."""

from typing import Self

import numpy as np
from pydantic import model_validator

from taut.scenario.base import Direction, Positive, Record, Vec3, fault, note, quantity

Z_AXIS = (0.0, 0.0, 1.0)


class Cylinder(Record):
    """Solid circular cylinder."""

    radius: Positive = quantity("radius", "m")
    length: Positive = quantity("length along the axis", "m")
    axis: Direction = note("direction of the axis in the body frame", Z_AXIS)

    def volume(self) -> float:
        """Return the volume [m^3]."""
        return np.pi * self.radius**2 * self.length

    def inertia(self, mass: float) -> np.ndarray:
        """Return the inertia about the centre [kg m^2], shape [3, 3]."""
        return axial_inertia(mass * self.radius**2 / 2, mass * (3 * self.radius**2 + self.length**2) / 12, self.axis)


class Tube(Record):
    """Hollow circular cylinder."""

    inner: Positive = quantity("inner radius", "m")
    outer: Positive = quantity("outer radius", "m")
    length: Positive = quantity("length along the axis", "m")
    axis: Direction = note("direction of the axis in the body frame", Z_AXIS)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.outer <= self.inner:
            raise fault(f"must be greater than inner = {self.inner:g} [m]", at="outer")
        return self

    def volume(self) -> float:
        """Return the volume of the wall [m^3]."""
        return np.pi * (self.outer**2 - self.inner**2) * self.length

    def inertia(self, mass: float) -> np.ndarray:
        """Return the inertia about the centre [kg m^2], shape [3, 3]."""
        square = self.inner**2 + self.outer**2
        return axial_inertia(mass * square / 2, mass * (3 * square + self.length**2) / 12, self.axis)


class Sphere(Record):
    """Solid sphere."""

    radius: Positive = quantity("radius", "m")

    def volume(self) -> float:
        """Return the volume [m^3]."""
        return 4 / 3 * np.pi * self.radius**3

    def inertia(self, mass: float) -> np.ndarray:
        """Return the inertia about the centre [kg m^2], shape [3, 3]."""
        return 0.4 * mass * self.radius**2 * np.eye(3)


class Rod(Record):
    """Slender rod without thickness: needs a mass, has no volume and no inertia about its axis."""

    length: Positive = quantity("length", "m")
    axis: Direction = note("direction of the rod in the body frame", Z_AXIS)

    def volume(self) -> float:
        """Return zero: a slender rod has no volume."""
        return 0.0

    def inertia(self, mass: float) -> np.ndarray:
        """Return the inertia about the centre [kg m^2], shape [3, 3]."""
        return axial_inertia(0.0, mass * self.length**2 / 12, self.axis)


def box_inertia(mass: float, size: Vec3) -> np.ndarray:
    """Return the inertia of a box about its centre [kg m^2], shape [3, 3]; size [m] along x, y, z."""
    x, y, z = (side**2 for side in size)
    return mass / 12 * np.diag([y + z, z + x, x + y])


def axial_inertia(along: float, across: float, axis: Vec3) -> np.ndarray:
    """Return the inertia of an axisymmetric body whose axis points along `axis`."""
    e = np.array(axis) / np.linalg.norm(axis)
    return across * np.eye(3) + (along - across) * np.outer(e, e)
