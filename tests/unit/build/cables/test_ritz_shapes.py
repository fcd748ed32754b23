"""Reduced Ritz cables: shapes, and that a reduced cable is the full one where its coordinates say."""

from dataclasses import replace

import numpy as np
import pytest

import ritz_machines
from engine import place, placed
from taut.build.cables.ritz_shapes import RitzShapes, turned
from taut.dynamics.energy import dissipated_power, elastic_energy, gravity_energy, input_power, kinetic_energy
from taut.dynamics.residual import residual

ENERGIES = (kinetic_energy, gravity_energy, elastic_energy, dissipated_power, input_power)


def shapes_for(spec, rng):
    counts = (min(2, spec.modes), min(2, spec.lateral))
    axial, lateral = (
        turned(rng.normal(size=(n, r))) if n else np.zeros((0, 0))
        for n, r in zip((spec.modes, spec.lateral), counts, strict=True)
    )
    return RitzShapes(axial, lateral, spec.has_torsion)


def test_turned_shapes_are_orthonormal_and_share_no_elastic_energy():
    found = turned(np.random.default_rng(0).normal(size=(7, 3)))
    k = (2 * np.arange(1, 8) - 1) * np.pi / 2
    stiffness = found.T @ (k[:, None] ** 2 * found)
    assert found.T @ found == pytest.approx(np.eye(3), abs=1e-14)
    assert stiffness - np.diag(np.diag(stiffness)) == pytest.approx(np.zeros((3, 3)), abs=1e-12 * stiffness.max())


@pytest.mark.parametrize("sort", ritz_machines.SORTS)
def test_a_reduced_cable_is_the_full_one_projected(sort, monkeypatch):
    full = ritz_machines.suspended(sort)
    made, plain = [], ritz_machines.cable_spec

    def reduced_spec(builder, rng, sort, *, is_linear):
        spec = plain(builder, rng, sort, is_linear=is_linear)
        made.append(shapes_for(spec, np.random.default_rng(len(made))))
        return made[-1].of(spec)

    monkeypatch.setattr(ritz_machines, "cable_spec", reduced_spec)
    small = ritz_machines.suspended(sort)
    V = np.eye(6)
    for shapes in made:
        W = shapes.matrix()
        V = np.block([[V, np.zeros((len(V), W.shape[1]))], [np.zeros((len(W), V.shape[1])), W]])
    rng = np.random.default_rng(5)
    here, there = placed(small), placed(full)
    n, m = small.column_count, full.column_count
    assert (m, n) == V.shape
    v, a, lam = 0.3 * rng.normal(size=n), rng.normal(size=n), rng.normal(size=small.row_count)
    here.q[7:] = 0.2 * rng.normal(size=n - 6)
    there.q[:7], there.q[7:] = here.q[:7], V[6:, 6:] @ here.q[7:]
    here.v[:], there.v[:] = v, V @ v
    found, expected = np.zeros(n), np.zeros(m)
    for model, data, acceleration, result in ((small, here, a, found), (full, there, V @ a, expected)):
        place(model, data)
        data.lam[:] = lam
        residual(model.tables, data, acceleration, data.lam, result)
    assert found == pytest.approx(V.T @ expected, rel=1e-11, abs=1e-10 * np.abs(expected).max())
    for energy in ENERGIES:
        assert energy(small.tables, here) == pytest.approx(energy(full.tables, there), rel=1e-11)


def test_as_many_shapes_as_modes_change_nothing():
    rng, builder = np.random.default_rng(0), ritz_machines.TreeBuilder()
    spec = ritz_machines.cable_spec(builder, rng, "as published", is_linear=True)
    whole = RitzShapes(np.eye(3), np.eye(3), True)
    assert replace(whole.of(spec), axial_shapes=None, lateral_shapes=None) == spec
    assert whole.matrix() == pytest.approx(np.eye(12), abs=0)
    assert [spec.labels()[k][0] for part in whole.groups() for k in range(12)[part]] == list("uuutttxxxyyy")
