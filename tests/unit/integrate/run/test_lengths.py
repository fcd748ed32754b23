"""A run ends with its reason where a cable, or the straight piece at its exit, is hauled in to its end."""

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


def hoist(winch, **cable):
    m = Machine("hoist")
    m.body("load", mass=10.0, joint={"kind": "point", "position": [0.1, 0, -2]})
    m.driver("w", kind="winch", **winch)
    m.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], winch="w", **cable)
    return m


@pytest.mark.parametrize("kind", ["pulley", "drum"])
def test_a_straight_piece_that_is_used_up_ends_the_run(kind):
    drum = {"drum": {"radius": 0.1, "inertia": 0.05, "torque": -12.0, "friction": 0.2, "braked": False}}
    pulley = {"pulley": {"radius": 0.05}} if kind == "pulley" else {}
    m = hoist({"payout": "-0.6*t"} if pulley else drum, elements=4, **pulley, **ROPE)
    run = simulate(taut.build(m.run(duration=1.5, save_every=0.05).scenario()))
    assert run.status == "out of rope" and run.audit["verdict"] == "fail" and "rope" in run.status_text
    assert float(run["cable_length"].min()) > 1.6


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
