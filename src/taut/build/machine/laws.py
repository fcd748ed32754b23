"""Laws of the scenario as plain numbers: of a joint coordinate, and of one cable element."""

from typing import Any

from taut.build.tree import Spring
from taut.model.laws import KINDS


def joint_spring(law: Any) -> Spring:
    """The law of a joint, as numbers of the tables."""
    if law is None:
        return Spring()
    numbers = law.numbers()
    return Spring(KINDS[law.law], numbers.stiffness, numbers.damping, law.free, numbers.parameters)


def element_spring(law: Any, stiffness: float, damping: float, length: float, free: float) -> Spring:
    """A cable's law for one element of a given length.

    Args:
        law: the cable's axial or bending law.
        stiffness: EA [N] or EI [N m^2].
        damping: eta A [N s] or eta I [N m^2 s].
        length: unstrained length of the element [m].
        free: coordinate of the relaxed element [m] or [rad].
    """
    numbers = law.element(stiffness / length, damping / length, length)
    return Spring(KINDS[law.law], numbers.stiffness, numbers.damping, free, numbers.parameters)
