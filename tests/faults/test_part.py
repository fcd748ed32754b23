"""A part of the table of planted faults, on quick machines; the whole is ``python tests/faults/table.py``."""

import pytest

from faults.kinds import FAULTS, FINDABLE, KERNELS
from faults.plant import outcome

QUICK = ("crane-3d", "stewart-actuated", "mamidi-pick-and-place")
NOT_FOUND = ("contacts ignored", "ground stiffness x 1.01")  # docs/validation.md says why
PART = [f for f in FINDABLE if f.machine in QUICK and f.way != KERNELS and f.name not in NOT_FOUND][::3]
FRICTION = [f for f in FINDABLE if f.machine == "pendulum-crane"]
ROPES = [f for f in FINDABLE if f.machine in ("elevator", "tower-crane", "thrown-rope")]


def test_the_list_is_as_long_as_promised():
    assert len(FAULTS) >= 60
    assert len(FINDABLE) >= 50


@pytest.mark.parametrize("machine", QUICK)
def test_no_alarm_without_a_fault(machine):
    found = outcome(None, machine)
    assert found.verdict == "pass", found.reason


@pytest.mark.parametrize("fault", PART + FRICTION + ROPES, ids=lambda fault: f"{fault.machine}: {fault.name}")
def test_faults_are_found(fault):
    found = outcome(fault, fault.machine)
    assert found.is_found and found.verdict != "broken", found.reason
