"""Laws of the scenario as plain numbers: of a joint coordinate, and of one cable element."""

from typing import Any

from taut.build.tree import Spring
from taut.model.enums import LawKind

KINDS = {
    "linear": LawKind.LINEAR,
    "kelvin-voigt": LawKind.LINEAR,
    "bilinear": LawKind.BILINEAR,
    "polynomial": LawKind.POLYNOMIAL,
    "standard-linear-solid": LawKind.STANDARD_LINEAR_SOLID,
    "backlash": LawKind.BACKLASH,
}


def joint_spring(law: Any) -> Spring:
    """A joint's law."""
    if law is None:
        return Spring()
    kind = KINDS[law.law]
    if kind == LawKind.BILINEAR:
        return Spring(kind, law.stiffness, law.damping, law.free, (law.slack_stiffness,))
    if kind == LawKind.BACKLASH:
        return Spring(kind, law.stiffness, law.damping, law.free, (law.gap,))
    if kind == LawKind.POLYNOMIAL:
        first, *rest = law.coefficients
        return Spring(kind, first, law.damping, law.free, tuple(rest))
    if kind == LawKind.STANDARD_LINEAR_SOLID:
        return Spring(kind, law.stiffness, 0.0, law.free, (law.branch_stiffness, law.branch_damping))
    return Spring(kind, law.stiffness, law.damping, law.free)


def element_spring(law: Any, stiffness: float, damping: float, length: float, free: float) -> Spring:
    """A cable's law for one element of a given length.

    Args:
        law: the cable's axial or bending law.
        stiffness: EA [N] or EI [N m^2].
        damping: eta A [N s] or eta I [N m^2 s].
        length: unstrained length of the element [m].
        free: coordinate of the relaxed element [m] or [rad].
    """
    kind = KINDS[law.law]
    k, d = stiffness / length, damping / length
    if kind == LawKind.BILINEAR:
        return Spring(kind, k, d, free, (law.slack_ratio * k,))
    if kind == LawKind.POLYNOMIAL:
        # c_i strain^i with strain = stretch / length
        scaled = [stiffness * c / length ** (i + 1) for i, c in enumerate(law.coefficients)]
        return Spring(kind, scaled[0], d, free, tuple(scaled[1:]))
    if kind == LawKind.STANDARD_LINEAR_SOLID:
        branch = law.branch_ratio * k
        return Spring(kind, k, d, free, (branch, branch * law.branch_time))
    return Spring(kind, k, d, free)
