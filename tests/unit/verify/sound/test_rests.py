"""Random machines at rest, or with a cause named; `taut verify rests` draws five hundred."""

import pytest

import taut
from taut.verify.sound.rest_machines import Drawn
from taut.verify.sound.rests import GROWS, SEED, complaints, outcome

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", range(1, 22, 4))
def test_rests_or_says_why(number):
    assert outcome(number, SEED) in ("rests", "named")


def test_an_unstable_rest_is_seen():
    machine = taut.Machine("upright")
    machine.body("rod", mass=1.0, com=[0, 0, 0.5], inertia=[1, 1, 1], joint={"kind": "revolute", "axis": [0, 1, 0]})
    model = taut.build(machine.scenario())
    found = list(complaints(model, taut.modes(model), Drawn(machine), is_run=False))
    assert len(found) == 1 and "unstable" in found[0] and GROWS < 1.0


def test_a_rest_that_does_not_balance_is_seen():
    machine = taut.Machine("hanging").body(
        "stone", mass=1.0, joint={"kind": "prismatic", "spring": {"stiffness": 100.0}}
    )
    model = taut.build(machine.scenario())
    found = taut.modes(model)
    found.data.q[0] += 1e-5
    assert "lacks" in next(complaints(model, found, Drawn(machine), is_run=False))
