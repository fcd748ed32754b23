"""The energy of Radau steps: which steps are refused, and which are accepted and counted."""

import numpy as np
import pytest

from taut import library
from taut.build import build
from taut.integrate.radau.energy import PATIENCE, is_energy_kept
from taut.integrate.radau.work import new_radau_work
from taut.integrate.step.closing import note_projection
from taut.integrate.step.to_event import without_event
from taut.model import new_data

pytestmark = pytest.mark.nojit


@pytest.fixture
def work():
    """A workspace in which a step exchanges 1 J."""
    model = build(library.load("double-pendulum"))
    made = new_radau_work(model, new_data(model))
    made.clock[0].energy_limit, made.count[0].event = 1e-5, -1
    made.energy_begin[:], made.energy_end[:] = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]
    return made


def with_error(work, error, h):
    """Whether a step with that error of its energy [J] is kept."""
    work.energy_end[2] = error
    return is_energy_kept(work, h)


def test_a_refused_step_leaves_no_trace_in_the_ranges(work):
    before = [work.least.copy(), work.most.copy()]
    assert not with_error(work, 1e-2, 0.1)
    np.testing.assert_array_equal([work.least, work.most], before)
    assert with_error(work, 1e-9, 0.05)
    assert work.most[0] == 1.0


def test_an_energy_that_is_no_number_is_refused(work):
    assert not with_error(work, np.nan, 0.1)
    assert work.clock[0].step < 0.1


@pytest.mark.parametrize(("order", "is_kept"), [(2, False), (1, True)])
def test_what_gets_no_better_with_shorter_steps_is_let_pass_and_counted(work, order, is_kept):
    assert not with_error(work, 1e-2, 0.1)
    assert with_error(work, 1e-2 * 0.72**order, 0.072) == is_kept
    assert work.count[0].unbalanced == is_kept
    assert work.count[0].let_pass == (PATIENCE - 1 if is_kept else 0)


def test_a_projection_that_is_no_number_stays(work):
    for gap in (1e-6, np.nan, 1e-7):
        note_projection(work.clock[0].step_gaps, gap, gap)
    assert np.isnan(work.clock[0].step_gaps).all()


def test_a_step_too_long_to_know_its_events_gets_shorter_by_a_tenth(work):
    assert without_event(work, 0.9999, -2, 0.1) == 0.0
    assert work.clock[0].step == pytest.approx(0.09)
