"""Cranes: the engine against closed forms, the closed forms against each other, and published statements."""

from dataclasses import replace

import numpy as np
import pytest

from compare import relative_error
from taut.analyses.cranes import PlanarCrane, actuated_inertia, modes, structure
from taut.dynamics.forward import forward
from taut.model import new_factor
from taut.verify.cranes.crane_engine import (
    CRANES,
    bias_error,
    columns_of,
    engine_crane,
    engine_matrices,
    make_crane,
    mass_matrix_error,
    random_state,
    skew_error,
)

G = 9.81


def free_state(crane, seed):
    q, v, _ = random_state(crane, seed)
    return q, v


@pytest.mark.parametrize("kind", CRANES)
@pytest.mark.parametrize("count", [1, 2, 3, 6, 13, 50])
@pytest.mark.parametrize("lengths", ["fixed", "free", "driven", "mixed"])
def test_engine_is_the_closed_form(kind, count, lengths):
    assert mass_matrix_error(kind, count, lengths) < 1e-12
    assert bias_error(kind, count, lengths) < 1e-12


@pytest.mark.parametrize("kind", CRANES)
@pytest.mark.parametrize("angles", ["relative", "absolute"])
@pytest.mark.parametrize("count", range(1, 7))
def test_coriolis_is_that_of_christoffel(kind, angles, count):
    assert skew_error(kind, count, angles) < 1e-12


@pytest.mark.parametrize("count", range(1, 7))
def test_absolute_angles_are_another_set_of_coordinates(count):
    relative, absolute = make_crane("planar", count), make_crane("planar", count, angles="absolute")
    q, v = free_state(relative, count)
    T = np.eye(relative.size)
    T[1 : 1 + count, 1 : 1 + count] = np.tril(np.ones((count, count)))  # [Brogliato2022, Eq. 155]
    M, C = relative.mass_matrix(q), relative.coriolis(q, v)
    inverse_T = np.linalg.inv(T)
    assert relative_error(absolute.mass_matrix(T @ q), inverse_T.T @ M @ inverse_T) < 1e-12  # Eq. 157
    assert relative_error(absolute.coriolis(T @ q, T @ v), inverse_T.T @ C @ inverse_T) < 1e-12
    assert relative_error(absolute.gravity_forces(T @ q), inverse_T.T @ relative.gravity_forces(q)) < 1e-12


def test_one_link_is_equation_194():
    crane = PlanarCrane(20.0, (5.0,))
    m, m_1, (q, v) = 20.0, 5.0, free_state(crane, 4)
    (_, s, l), (_, w, u) = q, v  # noqa: E741
    M = [
        [m + m_1, m_1 * l * np.cos(s), m_1 * np.sin(s)],
        [m_1 * l * np.cos(s), m_1 * l**2, 0],
        [m_1 * np.sin(s), 0, m_1],
    ]
    h = [m_1 * (2 * u * w * np.cos(s) - l * w**2 * np.sin(s)), 2 * m_1 * u * l * w + m_1 * G * l * np.sin(s),
         -m_1 * G * np.cos(s) - m_1 * l * w**2]  # fmt: skip
    assert relative_error(crane.mass_matrix(q), np.array(M)) < 1e-13
    assert relative_error(crane.bias(q, v), np.array(h)) < 1e-13


@pytest.mark.parametrize("count", [2, 3, 5])
def test_coriolis_term_that_lemma_4_gets_wrong(count):
    """The term with dl_1/dt in the last angle's row is +2 m_N l_N l_1' theta_1' cos(theta_2 + ... + theta_N)."""
    crane = make_crane("planar", count)
    q, v = free_state(crane, count)
    v[2 + count :] = 0.0  # only the first length changes
    with_hoist = crane.coriolis(q, v) @ v
    still = v.copy()
    still[1 + count] = 0.0
    term = (with_hoist - crane.coriolis(q, still) @ still)[count]
    m, l_N, angle = crane.masses[-1], q[-1], np.sum(q[2 : 1 + count])
    right = 2 * m * l_N * v[1 + count] * v[1] * np.cos(angle)
    published = -2 * m * l_N * v[1 + count] * np.sum(v[2 : 1 + count]) * np.cos(angle)  # Eq. 186
    assert term == pytest.approx(right, rel=1e-11)
    assert abs(term - published) > 0.1 * abs(term)
    # the engine's velocity terms agree with the corrected ones
    assert relative_error(engine_matrices(crane, (q, v, 0.0 * v))[1], crane.bias(q, v)) < 1e-12


