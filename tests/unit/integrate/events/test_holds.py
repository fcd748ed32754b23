"""Cables that do not stretch: impacts, opening, several at once."""

import numpy as np
import pytest

import taut
from taut.integrate.start.start_state import start_state
from taut.scenario import make_scenario


def ball(cables, *, position, velocity=(0.0, 0.0, 0.0), body=None, **run):
    """A point mass of 1 kg on ideal cables."""
    joint = {"kind": "point", "position": list(position), "velocity": list(velocity)}
    bodies = {"ball": {"mass": 1.0, "joint": joint}, **(body or {})}
    cables = [
        {"name": name, "kind": "ideal", "body": "ball", "anchor": [0, 0, 0], **keys} for name, keys in cables.items()
    ]
    data = {"taut": 1, "name": "ball", "bodies": bodies, "cables": cables}
    settings = {"duration": 1.0, "save_every": 0.05, "tolerance": 1e-8, **run}
    return taut.build(make_scenario(data | {"run": settings}))


def test_a_falling_mass_stops_when_its_cable_snaps_taut_and_the_loss_is_counted():
    result = taut.simulate(ball({"C": {"exit": [0, 0, 0], "length": 0.5}}, position=(0.0, 0.0, 0.0)))
    assert [event["what"] for event in result.events] == ["goes taut"]
    assert result.events[0]["time"] == pytest.approx(np.sqrt(1.0 / 9.81), abs=1e-10)
    assert float(result["work_dissipated"][-1]) == pytest.approx(9.81 * 0.5, rel=1e-9)
    assert result["cable_tension"].values[-1, 0, 0] == pytest.approx(9.81, rel=1e-9)
    assert result.audit["verdict"] == "pass"


def test_restitution_throws_the_mass_back():
    model = ball({"C": {"exit": [0, 0, 0], "length": 0.5, "restitution": 0.6}}, position=(0.0, 0.0, 0.0), duration=0.8)
    result = taut.simulate(model)
    first, second = (event["time"] for event in result.events if event["what"] == "goes taut")
    assert result.audit["verdict"] == "pass"
    assert second - first == pytest.approx(2 * 0.6 * np.sqrt(9.81) / 9.81, abs=1e-9)


def test_a_thrown_pendulum_goes_slack_where_its_tension_ends():
    """Started at the bottom with v^2 = 3.5 g L, it leaves the circle where v^2 = g L sin(angle above the exit)."""
    speed = np.sqrt(3.5 * 9.81)
    result = taut.simulate(ball({"C": {"exit": [0, 0, 0]}}, position=(0, 0, -1), velocity=(speed, 0, 0), duration=0.8))
    opened = result.events[0]
    assert opened["what"] == "goes slack"
    fine = taut.simulate(ball({"C": {"exit": [0, 0, 0]}}, position=(0, 0, -1), velocity=(speed, 0, 0),
                              duration=opened["time"], save_every=opened["time"]))  # fmt: skip
    # sine of the angle above the exit: (3.5 - 2)/3 by conservation of energy
    assert fine["body_position"].values[-1, 0, 2] == pytest.approx(0.5, abs=1e-6)


def test_a_mass_on_two_cables_that_snap_taut_together_stops_between_them():
    cables = {"L": {"exit": [-1, 0, 0], "length": np.sqrt(2.0)}, "R": {"exit": [1, 0, 0], "length": np.sqrt(2.0)}}
    result = taut.simulate(ball(cables, position=(0, 0, -0.5)))
    assert {event["name"] for event in result.events} == {"L", "R"}
    assert result["cable_tension"].values[-1, :, 0] == pytest.approx([9.81 / np.sqrt(2.0)] * 2, rel=1e-8)


def test_a_mass_that_flies_away_from_a_taut_cable_is_let_go_at_the_start():
    model = ball({"C": {"exit": [0, 0, 0]}}, position=(0, 0, -1), velocity=(0, 0, 1.0), duration=0.1)
    result = taut.simulate(model)
    assert result["body_position"].values[-1, 0, 2] == pytest.approx(-1 + 0.1 - 0.5 * 9.81 * 0.01, abs=1e-9)


def test_a_cut_cable_lets_go():
    joint = {"kind": "point", "position": [0, 0, -1]}
    data = {"taut": 1, "name": "cut", "bodies": {"ball": {"mass": 1.0, "joint": joint}},
            "cables": [{"name": "C", "kind": "ideal", "exit": [0, 0, 0], "anchor": [0, 0, 0], "body": "ball"}],
            "failures": [{"name": "snip", "kind": "cut", "target": "C", "at": 0.2}],
            "run": {"duration": 0.5, "save_every": 0.1}}  # fmt: skip
    result = taut.simulate(taut.build(make_scenario(data)))
    assert result["body_position"].values[-1, 0, 2] == pytest.approx(-1 - 0.5 * 9.81 * 0.09, abs=1e-8)
    assert result["cable_tension"].values[-1, 0, 0] == 0.0


def test_cables_that_are_all_too_short_at_the_start_are_closed_as_far_as_they_must():
    around = [(np.cos(a), np.sin(a), 2.0) for a in np.linspace(0.0, 6.0, 5)]
    lengths = [1.9, 2.0, 2.1, 2.3, 2.5]
    cables = {
        f"C{k}": {"exit": list(at), "length": length}
        for k, (at, length) in enumerate(zip(around, lengths, strict=True))
    }
    data = start_state(ball(cables, position=(0.3, -0.2, -0.6))).data
    gaps = [length - np.linalg.norm(data.nodes[1]["x"] - at) for at, length in zip(around, lengths, strict=True)]
    assert min(gaps) == pytest.approx(0.0, abs=1e-9) and max(gaps) > 0.01
