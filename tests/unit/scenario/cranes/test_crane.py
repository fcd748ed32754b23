"""Cranes in a few words: what they become, and what is refused."""

import numpy as np
import pytest

import taut
from taut.scenario.io.writing import dumps

TROLLEY = {"mass": 20.0, "force": 1.0}


def crane(**keys):
    return taut.Machine("crane").crane(**{"trolley": TROLLEY, **keys}).run(duration=1.0)


def test_words_become_ordinary_bodies():
    scenario = crane(height=3.0, links=[{"length": 2.0, "mass": 10.0}, {"name": "load", "mass": 5.0}]).scenario()
    bodies = scenario.all_bodies()
    assert list(bodies) == ["trolley", "link1", "load-rope", "load"]
    assert bodies["link1"].com == (0.0, 0.0, -2.0) and bodies["load-rope"].massless
    assert bodies["load-rope"].joint.origin == (0.0, 0.0, -2.0)
    assert taut.start_state(taut.build(scenario)).error == 0.0


def test_a_crane_is_written_as_it_was_said():
    scenario = crane(links=[{"name": "load", "mass": 5.0, "motion": "3 + 0.1*t"}]).scenario()
    text = dumps(scenario)
    assert "bodies" not in text and taut.scenario.io.reading.loads(text) == scenario


def test_as_the_same_machine_in_full():
    short = crane(
        links=[{"name": "load", "length": 2.0, "mass": 5.0, "angle": 0.3}], trolley={"mass": 20.0, "force": 7.0}
    )
    full = taut.Machine("crane").run(duration=1.0)
    full.body("trolley", mass=20.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": 7.0})
    hinge = {"kind": "revolute", "axis": [0, -1, 0], "parent": "trolley", "position": 0.3}
    full.body("load", mass=5.0, com=[0, 0, -2], joint=hinge)
    ends = [
        taut.simulate(taut.build(machine.scenario()), tolerance=1e-11)["joint_position"].values[-1]
        for machine in (short, full)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-10)


def test_a_rope_cut_into_links_shares_its_mass():
    model = taut.build(crane(links=[{"length": 10.0, "mass": 5.0, "rod_mass": 2.0, "count": 4}]).scenario())
    assert model.tables.nodes["mass"][2:] == pytest.approx([1.75] * 4)
    assert model.column_count == 5


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_ropes_close_to_their_payload(kind):
    ropes = [{"trolley": [x, y, 0], "payload": [1.5 * x, y, 0.2], "mass": 1.0} for x, y in [(-0.5, 0), (0.5, 0)]]
    if kind == "spatial":
        ropes += [{"trolley": [0, 0.5, 0], "payload": [0, 0.4, 0.2], "mass": 1.0}]
    machine = crane(kind=kind, ropes=ropes, payload={"mass": 9.0, "box": [2, 1, 0.4], "below": 4.0, "shift": 0.1})
    model = taut.build(machine.scenario())
    start = taut.start_state(model)
    assert start.error < 1e-10 and not start.redundant
    assert model.column_count - start.rank == (2 if kind == "planar" else 4)
    audit = taut.simulate(model, tolerance=1e-8).audit
    assert audit["constraint_error"]["verdict"] == "pass" and audit["energy"]["relative"] < 1e-5


def test_backlash_lets_the_motor_run_ahead():
    play = {"gap": 0.01, "stiffness": 1e5, "damping": 1e3, "motor_mass": 5.0}
    machine = crane(trolley={**TROLLEY, "force": 10.0, "backlash": play}, links=[{"name": "load", "mass": 50.0}])
    result = taut.simulate(taut.build(machine.scenario()), save_every=0.005, tolerance=1e-8)
    motor, trolley = (result["body_position"].sel(body=name, xyz="x").values for name in ("trolley-motor", "trolley"))
    touched = np.flatnonzero(trolley > 1e-9)[0]
    # until the gap is closed only the motor moves, by F t^2 / 2 m
    assert result.time[touched] == pytest.approx(np.sqrt(2 * 0.01 * 5.0 / 10.0), abs=0.01)
    assert 0.0 < motor[-1] - trolley[-1] < 0.011 and result.audit["verdict"] == "pass"
    first = result.events[0]
    assert first["time"] == pytest.approx(np.sqrt(2 * 0.01 * 5.0 / 10.0), abs=1e-6) and first["what"] == "goes taut"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"links": []}, "needs either links or ropes"),
        ({"links": [{"length": 1.0}]}, "crane.links\\[0\\].mass: the last link must carry a mass"),
        ({"links": [{"mass": 1.0, "motion": 2.0, "hoist_force": 1.0}]}, "cannot be given and free at once"),
        ({"links": [{"mass": 1.0, "motion": 2.0, "count": 3}]}, "needs a fixed length"),
        ({"links": [{"mass": 1.0, "angle": [0.1, 0.2]}]}, "two angles need kind: spatial"),
        ({"links": [{"mass": 1.0}], "bridge": {"mass": 3.0}}, "needs kind: spatial"),
        ({"links": [{"mass": 1.0, "name": "a", "count": 2}]}, "is for one link"),
        ({"links": [{"mass": 1.0}], "trolley": {"mass": 1.0, "motion": 0.0, "force": 1.0}}, "has no effect"),
        ({"links": [{"mass": 1.0, "motion": "2*tt"}]}, "crane.links\\[0\\]"),
        ({"links": [{"mass": 1.0}], "ropes": []}, None),
    ],
)
def test_what_is_no_crane(keys, message):
    if message is None:
        assert crane(**keys).scenario()
        return
    with pytest.raises(taut.ScenarioError, match=message):
        crane(**keys).scenario()


