import numpy as np
import pytest

import taut
from taut.verify.cables.feed import place_error, worked_case

ROPE = {
    "radius": 1e-3,
    "mass_per_length": 1e-6,
    "axial_stiffness": 1e6,
    "axial_damping": 100.0,
    "exit_bending": "hinged",
}


def lowered(payload=10.0, duration=1.0, **keys):
    """A load straight below a winch."""
    machine = taut.Machine("winch")
    machine.body("load", mass=payload, joint={"kind": "point", "position": [0, 0, -2]})
    machine.driver("winch", kind="winch", **keys)
    machine.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], elements=4, winch="winch", **ROPE)
    return machine.run(duration=duration, save_every=0.05)


def run(machine):
    return taut.simulate(taut.build(machine.scenario()))


@pytest.mark.parametrize("keys", [{"length": "2 + 0.5*t**2"}, {"payout": "0.5*t**2"}, {"rate": "t"}])
def test_three_ways_to_say_the_same(keys):
    result = run(lowered(start="raw", **keys))
    assert result["cable_length"].values[:, 0] == pytest.approx(2.0 + 0.5 * result.time**2)
    assert result["body_position"].values[-1, 0, 2] == pytest.approx(-2.5, abs=2e-3)
    assert result.audit["verdict"] == "pass"


def test_worked_case_of_the_flow():
    assert place_error(worked_case(20)) < 1e-3


def test_drum_runs_away_as_its_inertia_allows():
    drum = {"radius": 0.1, "inertia": 0.05, "brake": 100.0, "braked": False}
    result = run(lowered(drum=drum))
    # m g = (m + I/r^2) a, but for the stretch of the rope
    assert result["body_position"].values[-1, 0, 2] == pytest.approx(-2.0 - 0.5 * 9.81 * 10.0 / 15.0, rel=1e-3)
    assert result["cable_length"].values[-1, 0] == pytest.approx(2.0 + 3.27, rel=2e-3)
    assert result.audit["verdict"] == "pass"


def test_brake_holds():
    result = run(lowered(drum={"radius": 0.1, "inertia": 0.05, "brake": 100.0}))
    assert np.abs(result["cable_length"].values[:, 0] - 2.0).max() < 1e-3


def test_nothing_is_left_outside():
    with pytest.raises(taut.ScenarioError, match="hauls the whole cable in"):
        taut.build(lowered(rate=-3.0).scenario())


def test_length_must_begin_as_the_cable():
    machine = lowered(length="5 + t")
    machine._data["cables"][0]["length"] = 2.0
    with pytest.raises(taut.ScenarioError, match=r"begins with 2.5 times"):
        taut.build(machine.scenario())


def test_winch_needs_one_way():
    with pytest.raises(taut.ScenarioError, match=r"exactly one of length, payout, rate, drum; found length and rate"):
        lowered(length=2.0, rate=0.0).scenario()


def rope_length(place, radius):
    """Length off the wheel, and what its turn from level takes up, in the plane of a swivelled pulley."""
    b = complex(place[0] - radius, place[2])
    free = np.sqrt(abs(b) ** 2 - radius**2)
    t = -1j * b / complex(radius, -free)
    return free + radius * np.arctan2(-t.imag, t.real)


def test_rope_runs_off_a_pulley():
    machine = taut.Machine("pulley")
    machine.body("load", mass=5.0, joint={"kind": "point", "position": [2.0, 0.0, -3.0]})
    machine.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], elements=3, pulley={"radius": 0.2}, **ROPE)
    result = run(machine.run(duration=0.6, save_every=0.05))
    lengths = [rope_length(place, 0.2) for place in result["body_position"].values[:, 0]]
    # the lengths are constant but for the stretch under the load
    assert np.ptp(lengths) < 1e-3
    # the cable's length, with the arc on the wheel, stays the same as the load swings
    assert np.ptp(result["cable_length"].values[:, 0]) < 1e-12
    outside = result["joint_position"].sel(coordinate="rope.length").values
    assert outside[0] - outside[-1] > 0.01
    assert result.audit["verdict"] == "pass"


def test_pulley_feeds_what_its_winch_pays_out():
    machine = taut.Machine("pulley")
    machine.body("load", mass=5.0, joint={"kind": "point", "position": [0.1, 0.0, -3.0]})
    machine.driver("winch", kind="winch", payout="0.2*t**2")
    machine.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], elements=3, pulley={"radius": 0.05},
                  winch="winch", **ROPE)  # fmt: skip
    result = run(machine.run(duration=1.0, save_every=0.1))
    lengths = [rope_length(place, 0.05) for place in result["body_position"].values[[0, -1], 0]]
    assert lengths[1] - lengths[0] == pytest.approx(0.2, abs=1e-3)
    assert result.audit["verdict"] == "pass"
