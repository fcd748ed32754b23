"""Wire ropes by their class: mass, metallic area and breaking force from the factors of EN 12385-4.

With the diameter d in mm and the grade R in N/mm^2: mass W d^2/100 kg/m, metallic area C d^2 mm^2, minimum breaking
force K d^2 R/1000 kN [Feyrer 2015, Table 1.9]. The modulus counts on the metallic area and is that of a rope that is
bedded in, as EN 1993-1-11 has it; a new rope has 10 to 20 % less.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, ValidationError, create_model

from .base import Positive, Record, note, quantity

GPa = 1e9
STEEL_CORE, FIBRE_CORE = 100 * GPa, 80 * GPa
LEAST_GRADE, HIGHEST_GRADE = 1570, 2160


class Factors(NamedTuple):
    """Factors of a class of ropes: mass W, metallic area C, breaking force K, and Young's modulus on the metal [Pa]."""

    W: float
    C: float
    K: float
    E: float


CLASSES = {
    "6x7-FC": Factors(0.345, 0.369, 0.332, FIBRE_CORE),
    "6x19-FC": Factors(0.359, 0.384, 0.330, FIBRE_CORE),
    "6x36-FC": Factors(0.367, 0.393, 0.330, FIBRE_CORE),
    "8x19-FC": Factors(0.340, 0.349, 0.293, FIBRE_CORE),
    "8x36-FC": Factors(0.348, 0.357, 0.293, FIBRE_CORE),
    "18x7-FC": Factors(0.382, 0.408, 0.328, FIBRE_CORE),
    "6x7-IWRC": Factors(0.384, 0.432, 0.359, STEEL_CORE),
    "6x19-IWRC": Factors(0.400, 0.449, 0.356, STEEL_CORE),
    "6x36-IWRC": Factors(0.409, 0.460, 0.356, STEEL_CORE),
    "8x19-IWRC": Factors(0.407, 0.457, 0.356, STEEL_CORE),
    "8x36-IWRC": Factors(0.417, 0.468, 0.356, STEEL_CORE),
    "18x7-WSC": Factors(0.401, 0.433, 0.328, STEEL_CORE),
    "34x7-WSC": Factors(0.401, 0.428, 0.318, STEEL_CORE),
}
Grade = Annotated[float, Field(ge=LEAST_GRADE, le=HIGHEST_GRADE)]


class RopeSize(Record):
    """A wire rope by its class, its diameter and its grade."""

    diameter: Positive = quantity("nominal diameter", "m")
    grade: Grade = quantity("rope grade", "N/mm^2", 1770.0)

    @property
    def factors(self) -> Factors:
        """Factors of the rope's class for mass, area and strength."""
        return CLASSES[getattr(self, "class")]

    @property
    def mass_per_length(self) -> float:
        """Mass per length [kg/m]."""
        return self.factors.W * (1e3 * self.diameter) ** 2 / 100.0

    @property
    def metal_area(self) -> float:
        """Metallic area [m^2]."""
        return self.factors.C * self.diameter**2

    @property
    def axial_stiffness(self) -> float:
        """EA of a rope that is bedded in [N]."""
        return self.factors.E * self.metal_area

    @property
    def bending_stiffness(self) -> float:
        """EI of a rope whose n wires slide on each other, E A^2/(4 pi n): the least it has [N m^2]."""
        strands, wires = getattr(self, "class").split("-")[0].split("x")
        return self.factors.E * self.metal_area**2 / (4.0 * math.pi * int(strands) * int(wires))

    @property
    def breaking_force(self) -> float:
        """Minimum breaking force [N]."""
        return self.factors.K * (1e3 * self.diameter) ** 2 * self.grade


# the key "class" is a keyword of Python, so it cannot be written as a field
_class: Any = {"class": (Literal[tuple(CLASSES)], note("class of EN 12385-4: strands x wires, core"))}
Rope = create_model("Rope", __base__=RopeSize, __doc__=RopeSize.__doc__, **_class)


def filled(data: Any) -> Any:
    """Keys of a cable of elements with what its rope says of those that are not given."""
    if not isinstance(data, Mapping) or not isinstance(data.get("rope"), Mapping | RopeSize):
        return data
    try:
        rope = Rope.model_validate(data["rope"])
    except ValidationError:
        # the rope itself is wrong: fill the other keys, so that they are not reported as missing too
        return {"radius": 1.0, "mass_per_length": 1.0, "axial_stiffness": 1.0, **data}
    found = {"radius": 0.5 * rope.diameter}
    if "density" not in data:
        found["mass_per_length"] = rope.mass_per_length
    if "youngs_modulus" not in data and "element" not in data:
        found |= {"axial_stiffness": rope.axial_stiffness, "bending_stiffness": rope.bending_stiffness}
    return found | dict(data)
