"""Ritz cables as the audit finds them against the engine's, at random states with lengths and exits that move."""

from dataclasses import replace

import numpy as np
import pytest

import ritz_machines
from audit_points import random_point
from engine import place
from faults import plants_results as R
from faults import plants_tables as T
from faults.plant import faulted, load, run
from taut.audit.equations import LIMIT, LIMIT_ROPES, equations_line
from taut.audit.ritz.channels import energies as rope_energies
from taut.audit.ritz.forces import rope_columns
from taut.audit.ritz.ropes import at, rule, waves
from taut.audit.scenario import build_line
from taut.audit.twin import energies
from taut.audit.twin.motion import covered, evaluate_motion
from taut.build.cables.ritz_integrals import ritz_integrals
from taut.build.cables.ritz_shapes import ReducedRitz, RitzShapes, turned
from taut.dynamics.energy import elastic_energy, gravity_energy, kinetic_energy


def check_residual(model, seed):
    """Balances and closures of the audit are those of the engine."""
    points, data, expected = random_point(model, seed)
    motion = evaluate_motion(model, points)
    assert covered(model).all()
    np.testing.assert_allclose(motion.residual[0], expected, atol=1e-12 * motion.parts.max())
    np.testing.assert_allclose(motion.rows.errors[0, 0], data.rows["value"], atol=1e-12)
    np.testing.assert_allclose(motion.rows.errors[1, 0], data.rows["rate"], atol=1e-12)
    return points, data, motion


@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("sort", ritz_machines.SORTS)
def test_residual_is_that_of_the_engine(sort, is_linear):
    for seed in range(3):
        check_residual(ritz_machines.suspended(sort, seed, is_linear=is_linear), seed)


@pytest.mark.parametrize("sort", ritz_machines.SORTS)
def test_energies_are_those_of_the_engine(sort):
    model = ritz_machines.suspended(sort)
    points, data, motion = check_residual(model, 0)
    place(model, data)
    found = rope_energies(model, points, motion.signals)
    found["kinetic"] += energies.kinetic(model, points, motion)
    found["gravity"] += energies.gravity(model, motion)
    assert found["kinetic"][0] == pytest.approx(kinetic_energy(model.tables, data), rel=1e-11)
    assert found["gravity"][0] == pytest.approx(gravity_energy(model.tables, data), rel=1e-11)
    assert found["elastic"][0] == pytest.approx(elastic_energy(model.tables, data), rel=1e-11)


def test_a_reduced_cable_is_the_engines(monkeypatch):
    made, plain = {}, ritz_machines.cable_spec

    def reduced_spec(builder, rng, sort, *, is_linear):
        spec = plain(builder, rng, sort, is_linear=is_linear)
        own = np.random.default_rng(len(made))
        shapes = RitzShapes(turned(own.normal(size=(3, 2))), turned(own.normal(size=(4, 2))), True)
        made[f"rope {len(made)}"] = ReducedRitz(shapes)
        return shapes.of(spec)

    monkeypatch.setattr(ritz_machines, "cable_spec", reduced_spec)
    small = ritz_machines.suspended("all fields, actual tension")
    check_residual(replace(small, reduced=made), 0)


@pytest.mark.parametrize("count", [1, 12, 40, 200])
def test_the_rule_is_exact_for_products_of_modes(count):
    x, weights = rule(2 * count + 20)
    eta, slope, _ = waves(count, x)
    expected = ritz_integrals(count)
    found = at(np.eye(count), (weights[:, None] * (1.0 - x)[:, None] ** 2 * slope).T @ slope)
    assert found == pytest.approx(expected.G, abs=1e-11 * expected.G.max())
    assert (weights * (1.0 - x) * eta.T) @ slope == pytest.approx(expected.B, abs=1e-11 * np.abs(expected.B).max())


PLANTS = {
    "mass": ("line_density", 1.0001),
    "stiffness": ("axial_stiffness", 1.0001),
    "coupling": ("coupling", -1.0),
    "torsion": ("turn_stiffness", 1.0001),
    "turning mass": ("turn_inertia", 1.0001),
    "damping": ("axial_damping", 1.0001),
    "lateral damping": ("lateral_damping", 1.0001),
    "tension at rest": ("tension", 1.0001),
    "length": ("length", 1.0001),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_wrong_number_of_one_cable_is_seen(name):
    column, factor = PLANTS[name]
    model = ritz_machines.suspended("all fields, actual tension")
    points, _, expected = random_point(faulted(model, T.scaled("ritz", column, factor, T.row(1))), 0)
    motion = evaluate_motion(model, points)
    wrong = np.abs(motion.residual[0] - expected) > 1e-8 * motion.parts[0]
    assert wrong[rope_columns(model)].any()
    assert not wrong[model.tables.columns["node"] == model.tables.ritz["node"][0]].any()


@pytest.mark.parametrize(("is_stage", "limit"), [(True, LIMIT), (False, LIMIT_ROPES)])
def test_cables_are_judged_more_strictly_at_states(is_stage, limit):
    model = ritz_machines.suspended("as published")
    points, _, _ = random_point(model, 0)
    motion = evaluate_motion(model, points)
    line = equations_line(model, points, motion, 1, "here", is_stage=is_stage)
    assert (line["verdict"], line["limit"]) == ("fail", limit)


@pytest.mark.parametrize("column", ["line_density", "axial_stiffness", "coupling", "turn_damping", "start"])
def test_a_cable_that_is_not_the_scenarios_fails(column):
    model, times = load("wang-suspension"), np.linspace(0.1, 5.0, 9)
    assert build_line(model, times)["verdict"] == "pass"
    line = build_line(faulted(model, T.scaled("ritz", column, 1.01, T.row(0))), times)
    assert line["verdict"] == "fail" and "C1" in line["reason"]


@pytest.mark.parametrize(
    "channel", [None, "cable_tension", "cable_torque", "exit_force", "cable_nodes", "energy_gravity"]
)
def test_channels_are_derived_anew(channel):
    model = load("wang-suspension", ["defaults.cable.modes=3"])
    plant = R.scaled(channel, 1.00001) if channel else None
    line = run(model, 0.1, of_arrays=plant).audit["channels"]
    assert (line["verdict"], line.get("wrong")) == (("fail", [channel]) if channel else ("pass", None))