def test_names_of_the_crane_are_taken():
    machine = crane(links=[{"name": "load", "mass": 1.0}]).body("load", mass=1.0)
    with pytest.raises(taut.ScenarioError, match="already given"):
        machine.scenario()


GRIPPED = {"mass": 50.0, "box": [0.8, 0.8, 0.8], "below": 1.1}


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_a_gripped_payload_hangs_as_if_it_were_one_with_its_hook(kind):
    """Hook and payload swing as one body until the payload is let go; it falls freely, and the hook swings alone."""
    hook = {"name": "hook", "length": 4.0, "mass": 10.0, "angle": 0.3}
    trolley = {"mass": 20.0, "motion": 0.0}
    held = crane(kind=kind, trolley=trolley, links=[{**hook, "payload": {**GRIPPED, "release": 0.6}}])
    result = taut.simulate(taut.build(held.run(save_every=0.02).scenario()), tolerance=1e-10)
    # the machine is one rigid pendulum: I theta'' = -sum(m g arm) sin(theta)
    turn = 10 * 4.0**2 + 50 * 5.1**2 + 50 * (0.8**2 + 0.8**2) / 12
    pull = 9.81 * (10 * 4.0 + 50 * 5.1)
    angle, rate = swing(0.3, 0.0, pull / turn, 0.6)
    place = result["body_position"].sel(body="payload").values
    speed = result["body_velocity"].sel(body="payload").values
    k = int(np.argmin(np.abs(result.time - 0.6)))
    assert place[k, [0, 2]] == pytest.approx([5.1 * np.sin(angle), -5.1 * np.cos(angle)], abs=1e-6)
    assert speed[k, [0, 2]] == pytest.approx(5.1 * rate * np.array([np.cos(angle), np.sin(angle)]), abs=1e-6)
    s = result.time[-1] - 0.6
    falls = place[k] + s * speed[k] + [0, 0, -9.81 * s**2 / 2]
    assert place[-1] == pytest.approx(falls, abs=1e-6)
    angle, _ = swing(angle, rate, 9.81 / 4.0, s)
    hook_at = result["body_position"].sel(body="hook").values[-1, [0, 2]]
    assert hook_at == pytest.approx([4.0 * np.sin(angle), -4.0 * np.cos(angle)], abs=1e-6)
    assert [event["what"] for event in result.events] == ["payload-grip lets go"]
    assert result.audit["verdict"] == "pass"


def swing(angle, rate, stiffness, time):
    """A pendulum's angle and its rate after a time."""
    from scipy.integrate import solve_ivp

    def slope(_, y):
        return [y[1], -stiffness * np.sin(y[0])]

    return solve_ivp(slope, (0.0, time), [angle, rate], rtol=1e-12, atol=1e-12).y[:, -1]


