"""Velocities inside a step: a rope whose payout's third derivative jumps there opens no loop."""

import numpy as np
import pytest

from taut.build import build
from taut.integrate.radau import inside
from taut.integrate.radau.inside import PATIENCE, is_closed_inside
from taut.integrate.radau.tableau import C
from taut.integrate.radau.work import new_radau_work
from taut.integrate.simulate import simulate
from taut.model import new_data
from taut.scenario.builder import Machine

pytestmark = pytest.mark.uncompiled
JUMP = 0.5037  # when the jerk of the payout jumps [s]


@pytest.fixture(scope="module")
def model():
    """A load on an inextensible rope, which is let down with a jump of its jerk at an odd moment."""
    machine = Machine("let down")
    machine.body("load", mass=10.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, -2.0]})
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], winch="hoist", length=2.0)
    machine.driver("hoist", kind="winch", payout=f"3*max(0, t - {JUMP})**3")
    machine.run(duration=1.0, save_every=0.002, tolerance=1e-8)
    return build(machine)


def rate(time):
    """Velocity of the load upwards."""
    return -9.0 * np.maximum(np.asarray(time) - JUMP, 0.0) ** 2


def step_from(model, start, h):
    """A step whose stages are exact, and whether the step is accepted."""
    work = new_radau_work(model, new_data(model))
    work.clock[0].time, work.clock[0].tolerated, work.clock[0].time_scale = start, 2e-8, 0.45
    work.clock[0].step, work.count[0].event, work.stage.modes[:] = h, -1, 1
    work.stage.window[:] = [0.0, 1.0]
    work.v[:] = rate(start)
    work.V[:, 0] = work.D_rate[:, 0] = rate(start + h * np.array([C[0], C[1], C[2]]))
    return work, is_closed_inside(model.tables, work, h)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.8, 0.95])
def test_a_step_over_a_jump_of_a_third_derivative_is_refused(model, share):
    h = 0.02
    work, is_taken = step_from(model, JUMP - share * h, h)
    assert not is_taken
    assert 0.2 * h < work.clock[0].step < 0.9 * h


@pytest.mark.parametrize("start", [JUMP - 0.02, JUMP])
def test_a_step_beside_it_is_taken(model, start):
    work, is_taken = step_from(model, start, 0.02)
    assert is_taken
    assert work.clock[0].step == 0.02


def test_the_run_passes(model):
    assert simulate(model).audit["projection"]["verdict"] == "pass"


def test_steps_that_get_no_better_are_taken_for_a_while(model, monkeypatch):
    """What does not fall with the step is not the step's error: no endless refusals."""
    monkeypatch.setattr(inside, "rate_inside", lambda *_: 1.0)
    work, is_taken = step_from(model, 0.2, 0.02)
    assert not is_taken
    assert is_closed_inside(model.tables, work, work.clock[0].step)
    assert work.count[0].let_open == PATIENCE - 1
    assert simulate(model).status == "completed"
