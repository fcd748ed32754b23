"""The robots' toolbox against its reference numbers; volumes are slow, and asked for by `taut verify toolbox`."""

import pytest

from taut.verify.robots import toolbox

QUICK = ["inverse_kinematics", "forward_kinematics", "distributions", "wrenches", "stiffnesses", "distances",
         "sensitivities", "rests", "motions", "random_robots"]  # fmt: skip


@pytest.mark.parametrize("block", QUICK)
def test_block_of_the_reference(block):
    failed = [q for q in getattr(toolbox, block)() if not q.is_passed]
    assert not failed


@pytest.mark.slow
def test_workspaces_of_the_reference():
    assert not [q for q in toolbox.workspaces() if not q.is_passed]
