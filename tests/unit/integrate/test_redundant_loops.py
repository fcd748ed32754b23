"""Loops with redundant closures; `taut verify loops` runs two hundred."""

import pytest

from taut.verify.loops import failures

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("method", ["radau", "generalized-alpha"])
def test_loops_on_bases_that_move_and_not(method):
    assert list(failures(15, 1, (method,))) == []
