"""Inputs that are short against the run are not stepped over, by any method that chooses its steps."""

import numpy as np
import pytest

import taut
from taut import Machine, simulate


def slider(force, duration):
    m = Machine("slider")
    m.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": force})
    return taut.build(m.run(duration=duration, save_every=duration / 20).scenario())


@pytest.mark.parametrize("integrator", ["radau", "explicit", "generalized-alpha"])
def test_a_short_force_is_felt(integrator):
    run = simulate(slider("100*exp(-((t - 3.3)/0.02)**2)", 6.0), integrator=integrator)
    assert float(run["body_velocity"][-1, 0, 0]) == pytest.approx(2.0 * np.sqrt(np.pi), rel=1e-4)


@pytest.mark.parametrize(("width", "at", "duration"), [(1e-3, 303.3, 500.0), (1e-2, 17.1, 20.0)])
def test_a_pulse_in_a_long_run(width, at, duration):
    run = simulate(slider(f"100*exp(-((t - {at})/{width})**2)", duration))
    assert float(run["body_velocity"][-1, 0, 0]) == pytest.approx(100 * width * np.sqrt(np.pi), rel=1e-4)


def test_a_short_motion_is_felt():
    m = Machine("shaken")
    m.body("table", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "motion": "0.1*exp(-((t - 8)/0.002)**2)"})
    spring = {"stiffness": 400.0}
    m.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "parent": "table", "spring": spring})
    run = simulate(taut.build(m.run(duration=20.0, save_every=0.5).scenario()))
    # an impulse of the spring: k times the area of the bump
    speed = 400.0 * 0.1 * 0.002 * np.sqrt(np.pi)
    x, v = (run[name].sel(body="mass").values[:, 0] for name in ("body_position", "body_velocity"))
    assert np.sqrt(v[-1] ** 2 + 400.0 * x[-1] ** 2) == pytest.approx(speed, rel=1e-3)