def test_a_payload_is_lifted_from_the_ground_and_dropped():
    hoist = {"kind": "waypoints", "times": [0.5, 1.5, 3.0, 3.1], "values": [0, -640, -640, -98.1], "blend": "quintic"}
    link = {"name": "hook", "length": 8.5, "mass": 10.0, "hoist_force": hoist, "payload": {**GRIPPED, "release": 3.0}}
    machine = crane(height=10.0, trolley={"mass": 20.0, "motion": 0.0}, links=[link])
    machine.ground(body="payload", height=0.0, stiffness=5e4, damping=2e3).run(duration=4.6, save_every=0.02)
    result = taut.simulate(taut.build(machine.scenario()))
    height, time = result["body_position"].sel(body="payload").values[:, 2], result.time
    assert np.abs(height[time < 1.2] - 0.4).max() < 0.03  # the payload stands still
    assert height[time <= 3.0][-1] > 0.8  # the payload is lifted
    assert height[-1] == pytest.approx(0.4 - 50 * 9.81 / 5e4, abs=1e-3)  # the payload falls and stands still again
    assert result.audit["verdict"] == "pass"


@pytest.mark.parametrize("link", [{"hoist_force": -1000.0, "mass": 10.0}, {"motion": "2.0 - 3.0*t", "mass": 10.0}])
def test_a_rope_of_a_crane_that_is_hauled_in_to_its_end_ends_the_run(link):
    machine = crane(height=10.0, trolley={"mass": 20.0, "motion": 0.0}, links=[{"name": "hook", "length": 2.0, **link}])
    result = taut.simulate(taut.build(machine.run(duration=2.0, save_every=0.02).scenario()))
    assert result.status == "out of rope"
    assert result.audit["verdict"] == "fail"
    assert "hook" in result.status_text


def test_a_failure_may_let_the_payload_go():
    machine = crane(links=[{"name": "hook", "mass": 1.0, "payload": GRIPPED}])
    scenario = machine.failure("drop", at=0.5, kind="release", target="payload-grip").scenario()
    assert [failure.name for failure in scenario.all_failures()] == ["drop"]
    assert taut.build(scenario).names.switches


def test_a_drop_in_the_middle_of_a_move():
    result = taut.simulate(taut.build(taut.library.load("crane-payload-drop")))
    after = result.time > 6.01
    speed = result["body_velocity"].sel(body="payload").values[after]
    assert np.diff(speed[:, 2]) / np.diff(result.time[after]) == pytest.approx(-9.81, rel=1e-5)
    assert np.ptp(speed[:, 0]) < 1e-5
    hook = result["body_position"].sel(body="hook").values[:, 2]
    assert hook[after].max() > hook[~after].max() + 0.1  # the hook leaps up without its payload
    assert result.audit["verdict"] == "pass"


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([{"mass": 1.0, "payload": GRIPPED}], "needs a link with a name and a mass"),
        ([{"name": "hook", "rod_mass": 1.0, "payload": GRIPPED}], "needs a link with a name and a mass"),
        ([{"name": f"hook{k}", "mass": 1.0, "payload": GRIPPED} for k in range(2)], "one payload only"),
        ([{"name": "hook", "mass": 1.0, "payload": {**GRIPPED, "release": -1.0}}], "release"),
        ([{"name": "payload", "mass": 1.0, "payload": GRIPPED}], "is the name of what is gripped"),
    ],
)
def test_grips_that_make_no_sense(links, message):
    with pytest.raises(taut.ScenarioError, match=message):
        crane(links=links).scenario()


def test_angle_and_rate_of_every_link_are_kept():
    links = [{"length": 2, "mass": 5, "angle": 0.1, "rate": 0.2},
             {"length": 4, "mass": 10, "count": 2, "angle": 0.3, "rate": -0.4}]  # fmt: skip
    machine = taut.Machine("crane").crane(height=10, trolley={"mass": 20, "motion": 0.0}, links=links)
    model = taut.build(machine.scenario())
    assert model.start_coordinates.tolist() == [0.1, 0.3, 0.0]
    assert model.start_velocities.tolist() == [0.2, -0.4, 0.0]
