"""What cables without mass are built of, and what they refuse."""

import numpy as np
import pytest

import taut
from taut.dynamics.residual import consistent_accelerations
from taut.integrate.start.start_state import start_state
from taut.model import new_factor
from taut.scenario import make_scenario

SPRING = {"kind": "spring", "axial_stiffness": 1e4}
IDEAL = {"kind": "ideal"}
DRUM = {"W": {"kind": "winch", "drum": {"radius": 0.1, "inertia": 0.02, "brake": 100.0}}}


def machine(cable, **parts):
    data = {"taut": 1, "name": "massless", "platform": {"mass": 2.0, "box": [0.2, 0.2, 0.2], "position": [0, 0, 1]}}
    cable = {"name": "C", "exit": [0, 0, 3], "anchor": [0, 0, 0.1], **cable}
    return make_scenario(data | {"cables": [cable], "run": {"duration": 0.3}} | parts)


def test_a_spring_is_a_tether_without_coordinates():
    model = taut.build(machine(SPRING | {"axial_damping": 5.0, "length": 1.8}))
    tether = model.tables.tethers[model.names.tethers["C"]]
    assert (tether.length, tether.stiffness, tether.damping, tether.coupled) == (1.8, 1e4, 5.0, -1)
    assert model.column_count == 6
    assert model.row_count == 0


def test_an_ideal_cable_is_one_row():
    model = taut.build(machine(IDEAL))
    assert model.names.rows == ("C.length",)
    assert model.tables.closures[model.names.distances["C"]].start == pytest.approx(1.9)


def test_the_stiffness_may_come_from_the_material():
    model = taut.build(machine({"kind": "spring", "youngs_modulus": 1e11, "damping": 1e8, "radius": 1e-3}))
    assert model.tables.tethers[0].stiffness == pytest.approx(1e11 * 3.14159265358979e-6)
    assert model.tables.tethers[0].damping == pytest.approx(1e8 * 3.14159265358979e-6)


def test_a_drum_is_a_coordinate_of_its_own():
    model = taut.build(machine(SPRING | {"winch": "W"}, drivers=DRUM))
    assert model.names.columns[-1] == "C.drum"
    assert model.tables.columns[-1].armature == pytest.approx(2.0)
    assert model.tables.tethers[0].coupled == 0


def test_a_drum_pays_out_a_cable_that_does_not_stretch():
    model = taut.build(machine(IDEAL | {"winch": "W"}, drivers=DRUM))
    assert model.names.rows == ("C.length",)
    assert [int(node) for node in model.tables.ends["guide"]] == [1, 2]


def test_a_pulley_at_the_exit_is_a_guide_with_a_radius():
    model = taut.build(machine(SPRING | {"pulley": {"radius": 0.1}, "exit": [0.5, 0, 3]}))
    assert model.names.guides == {"C.exit": (0,)}
    assert model.tables.tethers[0].length == pytest.approx(
        0.1 * model.tables.sheaves[0].wrap + np.hypot(0.4, 1.9) - 1, 2
    )


def test_a_wheel_with_inertia_cuts_a_rope_into_two_pieces():
    wheel = {"kind": "sheave", "point": [1, 0, 3], "radius": 0.2, "axis": [0, 1, 0], "inertia": 0.1}
    model = taut.build(machine(IDEAL | {"exit": [2, 0, 1], "via": [wheel]}))
    assert model.names.routes == {"C": (0, 1)}
    assert model.names.guides == {"C.1": (1, 2)}
    assert model.names.rows == ("C.1.length", "C.2.length")
    assert model.names.columns[-1] == "C.sheave1"


@pytest.mark.nojit
def test_a_wheel_on_a_bearing_does_not_turn_the_body_that_carries_it():
    """Atwood's machine on a hinged carrier: a = (m2 - m1) g / (m1 + m2 + J/R^2), and the carrier rests."""
    m1, m2, R, J = 3.0, 5.0, 0.2, 0.04
    found = taut.Machine("hinged")
    for name, mass, x in (("light", m1, -R), ("heavy", m2, R)):
        found.body(name, mass=mass, joint={"kind": "prismatic", "origin": [x, 0, -3]})
    hinge = {"kind": "revolute", "axis": [0, 1, 0]}
    found.body("carrier", mass=1.0, inertia=[0.1, 0.1, 0.1], joint=hinge)
    found.cable("rope", kind="ideal", exit=[0, 0, 0], exit_body="light", body="heavy", anchor=[0, 0, 0],
                via=[{"kind": "sheave", "body": "carrier", "radius": R, "axis": [0, 1, 0], "side": "over",
                      "inertia": J}])  # fmt: skip
    model = taut.build(found)
    data = start_state(model).data
    consistent_accelerations(model.tables, data, new_factor(model))
    a = (m2 - m1) * 9.81 / (m1 + m2 + J / R**2)
    assert data.acceleration == pytest.approx([a, -a, 0.0, a / R], abs=1e-9)


TRAJECTORY = {"D": {"kind": "trajectory", "offset": [0, 0, "0.1*sin(t)"], "enforce": "multipliers"}}
REFUSED = {
    "force": (IDEAL | {"driver": "D"}, {"drivers": {"D": {"kind": "force", "force": [0, 0, 20]}}}, "without mass"),
    "multipliers": (SPRING | {"driver": "D"}, {"drivers": TRAJECTORY}, "use enforce: eliminated"),
    "no direction": (SPRING | {"exit": [0, 0, 1.1]}, {}, "has no length"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    cable, parts, words = REFUSED[name]
    with pytest.raises(taut.ScenarioError, match=words):
        taut.build(machine(cable, **parts))


def test_ends_may_meet_where_the_cable_is_slack():
    assert taut.build(machine(SPRING | {"exit": [0, 0, 1.1], "length": 1.0})).column_count == 6
