"""The union of cable kinds: which record a cable is, and what it takes from the defaults."""

import pytest

import taut
from taut.scenario.cables.cable import CableIdeal, CableMrfe, CableSpring, cable_keys

ENDS = {"exit": [0.0, 0.0, 2.0], "anchor": [0.0, 0.0, 0.0]}
MRFE = {"elements": 4, "radius": 1e-3, "mass_per_length": 0.1, "axial_stiffness": 1e5}


def machine(cable, defaults=None):
    data = {
        "taut": 1,
        "name": "kinds",
        "platform": {"mass": 1.0, "box": [1, 1, 1]},
        "cables": [{"name": "C", **ENDS, **cable}],
    }
    return taut.scenario.make_scenario(data | ({"defaults": {"cable": defaults}} if defaults else {}))


def test_a_cable_without_a_kind_is_a_chain():
    assert isinstance(machine(MRFE).cables[0], CableMrfe)


def test_each_kind_is_its_own_record():
    assert isinstance(machine({"kind": "spring", "axial_stiffness": 1e4}).cables[0], CableSpring)
    assert isinstance(machine({"kind": "ideal"}).cables[0], CableIdeal)


def test_a_cable_of_another_kind_takes_what_it_knows_from_the_defaults():
    cable = machine({"kind": "spring"}, MRFE | {"length": 2.5}).cables[0]
    assert (cable.length, cable.axial_stiffness, cable.radius) == (2.5, 1e5, 1e-3)
    assert machine({"kind": "ideal"}, MRFE).cables[0].radius == 1e-3


def test_defaults_can_give_the_kind():
    assert isinstance(machine({}, {"kind": "spring", "axial_stiffness": 1e4}).cables[0], CableSpring)


def test_every_kind_knows_the_common_keys():
    assert all({"name", "kind", "exit", "anchor", "length", "winch"} <= keys for keys in cable_keys().values())


REFUSED = {
    "unknown kind": ({"kind": "sprng"}, "did you mean 'spring'?"),
    "no stiffness": ({"kind": "spring"}, "needs its stiffness in exactly one way"),
    "two stiffnesses": ({"kind": "spring", "youngs_modulus": 1e9, "axial_stiffness": 1.0}, "exactly one way"),
    "modulus without radius": ({"kind": "spring", "youngs_modulus": 1e9}, "needs radius beside it"),
    "damping alone": ({"kind": "spring", "axial_damping": 1.0}, "needs axial_stiffness beside it"),
    "ideal with elements": ({"kind": "ideal", "elements": 3}, "unknown key"),
    "restitution above one": ({"kind": "ideal", "restitution": 1.5}, "must not be more than 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    cable, words = REFUSED[name]
    with pytest.raises(taut.ScenarioError, match=words.replace("?", r"\?")):
        machine(cable)
