"""Slips of a first scenario are remarked on: millimetres, gravity upwards, forgotten lengths and drives."""

import pytest

from taut.scenario import loads

CRANE = """
taut: 1
name: crane
signals: {place: {kind: waypoints, times: [1, 5], values: [0, 4], blend: quintic}}
crane: {kind: planar, height: 10, trolley: {mass: 20, motion: place}, links: [{name: load, mass: 50, length: 6}]}
run: {duration: 20}
"""
HOIST = """
taut: 1
name: hoist
bodies: {load: {mass: 1000, box: [1, 1, 1], position: [0, 0, 3]}}
cables:
  - {name: hoist, exit: [0, 0, 20], body: load, anchor: [0, 0, 0], kind: spring, winch: hoist,
     rope: {class: 6x36-IWRC, diameter: 0.016}}
drivers: {hoist: {kind: winch, drum: {radius: 0.2, inertia: 5}}}
run: {duration: 1}
"""


def remarks(text, *changes):
    """All remarks on a scenario with changes, as one text."""
    return "\n".join(loads(text, overrides=list(changes)).warnings())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("gravity=[0, 0, 9.81]", "pulls upwards, since z points up: did you mean [0, 0, -9.81]?"),
        ("run.save_every=50", "save_every is a time"),
        ("crane.links.load.length=6000", "longer than any crane's: lengths are in metres; did you mean 6?"),
        ("crane.links.load.length=16", "hangs 6 m below z = 0"),
    ],
)
def test_cranes(change, said):
    assert said in remarks(CRANE, change) and remarks(CRANE) == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("cables.hoist.rope.diameter=16", "diameter = 16 m is no rope: lengths are in metres; did you mean 0.016?"),
        ("cables.hoist.length=17000", "length = 17000 m is 1000 times its way of 17 m"),
    ],
)
def test_ropes(change, said):
    calm = "initial={solve: equilibrium}"
    assert said in remarks(HOIST, calm, change) and remarks(HOIST, calm) == ""


def test_a_rope_of_a_drum_without_tension():
    assert "cable hoist: starts without tension, so that load drops into it" in remarks(HOIST)
    assert "without tension" not in remarks(HOIST, "gravity=[0, 0, 0]")


def test_a_link_without_a_length():
    assert "crane link load: no length is given, so it is 1 m long" in remarks(CRANE.replace(", length: 6", ""))


def test_a_trolley_that_nothing_moves():
    idle = CRANE.replace(", motion: place", "")
    assert "nothing moves the trolley" in remarks(idle)
    assert "nothing moves the trolley" not in remarks(idle, "crane.links.load.angle=0.1")
