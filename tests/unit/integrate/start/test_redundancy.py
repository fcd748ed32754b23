"""Linkages with redundant closures run, and stay closed; `taut verify loops` runs two hundred."""

import numpy as np
import pytest

import taut
from taut.verify.mechanisms.loops import drawn, failures, rod


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


def parallel_cranks(crank, second, third, angle):
    """Three cranks of the same length, which carry one coupler; all lie in line at an angle of 0."""
    machine, hinge = taut.Machine("three parallel cranks"), {"kind": "revolute", "axis": [0, -1, 0], "position": angle}
    for name, place in (("first", 0.0), ("second", second), ("third", third)):
        machine.body(name, **rod(crank), joint={**hinge, "origin": [place, 0, 0]})
    machine.body("coupler", **rod(third),
                 joint={**hinge, "parent": "first", "origin": [crank, 0, 0], "position": -angle})  # fmt: skip
    for name, place in (("second", second), ("third", third)):
        machine.closure(name, kind="point", bodies=["coupler", name], points=[[place, 0, 0], [crank, 0, 0]])
    return taut.build(machine.run(duration=0.7, save_every=0.01).scenario())


# a sample close to the flat position, closed with a factor of another position, was off by up to 1e-3 m/s
@pytest.mark.parametrize(
    "sizes",
    [(1.1605000674278947, 0.9588783128448127, 1.4279102848891012, 0.94106313984974),
     (1.4652314208373753, 0.8248868624123451, 1.4350559413736028, 0.8814878770206028)],
    ids=["short", "long"],
)  # fmt: skip
def test_samples_beside_the_flat_position_are_right(sizes):
    result = taut.simulate(parallel_cranks(*sizes), integrator="explicit")
    assert result.audit["reasons"] == []
    assert result["joint_position"].values[-1, 0] < -0.1  # beyond


def test_halved_steps_do_not_lead_ever_closer_to_the_flat_position():
    *_, (_, machine) = drawn(78, 24)
    result = taut.simulate(taut.build(machine), integrator="generalized-alpha")
    assert result.audit["reasons"] == []
    assert result.audit["steps"]["accepted"] < 5000  # such a run once took four million steps


@pytest.mark.slow
@pytest.mark.parametrize("method", ["radau", "generalized-alpha"])
def test_loops_on_bases_that_move_and_not(method):
    assert list(failures(15, 1, (method,))) == []
