"""The 4-4 cable robot of [Mamidi 2024, sec. 4.2] against a dense solve on Pinocchio's M, h and J."""

import numpy as np
import pytest

from compare import relative_error
from engine import place, placed, residual
from reference.dynamics import solve_kkt
from taut import library
from taut.bench.pinocchio_tree import PinocchioTree
from taut.build import build
from taut.dynamics.forward import forward
from taut.dynamics.tree.positions import move
from taut.model import new_factor

pytestmark = pytest.mark.peers

TIME = 1.3  # a time at which the exits rise [s]
states = pytest.mark.parametrize("seed", range(5))
sizes = pytest.mark.parametrize("elements", [5, 20])


def robot(elements, driven):
    return build(library.load("mamidi-pick-and-place", [f"defaults.cable.elements={elements}", f"run.driven={driven}"]))


def steps_of(model, seed):
    """Position and velocity steps from the start, by column name: bends of 0.1 rad, stretches of 0.1 mm."""
    rng = np.random.default_rng(seed)
    names = [name for name in model.names.columns if ".exit" not in name]
    sizes = [1e-4 if "stretch" in name else 0.1 for name in names]
    return dict(zip(names, (sizes * rng.normal(size=(2, len(names)))).T, strict=True))


def exit_steps(model, data):
    """Names, displacements and rates of exits held by multipliers, as their driver has moved them."""
    moved = data.signals[:, :2] - [[value, 0.0] for value in placed(model, time=0.0).signals[:, 0]]
    for closure in model.tables.closures:
        for k, j in enumerate(closure.signal):
            if j >= 0:
                yield model.names.columns[model.tables.nodes[closure.node_a].column + k], moved[j]


def forward_at(model, steps):
    """Forward dynamics at the start plus given steps."""
    data = placed(model, time=TIME)
    still = dict.fromkeys(model.names.columns, (0.0, 0.0))
    steps = {**still, **steps, **dict(exit_steps(model, data))}
    dq, data.v[:] = np.array([steps[name] for name in model.names.columns]).T
    move(model.tables, model.start_coordinates, dq, data.q)
    place(model, data)
    assert forward(model.tables, data, new_factor(model)) == model.row_count
    return data


@states
@sizes
def test_accelerations_and_multipliers(elements, seed):
    model = robot(elements, "multipliers")
    data = forward_at(model, steps_of(model, seed))
    peer = PinocchioTree(model).place(data)
    J, bias = peer.closure_rows(data.signals)
    a, lam = solve_kkt(peer.mass_matrix(), J, data.force - peer.inverse(0 * data.v), bias)
    assert model.row_count == 24 and model.column_count == 4 * (3 * elements + 3) + 6
    assert relative_error(data.acceleration, a) < 1e-9
    assert relative_error(data.lam, lam) < 1e-9


@states
@sizes
def test_constraint_dynamics_of_pinocchio(elements, seed):
    """The computation of Pinocchio that the benchmark times gives our accelerations and multipliers."""
    model = robot(elements, "multipliers")
    data = forward_at(model, steps_of(model, seed))
    peer = PinocchioTree(model)
    assert relative_error(peer.constraint_dynamics(data)(1), data.acceleration) < 1e-8
    lam = np.concatenate([contact.oMc1.rotation @ contact.contact_force.linear for contact in peer.contacts])
    assert relative_error(lam, data.lam) < 1e-8


@states
@sizes
def test_multipliers_agree_with_elimination(elements, seed):
    held, eliminated = robot(elements, "multipliers"), robot(elements, "eliminated")
    steps = steps_of(held, seed)
    by_multipliers, driven = forward_at(held, steps), forward_at(eliminated, steps)
    columns = [held.names.columns.index(name) for name in eliminated.names.columns]
    anchors = [held.names.rows.index(name) for name in eliminated.names.rows]
    assert eliminated.row_count == 12 and eliminated.column_count == held.column_count - 12
    assert relative_error(driven.acceleration, by_multipliers.acceleration[columns]) < 1e-9
    assert relative_error(driven.lam, by_multipliers.lam[anchors]) < 1e-9


@states
@sizes
def test_exit_multiplier_is_what_the_driver_transmits(elements, seed):
    held, eliminated = robot(elements, "multipliers"), robot(elements, "eliminated")
    steps = steps_of(held, seed)
    lam, driven = forward_at(held, steps).lam, forward_at(eliminated, steps)
    residual(eliminated, driven, driven.acceleration)
    for cable in held.names.cables:
        exits = [held.names.rows.index(f"{cable}.exit.{axis}") for axis in "xyz"]
        force = driven.nodes[eliminated.names.nodes.index(f"{cable}.exit")].F
        assert relative_error(force, lam[exits], scale=abs(lam).max()) < 1e-9
