"""Linkages with redundant closures run, and stay closed; `taut verify loops` runs two hundred."""

import numpy as np
import pytest

import taut
from taut.verify.loops import failures


@pytest.mark.parametrize("name", ["four-bar", "bennett"])
def test_a_linkage_with_redundant_closures_stays_closed(name):
    result = taut.simulate(taut.build(taut.library.load(name)), duration=2.5)
    assert result.audit["verdict"] == "pass"
    assert np.max(result["constraint_error"]) < 1e-9


def test_a_linkage_that_starts_flat_has_the_rank_of_its_other_positions():
    flat = ["bodies.crank.joint.position=0.0", "bodies.coupler.joint.position=0.0",
            "bodies.rocker.joint.position=0.0", "bodies.rocker.joint.origin=[2.5,0,0]"]  # fmt: skip
    start = taut.start_state(taut.build(taut.library.load("four-bar", flat)))
    assert start.rank == 1
    assert start.data.most_rank[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("method", ["radau", "generalized-alpha"])
def test_loops_on_bases_that_move_and_not(method):
    assert list(failures(15, 1, (method,))) == []
