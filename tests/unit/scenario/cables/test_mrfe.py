"""Cables: stiffness in one of three ways, and the section they agree on."""

import math

import pytest
from pydantic import ValidationError

from taut.scenario.cables.mrfe import CableMrfe

BASE = {"name": "C", "exit": (0, 0, 1), "anchor": (0, 0, 0), "elements": 5, "radius": 2e-3}
E, ETA, LINE = 1.39e11, 2.87e9, 0.05 / 0.75
AREA, SECOND = math.pi * 4e-6, math.pi * 16e-12 / 4
STEP = 0.15
WAYS = {
    "material": {"youngs_modulus": E, "damping": ETA},
    "section": {
        "axial_stiffness": E * AREA,
        "bending_stiffness": E * SECOND,
        "axial_damping": ETA * AREA,
        "bending_damping": ETA * SECOND,
    },
    "element": {
        "element": {
            "axial_stiffness": E * AREA / STEP,
            "bending_stiffness": E * SECOND / STEP,
            "axial_damping": ETA * AREA / STEP,
            "bending_damping": ETA * SECOND / STEP,
        }
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_three_ways_agree(way):
    section = CableMrfe(**BASE, mass_per_length=LINE, **WAYS[way]).section(0.75)
    # element springs of the published robot
    assert section.axial_stiffness / STEP == pytest.approx(1.16448e7, rel=1e-5)
    assert section.bending_stiffness / STEP == pytest.approx(11.6448, rel=1e-5)
    assert section.axial_damping / STEP == pytest.approx(2.40437e5, rel=1e-5)
    assert section.bending_damping / STEP == pytest.approx(0.240437, rel=1e-5)


def test_density_or_mass_per_length():
    by_density = CableMrfe(**BASE, density=LINE / AREA, youngs_modulus=E).section(1.0)
    assert by_density.mass_per_length == pytest.approx(LINE)


REFUSED = {
    "no mass": WAYS["material"],
    "two masses": {"mass_per_length": 1, "density": 1, **WAYS["material"]},
    "no stiffness": {"mass_per_length": 1},
    "two ways": {"mass_per_length": 1, **WAYS["material"], **WAYS["element"]},
    "damping alone": {"mass_per_length": 1, "axial_damping": 1},
    "driver and body": {"mass_per_length": 1, "youngs_modulus": 1, "driver": "d", "exit_body": "b"},
    "clamp on a hinge": {
        "mass_per_length": 1,
        "youngs_modulus": 1,
        "exit_bending": "hinged",
        "clamp_direction": (0, 0, 1),
    },
    "kelvin-voigt without damping": {"mass_per_length": 1, "youngs_modulus": 1, "axial_law": {"law": "kelvin-voigt"}},
    "slack ratio": {"mass_per_length": 1, "youngs_modulus": 1, "axial_law": {"law": "bilinear", "slack_ratio": 2}},
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    with pytest.raises(ValidationError):
        CableMrfe(**BASE, **REFUSED[name])
