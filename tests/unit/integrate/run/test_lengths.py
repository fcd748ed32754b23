"""A run ends with its reason where a cable is hauled in to its end, and not before."""

import pytest

import taut
from taut import Machine, simulate

ROPE = {
    "radius": 1e-3,
    "mass_per_length": 0.05,
    "axial_stiffness": 1e5,
    "axial_damping": 100.0,
    "exit_bending": "hinged",
}


def hoist(winch, aside=0.1, **cable):
    m = Machine("hoist")
    m.body("load", mass=10.0, joint={"kind": "point", "position": [aside, 0, -2]})
    m.driver("w", kind="winch", **winch)
    m.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], winch="w", **cable)
    return m


def test_a_cable_that_is_used_up_ends_the_run():
    drum = {"drum": {"radius": 0.1, "inertia": 0.05, "torque": -12.0, "friction": 0.2, "braked": False}}
    # straight below: a load that swings turns ever faster as its rope gets shorter
    m = hoist(drum, aside=0.0, elements=4, **ROPE)
    run = simulate(taut.build(m.run(duration=4.0, save_every=0.01).scenario()))
    assert run.status == "out of rope" and run.audit["verdict"] == "fail" and "rope" in run.status_text
    assert 0.0 < float(run["cable_length"].min()) < 0.05


@pytest.mark.parametrize("winch", [{"payout": "-0.6*t"}, {"drum": {"radius": 0.1, "inertia": 0.05, "torque": -12.0,
                                                                   "friction": 0.2, "braked": False}}])  # fmt: skip
def test_nothing_runs_out_over_a_pulley(winch):
    m = hoist(winch, elements=4, pulley={"radius": 0.05}, **ROPE)
    run = simulate(taut.build(m.run(duration=1.5, save_every=0.05).scenario()))
    assert run.status == "completed" and run.audit["verdict"] == "pass"
    assert float(run["cable_length"].min()) < 1.5


@pytest.mark.parametrize("kind", ["spring", "ideal"])
def test_a_commanded_length_that_runs_out_ends_the_run(kind):
    m = hoist({"payout": "reel", "start": "raw"}, kind=kind, **({"axial_stiffness": 1e5} if kind == "spring" else {}))
    m.signal("reel", kind="command", acts="acceleration")
    m.controller("haul", kind="python", period=0.1, commands=["reel"])
    model = taut.build(m.run(duration=4.0, save_every=0.05).scenario())
    run = simulate(model, controllers={"haul": lambda t, measured: {"reel": -1.0}})
    assert run.status == "out of rope" and float(run["cable_length"].min()) > 0.0


def test_a_winch_that_is_lost_behind_a_pulley_stops():
    m = hoist({"payout": "-0.3*t"}, elements=3, pulley={"radius": 0.05}, **ROPE)
    m.failure("winch fails", at=0.5, kind="loss", target="w")
    run = simulate(taut.build(m.run(duration=2.0, save_every=0.1).scenario()))
    length = run["cable_length"].values[:, 0]
    assert length[-1] == pytest.approx(length[10], abs=1e-9) and length[10] < length[4]
