"""Steps whose reactions are impulses, by parts: which rows act, the guess, one step of a ball in closed form."""

import numpy as np
import pytest

import taut
from taut.integrate.nonsmooth.impulse_newton import jump_share
from taut.integrate.nonsmooth.impulses import (
    carried_on,
    choose_active,
    end_impulses,
    guess_impulses,
    is_aged,
    keep_impulses,
    start_impulses,
    take_impulses,
)

from .pieces import method_of

pytestmark = pytest.mark.uncompiled
STEP, MASS, GRAVITY, RESTITUTION = 1e-2, 2.0, 9.81, 0.6
WAYS = {"moreau-jean": {}, "nonsmooth-alpha": {"nonsmooth_alpha": {"reactions": "impulses"}}}


def ball(way, gap, speed, restitution=0.0):
    """A method at the start of its first step; the ball is a gap above the ground, and goes down at a speed."""
    machine = taut.Machine("ball")
    machine.platform(mass=MASS, sphere={"radius": 0.1}, position=[0, 0, 0.1 + gap], velocity=[0, 0, -speed])
    machine.ground(law="rigid", friction=0, restitution=restitution)
    method = method_of(taut.build(machine.scenario()), integrator=way, step=STEP, **WAYS[way])
    method.begin_segment(0.0, 1.0, is_restart=True)
    method.work.clock[0].goal = 1e-12
    return method, np.flatnonzero(method.model.tables.columns["is_rotation"] == 0)[2]


def stepped(method):
    """Solve one step; returns the velocities at its end and the impulse of the ground."""
    work = method.work
    iterations, _ = take_impulses(method.model.tables, work, STEP)
    assert iterations > 0
    end_impulses(method.model.tables, work, STEP)
    return work.y_end[method.model.column_count :], work.lam_end[work.rows[0]]


@pytest.mark.parametrize("way", WAYS)
def test_accelerations_at_the_start_are_without_reactions(way):
    method, down = ball(way, 0.0, 0.0)
    start_impulses(method.model.tables, method.work)
    # the ball lies on the ground, yet its smooth acceleration is free fall: the reaction is an impulse of the step
    assert method.work.a_begin[down] == pytest.approx(-GRAVITY)
    assert np.abs(np.delete(method.work.a_begin, down)).max() < 1e-12


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("gap", "speed"), [(0.0, 0.0), (1e-3, 0.0), (0.02, 3.0), (1e-3, 2.0)])
def test_one_step_of_a_ball(way, gap, speed):
    """v = -e v_0 where the ball is at the ground half a step ahead or at the predicted end, else v_0 - g h."""
    method, down = ball(way, gap, speed, RESTITUTION)
    v, impulse = stepped(method)
    is_struck = gap - (0.5 if way == "moreau-jean" else 1.0) * STEP * speed <= 0.0
    assert method.work.active[0] == is_struck
    expected = RESTITUTION * speed if is_struck else -speed - GRAVITY * STEP
    assert v[down] == pytest.approx(expected, abs=1e-10)
    assert impulse == pytest.approx(MASS * (expected + speed + GRAVITY * STEP), abs=1e-9)
    assert method.work.closed_end[0] == (is_struck and speed == 0.0)
    assert method.work.clock[0].overlap < 1e-10


@pytest.mark.parametrize("way", WAYS)
def test_energy_lost_by_an_impact(way):
    method, _ = ball(way, 1e-3, 2.0, RESTITUTION)
    _, impulse = stepped(method)
    # half the impulse times the approach that is not given back
    assert method.work.clock[0].step_loss == pytest.approx(0.5 * impulse * 2.0 * (1.0 - RESTITUTION))
    assert method.work.count[0].has_jump == 1


def test_a_ball_struck_a_moment_ago_does_not_rebound():
    method, down = ball("moreau-jean", 1e-3, 2.0, RESTITUTION)
    method.work.since_struck[:] = 1
    v, _ = stepped(method)
    assert v[down] == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize("gap", [-1e-6, 1e-6])
