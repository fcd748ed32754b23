"""Guides of cables with mass: what they cannot have yet is refused, not left out."""

import pytest

import taut
from taut.scenario.errors import ScenarioError

SHEAVE = {"kind": "sheave", "point": [0.5, 0, 3.0], "radius": 0.1, "axis": [0, 1, 0], "side": "over"}


def hung(guide):
    """A box on a cable of elements over one guide."""
    machine = taut.Machine("hung")
    machine.platform(mass=10.0, box=[0.2, 0.2, 0.2], position=[0, 0, 0])
    machine.cable("C1", exit=[0, 0, 2.0], anchor=[0, 0, 0.1], kind="mrfe", elements=2, radius=2e-3, mass_per_length=0.1,
                  youngs_modulus=1e10, damping=1e6, via=[guide])  # fmt: skip
    return machine.scenario()


@pytest.mark.parametrize(
    ("key", "value"), [("friction", 0.2), ("efficiency", 0.9), ("inertia", 0.1), ("bearing", {"friction": 0.1})]
)
def test_friction_and_inertia_of_a_sheave_are_refused(key, value):
    bearing = {"radius": 0.01, **value} if key == "bearing" else value
    with pytest.raises(ScenarioError, match=rf"via\[0\].{key}.*without mass"):
        taut.build(hung({**SHEAVE, key: bearing}))


def test_a_guide_without_a_kind():
    with pytest.raises(ScenarioError, match="needs kind: one of pinhole, sheave"):
        hung({"point": [0.5, 0, 3.0]})


def test_a_plain_sheave_is_built():
    assert "C1.length" in taut.build(hung(SHEAVE)).names.columns
