"""Linkages with redundant closures run, and stay closed; `taut verify loops` runs two hundred."""

import numpy as np
import pytest

import taut
from taut.verify.loops import failures, rod


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


@pytest.mark.parametrize("method", ["generalized-alpha", "explicit"])
def test_a_parallel_linkage_passes_its_flat_position(method):
    """Halving the steps would lead ever closer to it, and never past it."""
    machine, hinge = taut.Machine("three parallel cranks"), {"kind": "revolute", "axis": [0, -1, 0], "position": 0.9}
    for name, place in (("first", 0.0), ("second", 0.9), ("third", 2.0)):
        machine.body(name, **rod(1.2), joint={**hinge, "origin": [place, 0, 0]})
    machine.body("coupler", **rod(2.0), joint={**hinge, "parent": "first", "origin": [1.2, 0, 0], "position": -0.9})
    for name, place in (("second", 0.9), ("third", 2.0)):
        machine.closure(name, kind="point", bodies=["coupler", name], points=[[place, 0, 0], [1.2, 0, 0]])
    result = taut.simulate(taut.build(machine.scenario()), integrator=method, duration=0.7, save_every=0.01)
    assert result.audit["verdict"] == "pass"
    assert result["joint_position"].values[-1, 0] < -0.1  # beyond
    assert result.audit["steps"]["accepted"] < 5000


@pytest.mark.slow
@pytest.mark.parametrize("method", ["radau", "generalized-alpha"])
def test_loops_on_bases_that_move_and_not(method):
    assert list(failures(15, 1, (method,))) == []
