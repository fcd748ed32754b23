"""Material laws: of a joint coordinate (force from displacement and rate) and of a cable (force from strain).

x is the coordinate minus its free position. F is the restoring force, so -F acts on the coordinate. Units are
N and m for sliding, N m and rad for turning coordinates.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Discriminator, Field, Tag

from taut.scenario.base import Fraction, NonNegative, Number, Positive, Record, note, quantity

Coefficients = Annotated[tuple[Number, ...], Field(min_length=1, max_length=8)]


def _law_tag(value: Any) -> Any:
    """A law without a name is linear."""
    return value.get("law", "linear") if isinstance(value, Mapping) else getattr(value, "law", "linear")


class Numbers(NamedTuple):
    """A law as the engine's tables have it; ``parameter`` in ``model/tables.py`` says what the parameters are."""

    stiffness: float
    damping: float = 0.0
    parameters: tuple[float, ...] = ()


class LawLinear(Record):
    """F = stiffness x + damping dx/dt."""

    law: Literal["linear"] = "linear"
    stiffness: NonNegative = quantity("stiffness", "N/m or N m/rad")
    damping: NonNegative = quantity("viscous damping", "N s/m or N m s/rad", 0.0)
    free: Number = quantity("coordinate at which the spring is relaxed", "m or rad", 0.0)

    def numbers(self) -> Numbers:
        """Return the law as numbers."""
        return Numbers(self.stiffness, self.damping)


class LawKelvinVoigt(Record):
    """Spring and damper side by side, as `linear` with the damping stated."""

    law: Literal["kelvin-voigt"]
    stiffness: NonNegative = quantity("stiffness", "N/m or N m/rad")
    damping: Positive = quantity("viscous damping", "N s/m or N m s/rad")
    free: Number = quantity("coordinate at which the spring is relaxed", "m or rad", 0.0)

    def numbers(self) -> Numbers:
        """Return the law as numbers."""
        return Numbers(self.stiffness, self.damping)


class LawBilinear(Record):
    """Linear above the free position; below it only slack_stiffness acts and no damping (a rope: nothing)."""

    law: Literal["bilinear"]
    stiffness: NonNegative = quantity("stiffness for x > 0", "N/m or N m/rad")
    damping: NonNegative = quantity("viscous damping for x > 0", "N s/m or N m s/rad", 0.0)
    free: Number = quantity("coordinate at which the spring is relaxed", "m or rad", 0.0)
    slack_stiffness: NonNegative = quantity("stiffness for x < 0", "N/m or N m/rad", 0.0)

    def numbers(self) -> Numbers:
        """Return the law as numbers."""
        return Numbers(self.stiffness, self.damping, (self.slack_stiffness,))


class LawPolynomial(Record):
    """F = k1 x + k2 x^2 + ... + damping dx/dt."""

    law: Literal["polynomial"]
    coefficients: Coefficients = quantity("[k1, k2, ...], at most 8", "N/m^i or N m/rad^i")
    damping: NonNegative = quantity("viscous damping", "N s/m or N m s/rad", 0.0)
    free: Number = quantity("coordinate at which the spring is relaxed", "m or rad", 0.0)

    def numbers(self) -> Numbers:
        """Return the law as numbers."""
        first, *rest = self.coefficients
        return Numbers(first, self.damping, tuple(rest))


class LawStandardLinearSolid(Record):
    """Long-term spring beside a Maxwell branch (spring and damper in series)."""

    law: Literal["standard-linear-solid"]
    stiffness: NonNegative = quantity("long-term stiffness", "N/m or N m/rad")
    branch_stiffness: Positive = quantity("spring of the branch", "N/m or N m/rad")
    branch_damping: Positive = quantity("damper of the branch", "N s/m or N m s/rad")
    free: Number = quantity("coordinate at which the spring is relaxed", "m or rad", 0.0)

    def numbers(self) -> Numbers:
        """Return the law as numbers."""
        return Numbers(self.stiffness, 0.0, (self.branch_stiffness, self.branch_damping))


class LawBacklash(Record):
    """Linear beyond a gap to either side of the free position; inside the gap nothing acts."""

    law: Literal["backlash"]
    stiffness: Positive = quantity("stiffness beyond the gap", "N/m or N m/rad")
    gap: Positive = quantity("free play to either side", "m or rad")
    damping: NonNegative = quantity("viscous damping beyond the gap", "N s/m or N m s/rad", 0.0)
    free: Number = quantity("coordinate in the middle of the gap", "m or rad", 0.0)

    def numbers(self) -> Numbers:
        """Return the law as numbers."""
        return Numbers(self.stiffness, self.damping, (self.gap,))


