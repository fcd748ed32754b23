"""A step across the place where a law goes slack is cut there."""

import numpy as np
import pytest

import taut
from taut.integrate.nonsmooth.kinks import cut_place, read_kinks

from .pieces import method_of, placed_stage

pytestmark = pytest.mark.uncompiled
STRETCH = 0.01  # stretch of the cable at the start [m]


@pytest.fixture
def hung():
    """A mass below a stretched cable without mass, and the column that moves it upwards."""
    machine = taut.Machine("hung")
    machine.platform(mass=1.0, sphere={"radius": 0.05}, position=[0, 0, 0])
    machine.cable("C1", exit=[0, 0, 1.0], anchor=[0, 0, 0], kind="spring", length=1.0 - STRETCH, axial_stiffness=100.0)
    method = method_of(taut.build(machine.scenario()))
    read_kinks(method.model.tables, placed_stage(method), method.work.kinks_begin)
    return method, np.flatnonzero(method.model.tables.columns["is_rotation"] == 0)[2]


@pytest.mark.parametrize(("rise", "place"), [(0.02, 0.5), (0.04, 0.25), (0.008, 1.0), (0.0101, 1.0), (1.0, 1.0)])
def test_cut_where_the_cable_goes_slack(hung, rise, place):
    method, up = hung
    method.work.y_end[up] = rise
    # not cut: the law is still taut, or goes slack at the very end or the very start of the step
    assert cut_place(method.model.tables, method.work, 1e-3) == pytest.approx(place)


def test_the_rest_of_a_cut_step_is_not_cut_again(hung):
    method, up = hung
    method.work.y_end[up] = 2.0 * STRETCH
    method.work.count[0].is_cut = 1
    assert cut_place(method.model.tables, method.work, 1e-3) == 1.0