def test_rows_look_half_a_step_ahead(gap):
    method, _ = ball("moreau-jean", 0.1, 0.0)
    work = method.work
    for rate in (-3.0, 0.0, 3.0):
        work.gap_begin[:], work.gap_rate_begin[:] = gap - 0.5 * STEP * rate, rate
        choose_active(method.model.tables, work, STEP)
        assert work.active[0] == (gap < 0.0)
    # with projection, a row in contact stays active in spite of rounding of its gap
    work.gap_begin[:], work.gap_rate_begin[:], work.closed[:] = 1e-12, 0.0, 1
    choose_active(method.model.tables, work, STEP)
    assert work.active[0] == 1


@pytest.mark.parametrize(("steady", "degree"), [(0, 0), (1, 1), (2, 2), (9, 2)])
def test_guess_carries_polynomials_on(steady, degree):
    method, _ = ball("moreau-jean", 0.1, 0.0)
    work = method.work
    work.clock[0].last_step, work.count[0].steady = STEP, steady
    weights = carried_on(work, STEP)
    for power in range(degree + 1):
        assert sum(w * x**power for w, x in zip(weights, (-1.0, -2.0, -3.0), strict=True)) == pytest.approx(0.0**power)
    # a step of another size is not carried on, only scaled
    assert carried_on(work, 0.5 * STEP) == (1.0, 0.0, 0.0)


def test_guess_has_no_pull_and_none_in_open_rows():
    method, _ = ball("moreau-jean", 0.1, 0.0)
    work = method.work
    row = work.rows[0]
    work.clock[0].last_step, work.count[0].steady = STEP, 1
    for earlier, last, is_active, expected in ((1.0, 3.0, 1, 5.0), (3.0, 1.0, 1, 0.0), (1.0, 3.0, 0, 0.0)):
        work.impulse_2[row], work.impulse_1[row], work.active[0] = earlier, last, is_active
        guess_impulses(work, STEP)
        assert work.lam_end[row] == pytest.approx(expected)


def test_kept_steps_are_counted_while_no_row_changes():
    method, _ = ball("moreau-jean", 0.1, 0.0)
    work = method.work
    work.count[0].steady = -1
    for k, is_steady in enumerate((True, True, False, True)):
        work.jump[:], work.lam_end[:] = k + 1.0, 10.0 * k
        keep_impulses(work, np.full(len(work.a_end), float(k)), is_steady)
    assert (work.jump_1[0], work.jump_2[0], work.jump_3[0]) == (4.0, 3.0, 2.0)
    assert (work.impulse_1[0], work.impulse_2[0], work.impulse_3[0]) == (30.0, 20.0, 10.0)
    assert (work.a_before[0], work.a_earlier[0]) == (3.0, 2.0)
    assert work.count[0].steady == 1


def test_an_old_matrix_is_known_by_its_convergence():
    work = ball("moreau-jean", 0.1, 0.0)[0].work
    clock = work.clock[0]
    for first, rate, expected in ((-1.0, 0.01, False), (0.01, 0.015, False), (0.01, 0.03, True), (-1.0, 0.9, True)):
        clock.first_rate, clock.rate = first, rate
        assert is_aged(clock) == expected


def test_share_of_the_jump_in_newton():
    """m of Eq. (3) vanishes for Moreau and Jean, and is -0.01 for rho_infinity = 0.8 with the published weight."""
    clock = ball("moreau-jean", 0.1, 0.0)[0].work.clock[0]
    assert jump_share(clock) == pytest.approx(0.0, abs=1e-15)
    published = {"nonsmooth_alpha": {"reactions": "impulses", "stabilisation": "none", "rho_infinity": 0.8}}
    machine = taut.Machine("free")
    machine.platform(mass=1.0, sphere={"radius": 0.1}, position=[0, 0, 1])
    method = method_of(taut.build(machine.scenario()), step=STEP, **published)
    assert jump_share(method.work.clock[0]) == pytest.approx(-0.01, abs=5e-3)
