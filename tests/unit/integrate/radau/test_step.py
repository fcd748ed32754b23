"""The pieces of a Radau step."""

import numpy as np
import pytest

from taut import library
from taut.build import build
from taut.dynamics.residual import place
from taut.integrate.radau.tableau import A
from taut.integrate.samples.raw import new_samples
from taut.integrate.settings import run_settings
from taut.integrate.simulate import Run
from taut.integrate.start.start_state import start_state
from taut.integrate.step.closing import factor_closing
from taut.model import new_factor

pytestmark = pytest.mark.nojit


def test_last_newton_correction_reaches_the_positions():
    model = build(library.load("double-pendulum", ["run.duration=0.1", "run.tolerance=1e-5"]))
    run = Run(model, run_settings(model, {}), None)
    run.method.begin_segment(0.0, 0.1, is_restart=True)
    run.method.advance(new_samples(model, np.array([np.inf])), 5)
    work = run.method.work
    assert np.allclose(work.D, work.clock[0].last_step * (A @ work.V), rtol=1e-14, atol=1e-17)


def test_factor_for_closing_does_not_depend_on_what_was_in_it():
    model = build(library.load("cogiro"))
    data = start_state(model).data
    data.modes[:] = 1
    place(model.tables, data)
    factor = new_factor(model)
    found = []
    for _ in range(2):
        factor_closing(model.tables, data, factor, 0.01)
        found.append(factor.nodes["rotary"].copy())
    assert np.any(found[0]) and np.array_equal(found[0], found[1])
