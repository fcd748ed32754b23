"""Cranes as [Brogliato2022] has them, and moves by controllers; `taut verify cranes` runs all of it."""

import pytest

from taut.verify.cranes import cranes
from taut.verify.cranes.crane_moves import ARRIVED, DESIGNS, LIMIT, SETTLED, move_scenario, run_move


@pytest.mark.parametrize("part", [cranes.linear, cranes.hoisting, cranes.space], ids=lambda part: part.__name__)
def test_numbers(part):
    assert [quantity.name for quantity in part() if not quantity.is_passed] == []


@pytest.mark.parametrize("name", ["linearisation", "flat"])
def test_moves(name):
    _, score = run_move(name)
    assert score.residual_swing <= SETTLED and score.move_time <= ARRIVED and score.peak_force <= LIMIT
    assert score.balance < 1e-6 and score.is_passed


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_do_not_know_the_changes(name):
    changed = move_scenario(name, load=1.2, length=0.8)
    assert "crane.links[1].mass=50.0" in changed.controllers["move"].assumed
    assert changed.signals == move_scenario(name).signals
