"""Cables without mass, which only pull: `spring` stretches, `ideal` does not."""

from typing import Literal, Self

import numpy as np
from pydantic import model_validator

from taut.scenario.base import Fraction, Name, NonNegative, Positive, fault, note, quantity
from taut.scenario.cables.rope import Rope

from .base import CableBase
from .guide import Guide

BY_MATERIAL = ("youngs_modulus", "damping")
BY_SECTION = ("axial_stiffness", "axial_damping")


class CableMassless(CableBase):
    """A cable without mass, which may run over guides."""

    via: tuple[Guide, ...] = note("what it runs over, in order from its exit to its anchor", ())
    anchor_winch: Name | None = note(
        "driver of the kind winch, with a drum, on which its other end is wound, at the anchor; none: it is fixed", None
    )
    breaking_load: Positive | None = quantity(
        "tension at which it breaks in a run: it is gone from then on; none: it never breaks", "N", None
    )
    safety_factor: Positive = note("a run warns of tensions above the breaking load over this", 4.0)

    @property
    def strength(self) -> float | None:
        """Breaking load, as given or as that of its rope [N]."""
        rope = getattr(self, "rope", None)
        return self.breaking_load if self.breaking_load is not None or rope is None else rope.breaking_force


class CableSpring(CableMassless):
    """A cable without mass that stretches: its tension is EA/L (way - L) + eta A/L d(way - L)/dt, or none.

    It never pushes: neither its spring when the cable is longer than the distance, nor its damper.
    """

    kind: Literal["spring"]
    radius: Positive | None = quantity("radius of the cross-section; none: not needed, or drawn thin", "m", None)
    youngs_modulus: Positive | None = quantity("Young's modulus E: EA follows from the radius", "Pa", None)
    damping: NonNegative | None = quantity("material damping constant eta, with youngs_modulus", "Pa s", None)
    axial_stiffness: Positive | None = quantity("EA, instead of youngs_modulus", "N", None)
    axial_damping: NonNegative | None = quantity("eta A, with axial_stiffness or rope; none: 0", "N s", None)
    pretension: Positive | None = quantity(
        "tension at the start, to which the unstrained length is adapted; instead of length", "N", None
    )
    rope: Rope | None = note("wire rope whose EA and radius are taken, instead of youngs_modulus", None)  # type: ignore

    @model_validator(mode="after")
    def _check(self) -> Self:
        ways = {"youngs_modulus": BY_MATERIAL, "axial_stiffness": BY_SECTION, "rope": ("rope",)}
        if self.rope is not None:
            ways["axial_stiffness"] = ("axial_stiffness",)
        used = [way for way, keys in ways.items() if any(getattr(self, key) is not None for key in keys)]
        if len(used) != 1:
            found = " and ".join(used) if used else "none"
            raise fault("needs its stiffness in exactly one way: youngs_modulus (with radius and damping), "
                        f"axial_stiffness or rope (with axial_damping); found {found}",
                        at=used[1] if used else "")  # fmt: skip
        if getattr(self, used[0]) is None:
            lone = next(key for key in ways[used[0]] if getattr(self, key) is not None)
            raise fault(f"needs {used[0]} beside it", at=lone)
        if self.pretension is not None and self.length is not None:
            raise fault("cannot go with length: the length follows from it", at="pretension")
        if self.youngs_modulus is not None and self.radius is None:
            raise fault("needs radius beside it", at="youngs_modulus")
        return self

    def axial_rigidity(self, length: float) -> float:
        """Return EA [N]."""
        del length
        if self.rope is not None:
            return self.rope.axial_stiffness
        return (self.youngs_modulus or 0.0) * self._area() if self.axial_stiffness is None else self.axial_stiffness

    def axial_viscosity(self) -> float:
        """Return eta A [N s]."""
        return (self.damping or 0.0) * self._area() if self.youngs_modulus is not None else self.axial_damping or 0.0

    def _area(self) -> float:
        return np.pi * (self.radius or 0.0) ** 2


class CableIdeal(CableMassless):
    """A cable without mass that does not stretch: taut, it holds its ends at its length; slack, it does nothing."""

    kind: Literal["ideal"]
    radius: Positive | None = quantity("radius of the cross-section, for pictures; none: drawn thin", "m", None)
    restitution: Fraction = note("share of the speed with which the ends part again when the cable snaps taut", 0.0)
