"""The 4-4 robot at the start against the figures of [Mamidi 2024, sec. 4.2] and of the authors' parameters."""

import numpy as np
import pytest

import taut
from taut.dynamics.constraints.closures import add_closure_wrenches
from taut.dynamics.inverse import accelerations, body_wrenches, collect_forces

PAPER = "mamidi-pick-and-place-paper"


@pytest.fixture(scope="module")
def model():
    return taut.build(taut.library.load(PAPER))


def column(model, name):
    return model.tables.columns[model.names.columns.index(name)]


def test_spring_constants_are_those_of_eqs_17_and_18(model):
    stretch, bend = column(model, "C1.stretch1"), column(model, "C3.bend4.2")
    assert stretch.stiffness == pytest.approx(1.16448e7, rel=1e-5)
    assert stretch.damping == pytest.approx(2.40437e5, rel=1e-5)
    assert bend.stiffness == pytest.approx(11.6448, rel=1e-5)
    assert bend.damping == pytest.approx(0.240437, rel=2e-5)


def test_half_link_is_a_solid_cylinder_of_five_grams(model):
    node = model.tables.nodes[model.names.nodes.index("C2.stretch3")]
    assert node.mass == pytest.approx(0.005)
    assert node.inertia[[0, 5]] == pytest.approx([2.349e-6, 1e-8], rel=1e-3)


def test_first_joint_starts_at_azimuth_zero_and_polar_pi(model):
    assert column(model, "C1.bend1.1").free == 0.0
    assert column(model, "C1.bend1.2").free == pytest.approx(np.pi)


@pytest.mark.parametrize(("driven", "coordinates", "rows"), [("eliminated", 66, 12), ("multipliers", 78, 24)])
def test_sizes_and_closed_start(driven, coordinates, rows):
    model = taut.build(taut.library.load(PAPER, [f"run.driven={driven}"]))
    start = taut.start_state(model)
    assert (model.column_count, model.row_count, start.rank) == (coordinates, rows, rows)
    assert start.error < 1e-14


def test_relaxed_platform_falls_freely_at_the_first_instant(model):
    # all springs are relaxed: the platform and the cables below the first stretch fall with g
    data = taut.start_state(model).data
    taut.forward_dynamics(model, data)
    z = model.names.columns.index("platform.z")
    assert data.acceleration[z] == pytest.approx(-9.81, abs=1e-9)


def test_exit_carries_a_quarter_of_the_platform_and_one_cable(model):
    """Exit force when nothing moves against the exits, which rise with 1.5 m/s^2 at t = 0; at rest it is 1.71675 N."""
    data = taut.start_state(model).data
    accelerations(model.tables, data, np.zeros(model.column_count))
    body_wrenches(model.tables, data)
    add_closure_wrenches(model.tables, data, np.tile([0.0, 0.0, -0.5 * 9.81 / 4], 4))
    collect_forces(model.tables, data, np.zeros(model.column_count))
    exits = [i for i, name in enumerate(model.names.nodes) if name.endswith(".exit")]
    assert data.nodes["F"][exits][:, 2] == pytest.approx(1.71675 + 0.05 * 1.5, abs=1e-9)
