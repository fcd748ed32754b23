"""What a Ritz cable becomes: reference tensions by statics, columns, rows, tables."""

import numpy as np
import pytest

from taut.build import build
from taut.build.cables.ritz_integrals import ritz_integrals, shapes
from taut.scenario.builder import Machine

ROPE = {"kind": "ritz", "modes": 2, "mass_per_length": 1.0, "axial_stiffness": 1e6}


def hanging(places, **keys):
    """A platform on ropes at some places."""
    machine = Machine("hanging")
    machine.platform(mass=100, inertia=[10, 10, 10], com=[0.1, 0, 0], position=[0, 0, -10])
    for k, (x, y) in enumerate(places):
        machine.cable(f"C{k}", exit=[x, y, 0], anchor=[x, y, 0], **ROPE, **keys)
    return build(machine.scenario())


def test_reference_tensions_balance_the_weight_about_its_centre():
    model = hanging([(1, 0), (-1, 1), (-1, -1)])
    tension, weight = model.tables.ritz["tension"], 981.0
    x = model.tables.ritz["start"][:, 0]
    assert tension.sum() == pytest.approx(weight) and (tension * x).sum() == pytest.approx(0.1 * weight)


def test_a_given_reference_tension_is_taken():
    assert hanging([(1, 0), (-1, 0)], reference_tension=7.0).tables.ritz["tension"].tolist() == [7.0, 7.0]


def test_columns_and_rows_have_names():
    model = hanging([(1, 0)], turn_stiffness=1.0, turn_inertia=1.0, lateral_modes=1)
    assert model.names.columns[6:] == ("C0.u1", "C0.turn1", "C0.u2", "C0.turn2", "C0.x1", "C0.y1")
    assert model.names.rows == ("C0.anchor.x", "C0.anchor.y", "C0.anchor.axis1", "C0.pull.z")
    assert hanging([(1, 0)], lateral_modes=0).names.rows == ("C0.pull.z",)


def test_integrals_are_those_of_the_shapes():
    found, x = ritz_integrals(4), np.linspace(0, 1, 20001)
    eta, slope = shapes(4, x)
    weights = np.full(len(x), x[1])
    weights[[0, -1]] /= 2
    assert np.allclose(found.G, (slope.T * weights * (1 - x) ** 2) @ slope, rtol=0, atol=1e-5)
    assert np.allclose(found.b, eta.T @ (weights * (1 - x)), rtol=0, atol=1e-8)
    assert np.allclose(found.slopes, shapes(4, found.points)[1])
