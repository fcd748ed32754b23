"""Cranes in a few words: what they become, and what is refused."""

import numpy as np
import pytest

import taut
from taut.scenario.writing import dumps

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
    assert "bodies" not in text and taut.scenario.reading.loads(text) == scenario


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
