"""Errors say what to write instead, where that is plain."""

import pytest

from taut.scenario import ScenarioError, loads

CRANE = """
taut: 1
name: crane
signals:
  plain: {kind: waypoints, times: [1, 5], values: [0, 4], blend: quintic}
  place: {kind: shaped, signal: plain, shaper: zv, omega: [1.2787]}
  push: {kind: command, limits: [-300, 300], lag: 0.05}
crane: {kind: planar, trolley: {mass: 20, force: push}, links: [{name: load, mass: 50, length: 6}]}
measurements: {x: {joint: trolley}, q: {what: position}, v: {what: velocity}}
controllers:
  drive: {kind: pid, period: 0.01, measure: x, command: push, setpoint: place, kp: 400}
"""
LQR = """{kind: lqr, period: 0.01, position: q, velocity: v,
 joints: {trolley: {command: push, reference: place, effort: 100}},
 tolerances: {load: 0.1}}"""


def complaint(text, *changes):
    """What is wrong with a scenario."""
    with pytest.raises(ScenarioError) as caught:
        loads(text, overrides=list(changes))
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("signals.place.shaper=ZV", "did you mean 'zv'?"),
        ("signals.place.omega=1.2787", "write [1.2787]"),
        ("signals.push.lag=0", "leave it out for none"),
        ("controllers.drive.command=pusch", "controllers.drive.command = 'pusch': there is no command of this name"),
        ("cables=[{name: a, exit: [0, 0, 1], body: load, anchor: [0, 0, 0]}]", "write kind: spring"),
    ],
)
def test_the_remedy_is_told(change, said):
    assert said in complaint(CRANE, change)


def test_zero_is_only_left_out_where_that_means_none():
    assert "leave it out" not in complaint(CRANE, "crane.trolley.mass=0")


def test_joints_with_one_coordinate_are_listed():
    text = complaint(CRANE, f"controllers.drive={LQR}")
    assert "bodies that have one: trolley, load-rope" in text
