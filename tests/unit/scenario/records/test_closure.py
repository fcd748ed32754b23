"""Closures and drivers: one way of saying where, how, and along what."""

import pytest
from pydantic import ValidationError

from taut.scenario.drivers.driver import DriverTrajectory
from taut.scenario.records.closure import CLOSURE_SIZES, Closure

PLACE = {"name": "pin", "bodies": ("a", "b"), "at": (0, 0, 0)}
REFUSED = {
    "no place": {"at": None},
    "two places": {"points": ((0, 0, 0), (0, 0, 0))},
    "one body": {"bodies": ("a", "a")},
    "hinge without axis": {"kind": "revolute"},
    "axis on a ball": {"axis": (0, 0, 1)},
    "axis and axes": {"kind": "revolute", "axis": (0, 0, 1), "axes": ((0, 0, 1), (0, 0, 1))},
    "universal with one axis": {"kind": "universal", "axis": (0, 0, 1)},
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    with pytest.raises(ValidationError):
        Closure(**{**PLACE, **REFUSED[name]})


def test_sizes():
    assert Closure(**PLACE).size() == 3
    assert Closure(**PLACE, kind="revolute", axis=(0, 0, 1)).size() == CLOSURE_SIZES["revolute"] == 5


def test_driver_signals():
    offset = DriverTrajectory(kind="trajectory", offset=("t", 0, 0))
    place = DriverTrajectory(kind="trajectory", waypoints={"times": [0, 1], "positions": [[0, 0, 0], [1, 2, 3]]})
    assert offset.is_offset() and offset.signals() == ("t", 0.0, 0.0)
    assert not place.is_offset() and place.signals()[2].values == (0.0, 3.0)


@pytest.mark.parametrize("keys", [{}, {"offset": (0, 0, 0), "position": (0, 0, 0)}, {"waypoints": {"times": [0]}}])
def test_refused_driver(keys):
    with pytest.raises(ValidationError):
        DriverTrajectory(kind="trajectory", **keys)
