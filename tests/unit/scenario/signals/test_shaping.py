"""Input shaping: impulses that leave an oscillator at rest, and signals that carry them."""

import numpy as np
import pytest

import taut
from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.records import SignalShaped, SignalSine, SignalWaypoints
from taut.scenario.signals.shaping import impulses

STEP = SignalWaypoints(times=(0.0, 0.5), values=(0.0, 2.0), blend="quintic")


def residual(train, omega, damping=0.0):
    """Amplitude of an oscillator after all impulses, against a single one."""
    t_last = train[-1][0]
    root = np.sqrt(1.0 - damping**2)
    return abs(sum(a * np.exp(-damping * omega * (t_last - t)) * np.exp(1j * omega * root * t) for t, a in train))


@pytest.mark.parametrize("shaper", ["zv", "zvd"])
@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_impulses_leave_every_swing_at_rest(shaper, damping):
    train = impulses(shaper, (1.3, 4.7), damping)
    assert sum(share for _, share in train) == pytest.approx(1.0)
    for omega in (1.3, 4.7):
        assert residual(train, omega, damping) < 1e-12
    slope = (residual(train, 1.3 * 1.001, damping) - residual(train, 1.3, damping)) / 1e-3
    assert slope < 0.02 if shaper == "zvd" else slope > 0.1


def test_shaped_signal_is_a_sum_of_delayed_shares():
    shaped = curve_of(SignalShaped(signal=STEP, shaper="zv", omega=(2.0,)), {})
    t = np.linspace(0.0, 4.0, 41)
    plain = curve_of(STEP, {})
    expected = [0.5 * a + 0.5 * b for a, b in zip(plain.evaluate(t), plain.evaluate(t - np.pi / 2), strict=True)]
    for found, wanted in zip(shaped.evaluate(t), expected, strict=True):
        assert found == pytest.approx(wanted, abs=1e-12)
    assert curve_of(SignalShaped(signal=SignalSine(amplitude=1.0, omega=2.0), shaper="zv", omega=(2.0,)), {}).evaluate(
        3.0
    )[0] == pytest.approx(0.0, abs=1e-12)


def test_a_pendulum_is_left_at_rest():
    machine = taut.Machine("shaped move")
    machine.crane(trolley={"mass": 1.0, "motion": "place"}, links=[{"name": "load", "length": 9.81 / 4.0, "mass": 1.0}])
    place = {"kind": "waypoints", "times": [0, 0.5], "values": [0, 0.01], "blend": "quintic"}
    machine.signal("place", kind="shaped", signal=place, shaper="zv", omega=[2.0])
    machine.run(duration=4.0, tolerance=1e-9)
    result = taut.simulate(taut.build(machine.scenario()))
    swing = np.abs(result["joint_position"].values[:, 0])
    assert swing[result.time > 2.1].max() < 1e-4 * swing.max()


@pytest.mark.parametrize("signal", ["sin(t)", {"kind": "command"}])
def test_what_cannot_be_shaped(signal):
    machine = taut.Machine("shaped").signal("place", kind="shaped", signal=signal, omega=[1.0])
    with pytest.raises(taut.ScenarioError, match="cannot be shaped|needs a name"):
        machine.body("a", mass=1.0, joint={"kind": "prismatic", "motion": "place"}).scenario()