Law = Annotated[
    Annotated[LawLinear, Tag("linear")]
    | Annotated[LawKelvinVoigt, Tag("kelvin-voigt")]
    | Annotated[LawBilinear, Tag("bilinear")]
    | Annotated[LawPolynomial, Tag("polynomial")]
    | Annotated[LawStandardLinearSolid, Tag("standard-linear-solid")]
    | Annotated[LawBacklash, Tag("backlash")],
    Discriminator(_law_tag),
]


class Friction(Record):
    """Against motion: (coulomb + stiction exp(-(v / stribeck_velocity)^2)) sign(v) + viscous v.

    At standstill dry friction holds whatever is less than coulomb + stiction, and nothing moves.
    """

    coulomb: NonNegative = quantity("dry friction", "N or N m", 0.0)
    viscous: NonNegative = quantity("viscous friction", "N s/m or N m s/rad", 0.0)
    velocity_scale: Positive = quantity(
        "rate at which dry friction is nearly full where it is smoothed: non-smooth methods", "m/s or rad/s", 1e-3
    )
    stiction: NonNegative = quantity("dry friction at standstill beyond the sliding one", "N or N m", 0.0)
    stribeck_velocity: Positive = quantity("rate at which stiction has faded to 1/e", "m/s or rad/s", 1e-2)


class CableLawLinear(Record):
    """N = EA strain + CA d(strain)/dt, in tension and in compression (a cable may push; buckling relieves it)."""

    law: Literal["linear"] = "linear"

    def element(self, k: float, d: float, length: float) -> Numbers:
        """Return the law of an element of a length [m] with stiffness k and damping d of its stretch or bend."""
        return Numbers(k, d)


class CableLawKelvinVoigt(Record):
    """The law `linear` with a damping of the cable that must not be zero."""

    law: Literal["kelvin-voigt"]

    def element(self, k: float, d: float, length: float) -> Numbers:
        """Return the law of an element of a length [m] with stiffness k and damping d of its stretch or bend."""
        return Numbers(k, d)


class CableLawBilinear(Record):
    """N = EA strain in tension, slack_ratio EA strain in compression; damping in tension only."""

    law: Literal["bilinear"]
    slack_ratio: Fraction = note("stiffness in compression over stiffness in tension", 0.0)

    def element(self, k: float, d: float, length: float) -> Numbers:
        """Return the law of an element of a length [m] with stiffness k and damping d of its stretch or bend."""
        return Numbers(k, d, (self.slack_ratio * k,))


class CableLawPolynomial(Record):
    """N = EA (c1 strain + c2 strain^2 + ...) + CA d(strain)/dt."""

    law: Literal["polynomial"]
    coefficients: Coefficients = note("[c1, c2, ...], dimensionless, at most 8; c1 is 1 unless EA is to be scaled")

    def element(self, k: float, d: float, length: float) -> Numbers:
        """Return the law of an element of a length [m] with stiffness k and damping d of its stretch or bend."""
        # force = sum of c_i strain^i with strain = stretch
        # length; for bending, curvature = angle
        # length
        first, *rest = (k * c / length**i for i, c in enumerate(self.coefficients))
        return Numbers(first, d, tuple(rest))


class CableLawStandardLinearSolid(Record):
    """N = EA strain + Maxwell branch with the spring branch_ratio EA and the relaxation time branch_time."""

    law: Literal["standard-linear-solid"]
    branch_ratio: Positive = note("spring of the branch over the long-term stiffness")
    branch_time: Positive = quantity("relaxation time of the branch (its damper over its spring)", "s")

    def element(self, k: float, d: float, length: float) -> Numbers:
        """Return the law of an element of a length [m] with stiffness k and damping d of its stretch or bend."""
        branch = self.branch_ratio * k
        return Numbers(k, d, (branch, branch * self.branch_time))


CableLaw = Annotated[
    Annotated[CableLawLinear, Tag("linear")]
    | Annotated[CableLawKelvinVoigt, Tag("kelvin-voigt")]
    | Annotated[CableLawBilinear, Tag("bilinear")]
    | Annotated[CableLawPolynomial, Tag("polynomial")]
    | Annotated[CableLawStandardLinearSolid, Tag("standard-linear-solid")],
    Discriminator(_law_tag),
]
