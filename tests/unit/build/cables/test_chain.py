"""How cables are laid out: tight, stretched, sagging, in the plane, on a moving body."""

import numpy as np
import pytest

import taut
from taut.build.cables.chain import turn_of
from taut.build.cables.shape import bend_angles, start_directions
from taut.model.enums import JointKind

BENDS = [JointKind.BEND_XY, JointKind.BEND_YX, JointKind.UNIVERSAL]
CABLE = {"radius": 2e-3, "mass_per_length": 0.05, "youngs_modulus": 1e9, "damping": 1e7, "elements": 6}


def hanging(*, length=None, planar=False, **cable):
    machine = taut.Machine("hanging", planar=planar)
    machine.platform(mass=1.0, box=[0.2, 0.2, 0.2], position=[0.3, 0.0, -1.0])
    keys = {"exit": [0.0, 0.0, 0.0], "anchor": [0.0, 0.0, 0.1], "length": length, **CABLE, **cable}
    machine.cable("C1", **keys)
    return taut.build(machine.scenario())


@pytest.mark.parametrize("kind", BENDS)
def test_angles_turn_the_frame_to_the_direction(kind):
    rng = np.random.default_rng(3)
    for d in rng.normal(size=(20, 3)):
        assert turn_of(kind, bend_angles(kind, d))[:, 2] == pytest.approx(d / np.linalg.norm(d))


def test_a_sagging_arc_spans_the_chord():
    chord = np.array([3.0, 0.0, -1.0])
    directions = start_directions(chord, 5.0, 8, np.array([-1.0, 0.0, -3.0]) / np.sqrt(10.0))
    assert np.sum(directions, axis=0) * 5.0 / 8 == pytest.approx(chord)
    assert directions[0][2] < chord[2] / np.linalg.norm(chord)


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize("length", [None, 0.9, 1.3])
def test_every_start_closes_at_once(length, planar):
    start = taut.start_state(hanging(length=length, planar=planar))
    assert start.given_error < 1e-12


@pytest.mark.parametrize("exit_joint", ["transverse", "azimuth-polar"])
@pytest.mark.parametrize("clamp", [None, [0, 0, -1], [1, 0, 0]])
def test_clamp_direction_does_not_change_the_start(exit_joint, clamp):
    model = hanging(exit_joint=exit_joint, clamp_direction=clamp)
    assert taut.start_state(model).given_error < 1e-12


def test_planar_cable_has_two_coordinates_per_element():
    model = hanging(planar=True)
    assert model.column_count == 3 + 2 * CABLE["elements"]
    assert model.row_count == 2


def test_hinged_exit_has_no_spring():
    model = hanging(exit_bending="hinged")
    columns = model.tables.columns
    assert columns["stiffness"][[model.names.columns.index(f"C1.bend1.{k}") for k in (1, 2)]].tolist() == [0, 0]


def test_mass_of_the_cable_is_kept():
    model = hanging(length=2.0)
    cable = [i for i, name in enumerate(model.names.nodes) if name.startswith("C1.")]
    assert model.tables.nodes["mass"][cable].sum() == pytest.approx(2.0 * CABLE["mass_per_length"])


@pytest.mark.parametrize(("exit_joint", "kind"), [("transverse", "BEND_XY"), ("azimuth-polar", "BEND_YX")])
def test_bend_axes_repeat_from_the_second_element_on(exit_joint, kind):
    model = hanging(exit_joint=exit_joint, bend_axes="repeated")
    bends = [i for i, name in enumerate(model.names.nodes) if ".bend" in name][1:]
    assert set(model.tables.nodes["kind"][bends]) == {JointKind[kind]}


def test_slender_links_have_no_inertia_about_their_axis():
    model = hanging(links="slender", length=1.2)
    node = model.tables.nodes[model.names.nodes.index("C1.stretch2")]
    across = 0.005 * 0.1**2 / 12
    assert node.inertia == pytest.approx([across, 0, 0, across, 0, 0])


def test_slender_links_do_not_turn_about_a_vertical_exit_axis():
    with pytest.raises(taut.ScenarioError, match="C1.bend1.1 moves no mass"):
        taut.start_state(hanging(links="slender", exit_joint="azimuth-polar", exit=[0.3, 0.0, 0.0]))
