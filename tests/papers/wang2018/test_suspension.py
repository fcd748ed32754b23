"""The suspended platform as published: against an independent program, and that against its own twin."""

import numpy as np
import pytest

from reference.suspension import Scheme, Suspension
from taut.verify import verify_case
from taut.verify.suspension.wang_reference import reference
from taut.verify.suspension.wang_twin import Twin

DATA = reference()


@pytest.mark.slow
def test_case():
    failed = {name: quantity for name, quantity in verify_case("wang").items() if not quantity["pass"]}
    assert not failed


@pytest.mark.parametrize("time", [0, 5, 50, 95])
def test_twin_has_the_matrices_of_the_reference(time):
    for name, found in zip("MCKf", Suspension(4).system(time), strict=True):
        expected = DATA[f"matrices_{name}_{time}"]
        assert np.abs(found - expected).max() <= 1e-13 * np.abs(expected).max()


def test_twin_hangs_at_rest():
    _, tension, held = Suspension(20).rest()
    assert np.allclose(tension, 19620.0, rtol=0, atol=1e-6)
    assert np.allclose(np.abs(held[:4]), 75.310313, rtol=0, atol=1e-6)


def test_twin_takes_the_steps_of_the_reference():
    scheme = Scheme(Suspension(4, vertical=1.0))
    scheme.r = DATA["rest"].copy()
    M, C, K, f = scheme.machine.system(0.0)
    scheme.rate = scheme.a = np.linalg.solve(M, f - C @ scheme.R - K @ scheme.r)
    for k in range(20):
        tension, _ = scheme.step()
        assert np.allclose(tension, DATA["forced_tension"][k], rtol=0, atol=1e-8)


def test_condensed_twin_takes_the_steps_of_the_reference():
    twin = Twin(4, error=1.0, is_relative=True)
    for k in range(200):
        # the reference starts from a state of rest that differs by 1e-11 m
        assert np.allclose(twin.step(), DATA["forced_tension"][k], rtol=0, atol=2e-3)
    assert twin.switches > 2
    assert twin.overlap < 1e-14


def test_depth_from_the_world_is_the_same_while_the_drive_does_not_jerk():
    twins = [Twin(4, error=1.0, is_relative=is_relative) for is_relative in (True, False)]
    for _ in range(50):
        pulls = [twin.step() for twin in twins]
        assert np.allclose(*pulls, rtol=0, atol=2e-3)
