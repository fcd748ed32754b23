"""Controllers that know the machine: LQR and the passivity-based law."""

import numpy as np
import pytest

import taut
from taut.analyses.cranes import PlanarCrane, vertical_matrices
from taut.control.energy import Energy
from taut.control.lqr import Lqr


def crane(kind, **keys):
    machine = taut.Machine("crane").signal("push", kind="command", limits=[-500, 500])
    links = [{"name": "hook", "mass": 10.0, "motion": "8 - 0.1*t"}, {"name": "load", "length": 2.0, "mass": 50.0}]
    machine.crane(trolley={"mass": 20.0, "force": "push"}, links=links)
    machine.measurement("q", what="position").measurement("v", what="velocity")
    machine.controller("move", kind=kind, period=0.01, position="q", velocity="v", **keys)
    return machine.run(duration=12.0, save_every=0.1)


def lqr(**keys):
    return crane("lqr", joints={"trolley": {"command": "push", "effort": 100.0}}, **keys)


def test_lqr_linearises_as_the_closed_form():
    model = taut.build(lqr().scenario())
    A, B = Lqr(model, model.scenario.controllers["move"]).linearised(10.0)
    M, K = vertical_matrices(PlanarCrane(20.0, (10.0, 50.0)), np.array([7.0, 2.0]))
    T = np.array([[1.0, 0, 0], [0, 1, 0], [0, 1, 1]])  # absolute from relative angles
    M, K = T.T @ M @ T, T.T @ K @ T
    assert A[3:, :3] == pytest.approx(-np.linalg.solve(M, K), abs=1e-6)
    assert B[3:, 0] == pytest.approx(np.linalg.solve(M, [1.0, 0, 0]), abs=1e-9)


def test_lqr_is_stable_and_brings_a_disturbed_crane_to_rest():
    machine = lqr(update=1.0, tolerances={"trolley": 0.2})
    model = taut.build(machine.scenario())
    law = Lqr(model, model.scenario.controllers["move"])
    law(0.0, {"q": np.zeros(3), "v": np.zeros(3)})
    from scipy.linalg import expm

    A, B = law.linearised(0.0)
    step = expm(np.block([[A, B], [np.zeros((1, 7))]]) * 0.01)
    assert np.abs(np.linalg.eigvals(step[:6, :6] - step[:6, 6:] @ law.gain)).max() < 1.0


def test_dry_friction_is_no_damper_of_the_lqr():
    """Friction of 80 N smoothed over 1 mm/s seemed to damp with 80 kN s/m: the trolley swung by 8 m for ever."""
    gains, places = [], []
    for friction in (None, {"coulomb": 80.0, "stiction": 20.0, "viscous": 50.0}):
        model = taut.build(crane_with(friction).scenario())
        law = Lqr(model, model.scenario.controllers["move"])
        law.prepare(0.0)
        gains.append(law.gain)
        places.append(taut.simulate(model)["joint_position"].sel(coordinate="trolley").values)
    plain, rubbed = places
    assert np.abs(gains[1] / gains[0] - 1.0).max() < 0.2  # by viscous friction
    assert np.abs(rubbed - plain).max() < 1.0 and abs(rubbed[-1] - 14.0) < 0.05


def crane_with(friction):
    """A trolley of 800 kg that is led from 2 to 14 m, with a load of 2 t."""
    machine = taut.Machine("crane").signal("push", kind="command", limits=[-3000, 3000])
    machine.signal("place", kind="waypoints", times=[1, 7], values=[2, 14], blend="quintic")
    trolley = {"mass": 800.0, "position": 2.0, "force": "push"} | ({"friction": friction} if friction else {})
    machine.crane(trolley=trolley, links=[{"name": "load", "mass": 2000.0, "length": 8.0}])
    machine.measurement("q", what="position").measurement("v", what="velocity")
    machine.controller("move", kind="lqr", period=0.02, position="q", velocity="v", tolerances={"load-rope": 0.02},
                       joints={"trolley": {"command": "push", "reference": "place", "effort": 1000}})  # fmt: skip
    return machine.run(duration=25.0, save_every=0.1)


def energy(**keys):
    given = {"joint": "trolley", "command": "push", "reference": 1.0, "kp": 60.0, "kd": 120.0, "ke": 2.0}
    return crane("energy", **{**given, **keys})


def test_swing_energy_is_that_of_a_pendulum():
    model = taut.build(energy().scenario())
    law = Energy(model, model.scenario.controllers["move"])
    q, v = np.array([3.0, 0.2, -0.2]), np.zeros(3)
    # hook and load swing out together, the load hangs straight below the hook
    assert law.swing_energy(0.0, q, v) == pytest.approx(60.0 * 9.81 * 8.0 * (1 - np.cos(0.2)), rel=1e-12)
    assert law.swing_energy(0.0, np.array([3.0, 0.0, 0.0]), np.array([5.0, 0, 0])) == pytest.approx(0.0, abs=1e-9)


def test_energy_of_the_loop_never_grows():
    machine = energy()
    machine._data["crane"]["links"][0] = {"name": "hook", "mass": 10.0, "length": 7.0}
    machine._data["run"]["tolerance"] = 1e-9
    result = taut.simulate(taut.build(machine.scenario()))
    stored = sum(result[f"energy_{name}"].values for name in ("kinetic", "gravity"))
    x = result["joint_position"].values[:, 0]
    loop = stored + 0.5 * 60.0 * (1.0 - x) ** 2
    # sampling adds a little; against the energy that is taken out it is nothing
    assert np.diff(loop).max() < 1e-3 * np.ptp(loop) and loop[-1] < loop[0]


def test_a_controller_may_believe_in_another_machine():
    heavy = energy(assumed=["crane.links.load.mass=80"])
    model = taut.build(heavy.scenario())
    believed = model.plan.believed["move"]
    assert believed.tables.nodes["mass"].sum() == pytest.approx(model.tables.nodes["mass"].sum() + 30.0)
    wrong = energy(assumed=["crane.links.load.colour=1"]).scenario()
    with pytest.raises(taut.ScenarioError, match="controllers.move.assumed"):
        taut.build(wrong)
