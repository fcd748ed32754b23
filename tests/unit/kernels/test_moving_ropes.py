"""Ropes over guides on moving bodies: rates of lengths and loads against differences of the definition of routes."""

import numpy as np
import pytest

from taut.build.machine.reeving import Reeving, WinchData
from taut.control.leading.led_ropes import LedRopes, Motion
from taut.model.laid_tables import LaidGuide
from taut.model.routes import SheaveKind, Stop, Wheel, trace
from taut.model.turns import turn_rates
from taut.scenario.records.orientation import rotation_from_vector


def motions(seed):
    """Place, rotation vector and their polynomials of three bodies, of which the last stands still."""
    rng = np.random.default_rng(seed)
    own = rng.normal(size=(3, 2, 3, 3)) * [1.0, 0.7, 0.4]
    own[:, :, :, 0] *= 0.1
    own[2] = 0.0
    return own


def at(own, t):
    values = own @ [1.0, t, 0.5 * t * t]
    rates = own @ [0.0, 1.0, t]
    return values, rates, own[..., 2]


def put(ropes, own, t):
    for body, (values, rates, seconds) in enumerate(zip(*at(own, t), strict=True)):
        spin, spin_rate = turn_rates(values[1], rates[1], seconds[1])
        R = rotation_from_vector(values[1])
        ropes.put(str(body), Motion(values[0], R, rates[0], spin, seconds[0], spin_rate))


def length(rope, own, t):
    """Length of a rope by the definition of ``model/routes.py``."""
    values = at(own, t)[0]
    stops = []
    for guide in rope:
        R = rotation_from_vector(values[guide.node][1])
        axis = None if guide.axis is None else (R @ guide.axis)[None]
        stops.append(Stop((values[guide.node][0] + R @ guide.point)[None], guide.wheel, axis))
    return float(trace(stops).length[0])


ROPES = {
    "straight": [LaidGuide(2, (0, 0, 5.0)), LaidGuide(0, (0.2, 0.1, 0.3))],
    "pulley": [LaidGuide(2, np.array([3.0, 0, 5]), Wheel(0.1, 1, SheaveKind.CASTOR, 2.0), np.array([0.0, 0, 1])),
               LaidGuide(0, np.array([0.2, 0.1, 0.3]))],
    "guides": [LaidGuide(1, np.array([4.0, 0, 5]), Wheel(0.1, 1, SheaveKind.CASTOR, 2.0), np.array([0.0, 0, 1])),
               LaidGuide(0, np.array([0.3, 0.0, 0.2]), Wheel(0.15, 1, SheaveKind.SWIVEL, 1.0)),
               LaidGuide(1, np.array([0.0, 3.0, 6])),
               LaidGuide(0, np.array([0.0, 0.2, 0.4]), Wheel(0.2, 1, SheaveKind.FIXED, 1.0), np.array([0.8, 0.6, 0])),
               LaidGuide(2, np.array([0.0, -4.0, 3.0]))],
}  # fmt: skip


@pytest.mark.parametrize("name", list(ROPES))
@pytest.mark.parametrize("seed", range(3))
def test_rates_are_those_of_the_length(name, seed):
    own, rope = motions(seed), ROPES[name]
    winch = WinchData("u", "length", tuple(rope), np.inf, 1.0, 0.0)
    still = (np.eye(3), np.zeros(3))
    reeving = Reeving({str(b): still for b in range(3)}, {}, np.eye(3), {"C": winch}, 1.0, np.zeros(3), np.eye(3))
    ropes = LedRopes(reeving)
    put(ropes, own, 0.0)
    found = ropes.lay()[0].copy()
    assert np.isfinite(found).all()
    h = 1e-3
    around = [length(rope, own, k * h) for k in range(-2, 3)]
    assert found[0] == pytest.approx(around[2], rel=1e-13)
    assert found[1] == pytest.approx((around[0] - 8 * around[1] + 8 * around[3] - around[4]) / (12 * h), abs=1e-9)
    second = (-around[0] + 16 * around[1] - 30 * around[2] + 16 * around[3] - around[4]) / (12 * h * h)
    assert found[2] == pytest.approx(second, abs=2e-7)
    # loads: power of a unit tension is less the rate of the length
    power = 0.0
    for body, (values, rates, seconds) in enumerate(zip(*at(own, 0.0), strict=True)):
        spin, _ = turn_rates(values[1], rates[1], seconds[1])
        power += ropes.loads(str(body))[0] @ np.concatenate([rates[0], spin])
    assert power == pytest.approx(-found[1], abs=1e-12)
