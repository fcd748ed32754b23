"""What the columns of Ritz cables need, by virtual work along the cable.

With the fields of ``ritz``, shapes eta_j of a column and Gauss's rule, a column needs
    int m X'' eta_j - rho g eta_j + [(stress) + (damping) (rate of slope)] eta_j,xi / l  dy                        (1)
where rho g is the longitudinal field's alone. What leaning adds to the strain, where the actual tension counts, is
summed with as many points as the model has: there the rule is a part of the model. What [Wang2018] assumes is taken
over: damping acts on the rates of the coordinates, and ``paper`` exits move the cable's end alone.
"""

import numpy as np

from taut.audit.ritz.ropes import Ropes, at, families
from taut.audit.twin.points import Points
from taut.model import Model


def rope_forces(points: Points, found: list[Ropes]) -> dict[str, np.ndarray]:
    """Forces of the cables on their columns, by where they come from [point, column]."""
    total: dict[str, np.ndarray] = {}
    for here in found:
        for name, needed in needs(here).items():
            total.setdefault(name, np.zeros_like(points.v))[:, here.family.columns] = -needed
    return total


def rope_gross(points: Points, found: list[Ropes]) -> np.ndarray:
    """Stresses of the cables without regard to signs [point, column]."""
    total = np.zeros_like(points.v)
    for here in found:
        total[:, here.family.columns] = gross(here)
    return total


def rope_columns(model: Model) -> np.ndarray:
    """Whether a column is one of a Ritz cable [column]."""
    found = np.zeros(model.column_count, bool)
    for family in families(model):
        found[family.columns] = True
    return found


def needs(here: Ropes) -> dict[str, np.ndarray]:
    """Forces of the columns by Eq. (1), by where they come from [point, cable, column]."""
    densities, dampers = pair(here, "line_density", "turn_inertia"), pair(here, "axial_damping", "turn_damping")
    rho, across = here.number("line_density")[:, None], here.number("lateral_damping")[:, None]
    L, r = here.length[0][..., None, None], here.inverse[0][..., None, None]
    rest = here.rest
    stress = rest + here.stresses(*here.modal_strains)
    weight = np.zeros_like(stress)
    weight[:, :, 0] = (-here.gravity * rho * L)[:, :, 0]
    slope_rates = at(here.lateral[1], here.across[1]) * r
    found = {
        "cable inertia": work(here, 0, densities * L * here.down[2], rho * L * here.aside[2]),
        "cable weight": work(here, 0, weight, 0.0 * here.aside[0]),
        "cable strain": work(here, 1, stress, rest[:, :, :1] * here.leans),
        "cable damper": work(here, 1, dampers * here.slopes(1), across * slope_rates),
    }
    return found | ({"cable leaning": leaning_needs(here.with_model_rule())} if here.is_leaning else {})


def leaning_needs(here: Ropes) -> np.ndarray:
    """What leaning adds to Eq. (1) [point, cable, column]."""
    tension = here.stresses(*here.strains)[:, :, :1]
    return work(here, 1, here.stresses(here.leaning, 0.0 * here.leaning), tension * here.leans)


def pair(here: Ropes, along: str, around: str) -> np.ndarray:
    """Numbers for displacement and turn [cable, field, 1]."""
    return np.stack([here.number(along), here.number(around)], axis=1)[:, : here.family.fields]


def work(here: Ropes, order: int, axial: np.ndarray, lateral: np.ndarray) -> np.ndarray:
    """Virtual work of fields on shapes, or on their slopes [point, cable, column]."""
    found = np.zeros((*axial.shape[:2], here.family.column_count))
    found[..., here.family.axial_columns] = at(axial, (here.weights[:, None] * here.along[order]).T)
    found[..., here.family.lateral_columns] = at(lateral, (here.weights[:, None] * here.across[order]).T)
    return found


def gross(here: Ropes) -> np.ndarray:
    """Virtual work of stresses without regard to signs: what may cancel leaves rounding [point, cable, column]."""
    leaning = here.leaning
    stress = np.abs(here.rest) + np.abs(here.stresses(*here.modal_strains))
    stress = stress + np.abs(here.stresses(leaning, 0.0 * leaning))
    tight = stress[:, :, :1] * np.abs(here.leans)
    found = np.zeros((*stress.shape[:2], here.family.column_count))
    found[..., here.family.axial_columns] = at(stress, (here.weights[:, None] * np.abs(here.along[1])).T)
    found[..., here.family.lateral_columns] = at(tight, (here.weights[:, None] * np.abs(here.across[1])).T)
    return found
