"""Steps that gain energy are refused; shorter ones fill the fixed step."""

import numpy as np
import pytest

from taut.integrate.nonsmooth.energy import (
    BALANCE_SHARE,
    LEAST_PART,
    STORED_SHARE,
    exchanged,
    gained,
    grid_step,
    grow_step,
    is_within,
    keep_energies,
    refuse,
)

from .pieces import held_box, method_of

pytestmark = pytest.mark.uncompiled


@pytest.fixture
def work():
    """The workspace of a method that has not stepped yet, with steps of 8 ms until 1 s."""
    method = method_of(held_box(), step=8e-3)
    method.begin_segment(0.0, 1.0, is_restart=True)
    return method.work


def test_what_is_gained_and_exchanged(work):
    work.E_begin[:] = work.E_least[:] = [1.0, 5.0, 0.0, 2.0, 0.5]
    work.E_end[:] = work.E_most[:] = [4.0, 3.0, 0.5, 2.5, 0.75]
    # gain of stored energy less input, and that plus the energy lost
    assert gained(work) == pytest.approx((1.0, 1.25))
    assert exchanged(work) == pytest.approx(3.0)
    assert STORED_SHARE < BALANCE_SHARE


def test_gain_is_counted_from_the_least_value(work):
    clock = work.clock[0]
    clock.gains[0], clock.least_gains[0] = 0.3, -0.2
    assert is_within(clock, 0, 0.1, 0.61, is_last=False)
    assert not is_within(clock, 0, 0.2, 0.61, is_last=False) and clock.least_gains[0] == -0.2
    # after the shortest step the run goes on from this gain, half the allowance below the next limit
    assert not is_within(clock, 0, 0.2, 0.61, is_last=True)
    assert clock.least_gains[0] == pytest.approx(0.5 - 0.305)


def test_a_refused_step_is_halved_and_grows_again_later(work):
    clock, count = work.clock[0], work.count[0]
    refuse(work, 8e-3)
    assert clock.step == pytest.approx(4e-3) and count.hold > 0
    held = int(count.hold)
    for _ in range(held):
        grow_step(work, 4e-3)
        assert clock.step == pytest.approx(4e-3)
    grow_step(work, 4e-3)
    grow_step(work, 8e-3)
    assert clock.step == pytest.approx(8e-3)


@pytest.mark.parametrize("part", [1 / 3, 0.5, 0.011, LEAST_PART])
def test_short_steps_fill_the_fixed_one(work, part):
    clock = work.clock[0]
    clock.time, clock.grid, clock.step = 0.0, 8e-3, part * 8e-3
    ends = []
    while clock.time < 8e-3 * (1.0 - 1e-9):
        clock.time += grid_step(None, work)
        ends.append(clock.time)
    assert ends[-1] == pytest.approx(8e-3, rel=1e-12)
    assert len(ends) <= np.ceil(1.0 / part) + 1


def test_kept_energies_are_the_next_begin(work):
    work.count[0].is_watched = 1
    work.E_begin[:] = work.E_least[:] = work.E_most[:] = 0.0
    work.E_end[:] = [1.0, -2.0, 0.0, 0.0, 0.0]
    keep_energies(work)
    assert list(work.E_begin) == list(work.E_end)
    assert work.clock[0].gains[0] == pytest.approx(-1.0) and work.clock[0].least_gains[0] == pytest.approx(-1.0)
    assert work.E_least[1] == -2.0 and work.E_most[0] == 1.0
