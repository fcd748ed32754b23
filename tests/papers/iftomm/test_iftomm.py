"""The IFToMM library of benchmark problems; `taut verify iftomm` runs all of it, at closer tolerances too."""

import numpy as np
import pytest

import taut
from taut.verify import verify_case
from taut.verify.mechanisms import bricard, flyball, four_bar, iftomm, squeezer


def test_pendulum():
    assert all(quantity["pass"] for quantity in verify_case("pendulum").values())


@pytest.mark.parametrize("count", four_bar.ENDS)
def test_four_bars_through_their_flat_position(count):
    result = taut.simulate(taut.build(four_bar.four_bars(count).scenario()))
    assert iftomm.four_bar_error(result, count) < 1e-5 and result.audit["verdict"] == "pass"


@pytest.mark.parametrize("tolerance", [1e-8, 1e-9])
def test_the_branch_is_kept_at_close_tolerances(tolerance):
    result = taut.simulate(taut.build(four_bar.four_bars(1).scenario()), tolerance=tolerance)
    assert iftomm.four_bar_error(result, 1) < 100 * tolerance and result.audit["verdict"] == "pass"


def test_bricard():
    angles = bricard.BricardTwin().angles(np.linspace(0.0, 1.0, 11))
    result = taut.simulate(taut.build(bricard.linkage().scenario()))
    assert np.abs(result["joint_position"].values[:101:10] - angles).max() < 1e-6
    # what redundant rows could carry without doing anything does not grow from step to step
    steps = result.audit["steps"]
    assert result.audit["verdict"] == "pass" and steps["newton_failures"] < 0.05 * steps["accepted"]


@pytest.mark.parametrize(
    ("machine", "error"),
    [(flyball.governor, iftomm.flyball_error), (squeezer.squeezer, iftomm.squeezer_error)],
    ids=["flyball", "squeezer"],
)
def test_stiff_and_fast_ones(machine, error):
    result = taut.simulate(taut.build(machine().scenario()))
    assert error(result) < 1e-5 and result.audit["verdict"] == "pass"


def test_a_run_that_leaves_the_branch_does_not_pass():
    """Steps of a method of second order come so near to the flat position that rounding decides."""
    result = taut.simulate(taut.build(four_bar.four_bars(1).scenario()), integrator="generalized-alpha", duration=1.5)
    rods = result["joint_position"].sel(coordinate=["rod 0", "rod 1"]).values
    is_right = np.abs(rods[:, 0] - rods[:, 1]).max() < 1e-3
    assert is_right or result.audit["verdict"] == "fail"
