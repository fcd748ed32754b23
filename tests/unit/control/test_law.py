"""Controllers in compiled code against slow twins, one sample after the other."""

import numpy as np
import pytest

import taut
from carts import cart
from reference.lead import SlowPid, SlowQuadcopter
from taut.control.computed_torque import ComputedTorque
from taut.control.kinds import make_controllers
from taut.kernels.gauss import solve_dense


@pytest.mark.parametrize("rate", [None, "v"])
def test_pid(rate):
    machine = cart(rate=rate, ki=8.0, filter=0.1, feedforward="0.3*t", setpoint="sin(2*t)", start=0.1,
                   command={"limits": [-5.0, 6.0]})  # fmt: skip
    model = taut.build(machine.scenario())
    law, twin = make_controllers(model, {})["hold"], SlowPid(model.plan, model.plan.controllers["hold"])
    rng = np.random.default_rng(5)
    # more samples than references are evaluated at once, some of them off the controller's grid
    for k in range(600):
        t, told = 0.1 + 0.05 * k + (0.01 if k % 7 == 3 else 0.0), dict(zip("xv", rng.normal(size=2), strict=True))
        assert law(t, told) == pytest.approx(twin(t, told), rel=1e-12, abs=1e-12)


def test_quadcopter():
    machine, commands = taut.Machine("quadcopter"), [f"u{k}" for k in range(4)]
    for command in commands:
        machine.signal(command, kind="command", initial=9.81 / 4)
    machine.driver("Q", kind="quadcopter", mass=1.0, inertia=[0.01, 0.015, 0.02], arm=0.2, moment_ratio=0.05,
                   thrust=commands)  # fmt: skip
    for name, what in (("x", "position"), ("v", "velocity"), ("turn", "orientation"), ("w", "angular_velocity")):
        machine.measurement(name, body="Q", what=what)
    machine.controller("fly", kind="quadcopter", period=0.01, driver="Q", position="x", velocity="v", carries=0.3,
                       orientation="turn", spin="w", commands=commands, setpoint=["sin(t)", -0.5, "0.1*t"])  # fmt: skip
    model = taut.build(machine.run(duration=6.0, save_every=0.1).scenario())
    law, twin = make_controllers(model, {})["fly"], SlowQuadcopter(model, "fly", model.plan.controllers["fly"])
    rng = np.random.default_rng(5)
    for k in range(100):
        told = {"x": rng.normal(size=3), "v": rng.normal(size=3), "turn": rng.normal(size=4), "w": rng.normal(size=3)}
        assert law(0.01 * k, told) == pytest.approx(twin(0.01 * k, told), rel=1e-10)


def test_computed_torque_gives_the_accelerations_wanted():
    """Forward dynamics under its forces: the trolley accelerates as asked, with the swing that is damped."""
    machine = taut.Machine("crane").signal("push", kind="command")
    links = [{"name": "hook", "mass": 10.0, "motion": "8 - 0.1*t"}, {"name": "load", "length": 2.0, "mass": 50.0}]
    machine.crane(trolley={"mass": 20.0, "force": "push"}, links=links)
    machine.measurement("q", what="position").measurement("v", what="velocity")
    joints = {
        "trolley": {"command": "push", "reference": "0.3*t**2", "kp": 4, "kd": 3, "swing": {"hook-rope": [0.7, 0.4]}}
    }
    machine.controller("move", kind="computed-torque", period=0.01, position="q", velocity="v", joints=joints)
    model = taut.build(machine.run(duration=4.0, save_every=0.1).scenario())
    law = ComputedTorque(model, model.plan.controllers["move"])
    q, v = np.array([0.4, 0.2, -0.3]), np.array([0.1, 0.5, -0.2])
    found = law(1.0, {"q": q, "v": v})["push"]
    data = taut.new_data(model)
    data.time[0], data.q[:], data.v[:] = 1.0, q, v
    data.commands[0, 1] = found
    taut.forward_dynamics(model, data)
    column = law.work.column[0]
    swing = model.tables.nodes[model.names.bodies["hook-rope"]].column
    asked = (
        0.6
        + 3 * (0.6 - v[column])
        + 4 * (0.3 - q[column])
        + 0.7 * (q - model.start_coordinates)[swing]
        + 0.4 * v[swing]
    )
    assert data.acceleration[column] == pytest.approx(asked, rel=1e-9)


def test_dense_systems():
    rng = np.random.default_rng(2)
    for n in (1, 3, 8):
        A, b = rng.normal(size=(n, n)), rng.normal(size=n)
        A[0, 0] = 0.0 if n > 1 else 2.0
        x = b.copy()
        assert solve_dense(A.copy(), x)
        assert x == pytest.approx(np.linalg.solve(A, b), rel=1e-9)
    assert not solve_dense(np.ones((2, 2)), np.ones(2))
