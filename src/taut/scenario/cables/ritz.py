"""The cable kind `ritz`: assumed modes on a varying length, for long cables that hang nearly vertically."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictInt, model_validator

from taut.scenario.base import NonNegative, Number, Positive, Record, fault, note, quantity
from taut.scenario.signals.records import Signal

from .base import CableBase

MOST_MODES = 200
Modes = Annotated[StrictInt, Field(ge=1, le=MOST_MODES)]
LateralModes = Annotated[StrictInt, Field(ge=0, le=MOST_MODES)]


class Excitation(Record):
    """How the sheave, and with it the exit point, is displaced."""

    x: Signal | None = quantity("displacement along x; none: it stays", "m", None)
    y: Signal | None = quantity("displacement along y", "m", None)
    z: Signal | None = quantity("displacement along z, up", "m", None)
    inertia: Literal["consistent", "paper"] = note(
        "consistent: the whole cable moves up and down with its exit; paper: its end alone does, without inertia "
        "(a driving error of the winch)",
        "consistent",
    )


class CableRitz(CableBase):
    """A long cable that hangs nearly vertically: longitudinal, torsional and lateral fields in assumed modes.

    Its length is measured at the reference tension; below it, the cable has gone slack when its end would push.
    """

    kind: Literal["ritz"]
    modes: Modes = note("modes of the longitudinal and of the torsional field", 10)
    lateral_modes: LateralModes | None = note("modes of each lateral field; 0: none; none: as many as modes", None)
    mass_per_length: Positive = quantity("mass per length", "kg/m")
    axial_stiffness: Positive = quantity("tension per strain, Q1", "N")
    turn_stiffness: Positive | None = quantity("torque per twist, Q4; none: no torsional field", "N m^2", None)
    turn_inertia: Positive | None = quantity("moment of inertia per length, with turn_stiffness", "kg m", None)
    coupling: Number = quantity("tension per twist and torque per strain, Q2 = Q3: lay of a wire rope", "N m", 0.0)
    axial_damping: NonNegative = quantity("material damping of the strain rate", "N s", 0.0)
    lateral_damping: NonNegative = quantity("material damping of the slope's rate", "N s", 0.0)
    turn_damping: NonNegative = quantity("material damping of the twist rate", "N m^2 s", 0.0)
    lateral_tension: Literal["actual", "static"] = note(
        "tension that stiffens the lateral motion: the actual one, with the strain of a cable that leans; or, as "
        "published, that of the reference state",
        "actual",
    )
    reference_tension: NonNegative | None = quantity(
        "tension at the anchor in the reference state, from which strains count; none: the cable's share of the "
        "weight it carries",
        "N",
        None,
    )
    radius: Positive | None = quantity("radius of the cross-section, for pictures; none: drawn thin", "m", None)
    restitution: Annotated[NonNegative, Field(le=1)] = note(
        "share of the speed with which cable end and anchor part again when the cable snaps taut", 0.0
    )
    excitation: Excitation = note("motion of the exit point", Excitation())

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.driver is not None or self.exit_body is not None:
            key = "driver" if self.driver is not None else "exit_body"
            raise fault("is not for ritz cables: their exits are fixed in the world", at=key,
                        remedy="give excitation for small motions of the exit, or use kind: mrfe")  # fmt: skip
        if self.pulley is not None:
            raise fault("is not for ritz cables", at="pulley", remedy="use kind: mrfe")
        if (self.turn_stiffness is None) != (self.turn_inertia is None):
            at = "turn_stiffness" if self.turn_stiffness is not None else "turn_inertia"
            raise fault("a torsional field needs turn_stiffness and turn_inertia", at=at)
        if self.turn_stiffness is None and (self.coupling or self.turn_damping):
            at = "coupling" if self.coupling else "turn_damping"
            raise fault("needs turn_stiffness and turn_inertia beside it", at=at)
        if self.turn_stiffness is not None and self.coupling**2 >= self.axial_stiffness * self.turn_stiffness:
            raise fault("is too large: coupling^2 must be less than axial_stiffness times turn_stiffness, or the cable "
                        "would give energy when it is stretched and twisted", at="coupling")  # fmt: skip
        return self

    def lateral_count(self) -> int:
        """Return the number of modes of each lateral field."""
        return self.modes if self.lateral_modes is None else self.lateral_modes

    def piece_count(self) -> int:
        """Return the number of modes, a measure of effort."""
        return 2 * self.modes + 2 * self.lateral_count()

    def axial_rigidity(self, length: float) -> float:
        """Return the tension per strain [N]."""
        del length
        return self.axial_stiffness

    def signals(self) -> dict[str, Any]:
        """Return the signals of the exit's motion, by their keys."""
        return {f"excitation.{key}": spec for key in "xyz" if (spec := getattr(self.excitation, key)) is not None}
