"""Rigid bodies: mass properties given, or from a shape; where the body is at the start; the joint it hangs on."""

from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Discriminator, Tag, model_validator

from taut.scenario.base import Flag, Matrix3, NonNegative, Positive, Record, Size3, Vec3, fault, note, quantity

from .joint import Joint
from .orientation import Orientation
from .shapes import Cylinder, Rod, Sphere, Tube, box_inertia

SHAPES = ("box", "cylinder", "tube", "sphere", "rod")
FREE_ONLY = ("position", "orientation", "velocity", "angular_velocity")


def _inertia_tag(value: Any) -> str:
    if isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool):
        return "plane"
    rows = isinstance(value, list | tuple) and len(value) > 0 and isinstance(value[0], list | tuple)
    return "matrix" if rows or isinstance(value, np.ndarray) and value.ndim == 2 else "diagonal"


Inertia = Annotated[
    Annotated[NonNegative, Tag("plane")] | Annotated[Vec3, Tag("diagonal")] | Annotated[Matrix3, Tag("matrix")],
    Discriminator(_inertia_tag),
]


class Body(Record):
    """A rigid body: mass and inertia, or a shape with mass or density; `joint` says how it moves (default: freely)."""

    mass: NonNegative | None = quantity("mass", "kg", None)
    inertia: Inertia | None = quantity(
        "[Ixx, Iyy, Izz] or 3x3, about the centre of mass, body axes; planar machine: or Iyy alone", "kg m^2", None
    )
    com: Vec3 = quantity("centre of mass (and of the shape), body frame", "m", (0.0, 0.0, 0.0))
    density: Positive | None = quantity("density, with a shape", "kg/m^3", None)
    box: Size3 | None = quantity("shape: sides along x, y, z", "m", None)
    cylinder: Cylinder | None = note("shape: solid cylinder", None)
    tube: Tube | None = note("shape: hollow cylinder", None)
    sphere: Sphere | None = note("shape: solid sphere", None)
    rod: Rod | None = note("shape: slender rod (needs a mass)", None)
    massless: Flag = note("the body has no mass: only inside a chain that ends in a body with mass", False)
    position: Vec3 | None = quantity("free body: origin at the start, world; default zero", "m", None)
    orientation: Orientation | None = note("free body: axes at the start, world; none: parallel to the world", None)
    velocity: Vec3 | None = quantity("free body: velocity of the origin at the start, world axes", "m/s", None)
    angular_velocity: Vec3 | None = quantity("free body: angular velocity at the start, world axes", "rad/s", None)
    rotations: Literal["exact", "small"] = note(
        "free body: exact, of any size; small: as published for suspended platforms, plain coordinates in proportion "
        "to which its points move",
        "exact",
    )
    joint: Joint = note("how the body moves; default: freely against the world", Joint())

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_mass(self.shapes())
        self._check_inertia()
        for key in FREE_ONLY:
            if self.joint.kind != "free" and getattr(self, key) is not None:
                raise fault(f"is for free bodies; this one hangs on a {self.joint.kind} joint", at=key,
                            remedy="place it with joint.origin, joint.orientation and joint.position")  # fmt: skip
        self._check_rotations()
        return self

    def _check_rotations(self) -> None:
        if self.rotations == "exact":
            return
        if self.joint.kind != "free":
            raise fault("small rotations are for free bodies", at="rotations")
        if self.orientation is not None:
            raise fault("small rotations start at zero: the body's axes are those of the world", at="orientation")
        if any(self.com):
            raise fault(
                "must be the origin for small rotations", at="com", remedy="move the origin and all points on the body"
            )

    def _check_mass(self, shapes: list[str]) -> None:
        if len(shapes) > 1:
            raise fault(f"must have one shape only, not {' and '.join(shapes)}", at=shapes[1])
        if self.massless and (self.mass or self.density or self.inertia is not None):
            raise fault("contradicts the mass, density or inertia given", at="massless")
        if not self.massless and self.mass is None and self.density is None:
            raise fault("needs mass [kg], or a shape with density [kg/m^3], or massless: true", at="mass")
        if not self.massless and self.mass == 0:
            raise fault("must be greater than 0 [kg]", at="mass", remedy="write massless: true for a body without mass")
        if self.mass and self.density:
            raise fault("give mass or density, not both", at="density")
        if self.density and (not shapes or shapes == ["rod"]):
            raise fault("needs a shape with a volume: box, cylinder, tube or sphere", at="density")

    def _check_inertia(self) -> None:
        if self.inertia is None:
            return
        if self.shapes():
            raise fault(f"give inertia or the shape {self.shapes()[0]}, not both", at="inertia")
        tensor = self.mass_properties()[2]
        scale = np.abs(tensor).max()
        if np.abs(tensor - tensor.T).max() > 1e-9 * scale:
            raise fault("must be symmetric", at="inertia")
        if np.linalg.eigvalsh(tensor).min() < -1e-9 * scale:
            raise fault("must not have negative principal values", at="inertia")

    def shapes(self) -> list[str]:
        """Return the names of the shapes given (one at most, once checked)."""
        return [key for key in SHAPES if getattr(self, key) is not None]

    def mass_properties(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Return mass [kg], centre of mass [m] in the body frame, and inertia about it [kg m^2] in body axes."""
        com = np.array(self.com)
        if self.massless:
            return 0.0, com, np.zeros((3, 3))
        mass = self.mass or (self.density or 0.0) * self._volume()
        if self.inertia is not None:
            tensor = np.array(self.inertia)
            # planar motion depends on the inertia about y only
            tensor = np.full(3, tensor) if tensor.ndim == 0 else tensor
            return mass, com, tensor if tensor.ndim == 2 else np.diag(tensor)
        return mass, com, self._shape_inertia(mass)

    def _shape(self) -> Any:
        return self.cylinder or self.tube or self.sphere or self.rod

    def _volume(self) -> float:
        return float(np.prod(self.box)) if self.box else self._shape().volume()

    def _shape_inertia(self, mass: float) -> np.ndarray:
        if self.box:
            return box_inertia(mass, self.box)
        return self._shape().inertia(mass) if self._shape() else np.zeros((3, 3))

    def rotation(self) -> np.ndarray:
        """Return the start rotation matrix of a free body, body to world."""
        return self.orientation.rotation() if self.orientation else np.eye(3)
