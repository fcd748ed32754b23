"""Loops with redundant closures; `taut verify loops` runs two hundred."""

import pytest

from taut.verify.loops import failures

pytestmark = pytest.mark.slow


def test_loops_on_bases_that_move_and_not():
    assert list(failures(15, 1)) == []
