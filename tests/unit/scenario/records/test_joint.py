"""Joints: one entry per coordinate, defaults by kind, what a kind does not have."""

import pytest
from pydantic import ValidationError

from taut.scenario.records.joint import JOINT_SIZES, Joint
from taut.scenario.records.laws import Friction, LawLinear

REFUSED = {
    "axis on a ball": {"kind": "spherical", "axis": [0, 0, 1]},
    "axes on a hinge": {"kind": "revolute", "axes": [[1, 0, 0], [0, 1, 0]]},
    "axes not square": {"kind": "universal", "axes": [[1, 0, 0], [1, 1, 0]]},
    "one axis": {"kind": "universal", "axes": [[1, 0, 0]]},
    "free on a body": {"kind": "free", "parent": "boom"},
    "free with origin": {"kind": "free", "origin": [0, 0, 0]},
    "free with position": {"kind": "free", "position": [0, 0, 0, 1, 0, 0, 0]},
    "spring on nothing": {"kind": "fixed", "spring": {"stiffness": 1}},
    "number for two": {"kind": "universal", "position": 1.0},
    "three for four": {"kind": "spherical", "position": [1, 0, 0]},
    "zero quaternion": {"kind": "spherical", "position": [0, 0, 0, 0]},
    "seven": {"kind": "planar", "force": [0] * 7},
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    with pytest.raises(ValidationError):
        Joint(**REFUSED[name])


@pytest.mark.parametrize("kind", JOINT_SIZES)
def test_one_entry_per_coordinate(kind):
    joint = Joint(kind=kind)
    for entries in (joint.rates(), joint.springs(), joint.frictions(), joint.forces()):
        assert len(entries) == JOINT_SIZES[kind]


def test_one_for_all_or_one_each():
    assert Joint(kind="universal", spring={"stiffness": 2}).springs() == (LawLinear(stiffness=2),) * 2
    joint = Joint(kind="universal", spring=[None, {"stiffness": 2}], friction=[{"viscous": 1}, None], force=["t", 3])
    assert joint.springs() == (None, LawLinear(stiffness=2))
    assert joint.frictions() == (Friction(viscous=1), None)
    assert joint.forces() == ("t", 3.0)


def test_signal_record_as_force_of_all():
    force = Joint(kind="point", force={"kind": "sine", "amplitude": 1, "omega": 2}).forces()
    assert len(force) == 3 and force[0].omega == 2


def test_defaults_by_kind():
    assert Joint(kind="planar").main_axis() == (0, -1, 0)
    assert Joint(kind="revolute").main_axis() == (0, 0, 1)
    assert Joint(kind="universal").both_axes() == ((1, 0, 0), (0, 1, 0))
    assert Joint(kind="spherical").coordinates() == (1, 0, 0, 0)
    assert Joint(kind="revolute", position=0.5).coordinates() == (0.5,)
