"""Cables whose length outside is a coordinate: stretch over wheels, drums, guides, and what is refused."""

import numpy as np
import pytest

import taut
from taut.integrate.start.start_state import start_state
from taut.model.enums import JointKind

ROPE = {"radius": 1e-3, "mass_per_length": 1e-4, "axial_stiffness": 7e5, "axial_damping": 7e3}
HOLE = {"kind": "pinhole", "point": [0.0, 0.0, 0.0]}
WHEEL = {"kind": "sheave", "point": [0.0, 0.0, 0.0], "radius": 0.1, "axis": [0, 1, 0], "side": "over"}


def hanging(place, mass=1000.0, **cable):
    """A load on a rope."""
    machine = taut.Machine("hanging")
    machine.body("load", mass=mass, joint={"kind": "point", "position": place})
    return machine, {"exit": [0, 0, 0], "body": "load", "anchor": [0, 0, 0], **ROPE, **cable}


def stretch(machine, cable, start):
    machine.cable("rope", **cable)
    return start[2] - taut.statics(taut.build(machine.scenario())).bodies["load"]["position"][2]


@pytest.mark.parametrize("elements", [2, 20])
def test_rope_over_a_swivelling_pulley_stretches_as_a_whole(elements):
    start = [0.05, 0.0, -(2.9 - np.pi * 0.025)]
    machine, cable = hanging(start, elements=elements, pulley={"radius": 0.025})
    assert stretch(machine, cable, start) == pytest.approx(1000 * 9.81 * 2.9 / 7e5, rel=1e-5)


@pytest.mark.parametrize(("guide", "length"), [(HOLE, 4.0), (WHEEL, 4.0 + 0.05 * np.pi)])
def test_rope_over_a_guide_stretches_as_a_whole(guide, length):
    # from 2 m beside the guide to 2 m below it, at tangents
    r = guide.get("radius", 0.0)
    start = [r, 0.0, -2.0]
    machine, cable = hanging(start, elements=5, via=[guide], exit=[-2.0, 0.0, r])
    assert stretch(machine, cable, start) == pytest.approx(1000 * 9.81 * length / 7e5, rel=1e-4)


@pytest.mark.parametrize("elements", [2, 10])
@pytest.mark.parametrize("lean", [0.05, 0.3])
def test_rope_that_leaves_a_leaning_sheave_hangs_plumb_and_stretches_as_a_whole(lean, elements):
    # a pull at the distance R from the axis would turn the sheave by T R cos(lean), against T R of the rope behind
    sheave = WHEEL | {"axis": [0, np.cos(lean), np.sin(lean)]}
    machine, cable = hanging([0.1, 0.0, -2.0], elements=elements, via=[sheave], exit=[-2.0, 0.0, 0.1])
    machine.cable("rope", **cable)
    rest = taut.statics(taut.build(machine.scenario()))
    rope, place = rest.cables["rope"], rest.bodies["load"]["position"]
    assert place[1] == pytest.approx(0.0, abs=1e-9)
    assert -2.0 - place[2] == pytest.approx(9810 * rope["length"] / 7e5, rel=2e-4)  # the route's length changes too
    assert rope["tension_exit"] == pytest.approx(9810.0, rel=1e-6)


@pytest.mark.nojit
@pytest.mark.parametrize("side", ["over", "under"])
@pytest.mark.parametrize("lean", [-0.2, 0.02, 0.4])
def test_a_rope_begins_where_it_leaves_a_leaning_sheave(lean, side):
    # nothing has to be closed at the start: elements and rope behind are laid on the flank of the groove
    sheave = WHEEL | {"axis": [0, np.cos(lean), np.sin(lean)], "side": side}
    machine, cable = hanging([0.4, 0.1, -2.0 if side == "over" else 2.0], elements=3, via=[sheave], exit=[-2.0, 0, 0.1])
    machine.cable("rope", **cable)
    start = start_state(taut.build(machine.scenario()))
    assert start.given_error < 1e-12


def test_the_length_is_the_root_of_its_cable():
    machine, cable = hanging([0.05, 0.0, -2.0], elements=3, pulley={"radius": 0.025})
    machine.cable("rope", **cable)
    model = taut.build(machine.scenario())
    (feed,) = model.tables.feeds
    assert model.tables.nodes["kind"][feed.node] == JointKind.FEED
    assert model.names.nodes[feed.last_node] == "rope.stretch3"
    assert (model.tables.columns["feed"][feed.column + 1 : feed.last_column + 1] == len(model.tables.signals)).all()


REFUSED = [
    ({"via": [WHEEL | {"inertia": 0.1}]}, "inertia"),
    ({"via": [{"kind": "sheave", "radius": 0.1, "point": [0, 0, 0]}]}, "needs an axis"),
    ({"via": [HOLE], "axial_law": {"law": "polynomial", "coefficients": [1e5, 1e5]}}, "rope there is linear"),
]


@pytest.mark.parametrize(("keys", "message"), REFUSED)
def test_what_does_not_go_is_refused(keys, message):
    machine, cable = hanging([0.1, 0.0, -2.0], elements=3, **({"exit": [-2.0, 0.0, 0.1]} | keys))
    machine.cable("rope", **cable)
    with pytest.raises(taut.ScenarioError, match=message):
        taut.build(machine.scenario())
