"""The cable kind `mrfe`: a chain of rigid half-links with bending and axial springs."""

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from pydantic import model_validator

from taut.scenario.base import Count, Direction, NonNegative, Positive, Record, fault, note, quantity
from taut.scenario.records.laws import CableLaw, CableLawLinear

from .base import CableBase
from .guide import Guide
from .rope import Rope, filled

BY_MATERIAL = ("youngs_modulus", "damping")
BY_SECTION = ("axial_stiffness", "bending_stiffness", "axial_damping", "bending_damping")


@dataclass(frozen=True)
class Section:
    """Stiffness and inertia of a cable's cross-section, whichever way they were given."""

    radius: float  # radius of the cross-section [m]
    mass_per_length: float  # mass per unstrained length [kg/m]
    axial_stiffness: float  # axial stiffness EA [N]
    bending_stiffness: float  # bending stiffness EI [N m^2]
    axial_damping: float  # axial damping eta A [N s]
    bending_damping: float  # bending damping eta I [N m^2 s]


class ElementSprings(Record):
    """Springs and dampers of one element, given as such."""

    axial_stiffness: Positive = quantity("axial spring k_a", "N/m")
    bending_stiffness: NonNegative = quantity("bending spring k_t", "N m/rad", 0.0)
    axial_damping: NonNegative = quantity("axial damper c_a", "N s/m", 0.0)
    bending_damping: NonNegative = quantity("bending damper c_t", "N m s/rad", 0.0)


class CableMrfe(CableBase):
    """A cable of rigid finite elements from an exit point A to an anchor B on a body."""

    kind: Literal["mrfe"] = "mrfe"
    elements: Count = note("number of elements")
    via: tuple[Guide, ...] = note("what it runs over, in order from its exit to its first element", ())
    radius: Positive = quantity("radius of the cross-section", "m")
    mass_per_length: Positive | None = quantity("mass per length; or give density", "kg/m", None)
    density: Positive | None = quantity("density; or give mass_per_length", "kg/m^3", None)
    youngs_modulus: Positive | None = quantity("Young's modulus E: EA and EI follow from the radius", "Pa", None)
    damping: NonNegative | None = quantity("material damping constant eta, with youngs_modulus", "Pa s", None)
    axial_stiffness: Positive | None = quantity("EA, instead of youngs_modulus", "N", None)
    bending_stiffness: NonNegative | None = quantity("EI, with axial_stiffness; none: 0", "N m^2", None)
    axial_damping: NonNegative | None = quantity("eta A, with axial_stiffness; none: 0", "N s", None)
    bending_damping: NonNegative | None = quantity("eta I, with axial_stiffness; none: 0", "N m^2 s", None)
    element: ElementSprings | None = note("springs of one element, instead of youngs_modulus or axial_stiffness", None)
    rope: Rope | None = note(  # type: ignore
        "wire rope whose radius, mass, EA, EI (of wires that slide) and breaking load are taken where not given", None
    )
    pretension: Positive | None = quantity(
        "tension at the start, to which the unstrained length is adapted; instead of length", "N", None
    )
    breaking_load: Positive | None = quantity(
        "tension at its pulley or guides at which it breaks at its anchor in a run; none: it never breaks", "N", None
    )
    safety_factor: Positive = note("a run warns of tensions above the breaking load over this", 4.0)
    axial_law: CableLaw = note("law of the axial force", CableLawLinear())
    bending_law: CableLaw = note("law of the bending moment", CableLawLinear())
    exit_joint: Literal["transverse", "azimuth-polar"] = note(
        "axes of the first joint: across the cable's start direction (regular), or vertical first (as published)",
        "transverse",
    )
    bend_axes: Literal["alternating", "repeated"] = note(
        "order of the two bends: alternating from element to element, or the same in each (as published)", "alternating"
    )
    links: Literal["cylinders", "slender"] = note(
        "inertia of the half-links: solid cylinders of the radius, or slender rods without inertia about their axis",
        "cylinders",
    )
    exit_bending: Literal["clamped", "hinged"] = note(
        "bending spring at the exit (clamped) or none (hinged)", "clamped"
    )
    clamp_direction: Direction | None = note(
        "direction in which the exit clamp is relaxed; none: from exit to anchor at the start", None
    )

    @model_validator(mode="before")
    @classmethod
    def _by_rope(cls, data: Any) -> Any:
        return filled(data)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.pretension is not None and self.length is not None:
            raise fault("cannot go with length: the length follows from it", at="pretension")
        if self.breaking_load is not None and self.pulley is None and not self.via:
            raise fault("needs a pulley or guides, where its tension is watched", at="breaking_load")
        if (self.mass_per_length is None) == (self.density is None):
            at = "density" if self.density is not None else ""
            raise fault("needs either mass_per_length [kg/m] or density [kg/m^3], and only one of them", at=at)
        self._check_stiffness()
        if self.clamp_direction is not None and self.exit_bending == "hinged":
            raise fault("goes with exit_bending: clamped only", at="clamp_direction")
        if self.axial_law.law == "kelvin-voigt" and self.section(1.0).axial_damping == 0:
            raise fault(
                "kelvin-voigt needs damping greater than 0", at="axial_law", remedy="give damping or use law: linear"
            )
        return self

    def _check_stiffness(self) -> None:
        ways = {"youngs_modulus": BY_MATERIAL, "axial_stiffness": BY_SECTION, "element": ("element",)}
        used = [way for way, keys in ways.items() if any(getattr(self, key) is not None for key in keys)]
        if len(used) != 1:
            found = " and ".join(used) if used else "none"
            raise fault("needs its stiffness in exactly one way: youngs_modulus (with damping), axial_stiffness (with "
                        f"bending_stiffness, axial_damping, bending_damping), or element; found {found}",
                        at=used[1] if used else "")  # fmt: skip
        if getattr(self, used[0]) is None:
            lone = next(key for key in ways[used[0]] if getattr(self, key) is not None)
            raise fault(f"needs {used[0]} beside it", at=lone)

    @property
    def strength(self) -> float | None:
        """Breaking load, as given or as that of its rope [N]."""
        return self.breaking_load if self.breaking_load is not None or self.rope is None else self.rope.breaking_force

    def link_radius(self) -> float:
        """Return the radius that the half-links' inertia is taken with [m]."""
        return self.radius if self.links == "cylinders" else 0.0

    def piece_count(self) -> int:
        """Return the number of elements."""
        return self.elements

    def axial_rigidity(self, length: float) -> float:
        """Return EA [N] for an unstrained length [m]."""
        return self.section(length).axial_stiffness

    def section(self, length: float) -> Section:
        """Return the section for an unstrained length [m] (which matters for per-element springs only)."""
        area, second = np.pi * self.radius**2, np.pi * self.radius**4 / 4
        line = self.mass_per_length if self.mass_per_length is not None else (self.density or 0.0) * area
        if self.youngs_modulus is not None:
            E, eta = self.youngs_modulus, self.damping or 0.0
            return Section(self.radius, line, E * area, E * second, eta * area, eta * second)
        if self.element is not None:
            step, e = length / self.elements, self.element
            parts = (e.axial_stiffness, e.bending_stiffness, e.axial_damping, e.bending_damping)
            return Section(self.radius, line, *(step * part for part in parts))
        return Section(self.radius, line, *(getattr(self, key) or 0.0 for key in BY_SECTION))
