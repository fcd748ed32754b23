"""Axes across a cable belong to the machine: they turn with it, and never vanish."""

import numpy as np
import pytest

import taut
from taut.scenario.records.orientation import rotation_from_vector

CABLE = {"radius": 2e-3, "mass_per_length": 0.05, "youngs_modulus": 1e9, "damping": 1e7, "elements": 3}
EXITS = [[0.4, 0.3, 2.0], [-0.5, 0.2, 2.1], [0.1, -0.6, 2.2]]
ANCHORS = [[0.1, 0.0, 0.1], [-0.1, 0.1, 0.1], [0.0, -0.1, 0.1]]


def robot(R, *, is_relabelled=False, exits=EXITS, **keys):
    """The machine turned by R with its platform, or with the platform's points written in axes that did not turn."""
    machine = taut.Machine("turned", gravity=(R @ [0, 0, -9.81]).tolist())
    orientation = {} if is_relabelled else {"orientation": {"matrix": R.tolist()}}
    machine.platform(mass=1.0, sphere={"radius": 0.1}, position=(R @ [0, 0, 0.5]).tolist(), **orientation)
    turn = R if is_relabelled else np.eye(3)
    for k, (point, anchor) in enumerate(zip(exits, ANCHORS, strict=False)):
        machine.cable(f"C{k}", exit=(R @ point).tolist(), anchor=(turn @ anchor).tolist(), **{**CABLE, **keys})
    return taut.build(machine.scenario())


def first_frames(model):
    """World frames of the first bends; all exits are in the world."""
    return [
        model.tables.nodes[i].rotation.reshape(3, 3) for i, n in enumerate(model.names.nodes) if n.endswith("bend1")
    ]


@pytest.mark.parametrize("is_relabelled", [False, True])
@pytest.mark.parametrize("exits", [EXITS, [[0.1, 0.0, 2.0], [-0.1, 0.1, 2.0], [0.0, -0.1, 2.0]]])
def test_axes_turn_with_the_machine(is_relabelled, exits):
    for vector in np.random.default_rng(5).normal(size=(8, 3)):
        R = rotation_from_vector(vector)
        straight = first_frames(robot(np.eye(3), exits=exits))
        turned = first_frames(robot(R, exits=exits, is_relabelled=is_relabelled))
        assert np.array(turned) == pytest.approx(R @ np.array(straight), abs=1e-13)


def test_vertical_cables_of_a_rectangle_bend_about_its_sides():
    model = taut.build(taut.library.load("mamidi-pick-and-place"))
    for frame in first_frames(model):
        assert frame == pytest.approx(np.diag([-1.0, 1.0, -1.0]), abs=1e-12)


@pytest.mark.parametrize("position", [[0, 0, -1], [1, 0, 0], [0, 1, 0], [0, 1e-9, -1], [3, 1, -1]])
@pytest.mark.parametrize("gravity", [[0, 0, -9.81], [0, 0, 0]])
def test_a_single_cable_has_axes_in_every_direction(position, gravity):
    machine = taut.Machine("one cable", gravity=gravity)
    machine.body("load", mass=1.0, joint={"kind": "point", "position": position})
    machine.cable("C", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], **CABLE)
    (frame,) = first_frames(taut.build(machine.scenario()))
    assert frame.T @ frame == pytest.approx(np.eye(3), abs=1e-14)
    assert frame[:, 2] == pytest.approx(np.array(position) / np.linalg.norm(position))


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_a_rope_on_a_trolley_bends_about_the_line_across_the_rail(angle):
    rail = [np.cos(angle), np.sin(angle), 0.0]
    machine = taut.Machine("trolley").body("load", mass=1.0, joint={"kind": "point", "position": [0, 0, -1]})
    machine.driver("T", kind="trolley", mass=2.0, axis=rail)
    machine.cable("C", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], driver="T", **CABLE)
    (frame,) = first_frames(taut.build(machine.scenario()))
    assert frame[:, 1] == pytest.approx([-np.sin(angle), np.cos(angle), 0.0])


def test_a_slack_vertical_cable_sags_along_a_line_of_the_machine():
    R = rotation_from_vector(np.array([0.0, 0.0, 0.7]))
    exits = [[0.1, 0.0, 2.0], [-0.1, 0.1, 2.0], [0.0, -0.1, 2.0]]
    starts = [robot(turn, exits=exits, length=2.0).start_coordinates for turn in (np.eye(3), R)]
    cables = slice(7, None)  # behind the platform's coordinates
    assert starts[1][cables] == pytest.approx(starts[0][cables], abs=1e-12)