def test_modes_of_the_double_pendulum_crane():
    found, _ = modes(PlanarCrane(20.0, (10.0, 50.0)), (8.0, 2.0))
    assert found == pytest.approx([1.0043185575, 5.9815419613], rel=1e-10)
    rolling, _ = modes(PlanarCrane(20.0, (10.0, 50.0)), (8.0, 2.0), trolley="free")
    assert rolling[0] == pytest.approx(0.0, abs=1e-6) and len(rolling) == 3


@pytest.mark.parametrize("kind", CRANES)
@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_structure_in_the_plane_and_in_space(kind, count):
    """Items 1-8 of Lemma 1, the misprint of item 3 put right."""
    found = structure(make_crane(kind, count), np.linspace(1.0, 2.0, count))
    assert found.is_positive_definite and found.length_coupling_vertical < 1e-14
    assert found.length_coupling_order == pytest.approx(1.0, abs=1e-2)
    assert count == 1 or found.length_block_order == pytest.approx(2.0, abs=1e-2)
    assert found.length_diagonal_error < 1e-13
    assert found.rail_angle_least > 1e-3 and found.angle_coupling_least > 1e-4
    assert found.rail_angle_across < 1e-14 and found.angle_coupling_across < 1e-14
    assert found.linear_in_lengths < 1e-13
    assert found.coriolis_vertical > 0.1
    assert found.massless_rank_vertical == 1
    assert found.massless_rank == min(count, 2 if kind == "planar" else 3)
    if count > 1:
        growth = np.diff(np.log10(found.condition))
        assert growth[-1] == pytest.approx(1.0, abs=0.05)  # inversely with the nodes' masses


def test_remark_13():
    crane = PlanarCrane(20.0, (0.0, 3.0))
    q = np.array([0.0, 0.4, 0.3, 1.0, 2.0])
    block = crane.mass_matrix(q)[3:, 3:]
    assert np.linalg.det(block) == pytest.approx(9.0 * (1.0 - np.cos(0.3) ** 2), rel=1e-12)


@pytest.mark.parametrize("kind", CRANES)
def test_feedback_linearisation(kind):
    """The inertia of the actuated coordinates is positive definite, and by it the forces give what is wanted."""
    crane = replace(make_crane(kind, 3), lengths=("free", "fixed", "fixed"))
    q, v = free_state(crane, 5)
    actuated = [*range(crane.rail_count), crane.size - crane.count]
    inertia = actuated_inertia(crane, q, actuated)
    assert np.linalg.eigvalsh(inertia).min() > 0.0
    wanted = np.arange(1.0, 1.0 + len(actuated))
    chosen = [list(crane.kept()).index(k) for k in actuated]
    others = [k for k in range(len(crane.kept())) if k not in chosen]
    M, h = crane.reduced_mass_matrix(q), crane.bias(q, v)
    force = np.zeros(len(h))
    force[chosen] = inertia @ wanted + h[chosen]
    force[chosen] -= M[np.ix_(chosen, others)] @ np.linalg.solve(M[np.ix_(others, others)], h[others])
    a = np.linalg.solve(M, force - h)
    assert a[chosen] == pytest.approx(wanted, rel=1e-10)


def test_forward_dynamics_of_a_hundred_links():
    crane = make_crane("planar", 100, "fixed")
    q, v, a = random_state(crane, 0)
    model, data = engine_crane(crane, (q, v, a))
    forward(model.tables, data, new_factor(model))
    expected = np.linalg.solve(crane.reduced_mass_matrix(q), -crane.bias(q, v))
    assert relative_error(data.acceleration[columns_of(crane, model)], expected) < 1e-9
