"""Study files: what is read, and what is wrong with those that cannot be used, with file and line."""

import pytest

import taut
from taut.scenario.errors import ScenarioError
from taut.studies.plan import corner_runs, make_plan
from taut.studies.running import COMPLETED, REFUSED, run_batch
from taut.studies.study import load_study, study_from

GOOD = """taut-study: 1
base: double-pendulum
vary:
  run.duration: 0.05
  bodies.upper.mass: {from: 1, to: 2, count: 3}
measure:
  ok: audit
"""


def read(tmp_path, text):
    (tmp_path / "s.yaml").write_text(text)
    return load_study(tmp_path / "s.yaml")


def test_a_study_is_the_same_after_it_was_written_down(tmp_path):
    study = read(tmp_path, GOOD)
    again = study_from(study.as_dict())
    assert study.count == 3 and again.digest == study.digest
    assert again.scenario(again.values(2)) == study.scenario(study.values(2))
    assert study.scenario(study.values(2)).bodies["upper"].mass == 2.0


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("measure:", "mesure:", "s.yaml:6: mesure: unknown key\n  did you mean 'measure'?"),
        ("double-pendulum", "double-pendulun", "s.yaml:2: base = 'double-pendulun'"),
        ("bodies.upper", "bodies.uper", "s.yaml:5: vary.bodies.uper.mass: bodies has no uper\n  did you mean 'upper'?"),
        ("upper.mass", "upper.mas", "s.yaml:5: vary.bodies.upper.mas = 1.0: unknown key"),
        ("from: 1", "frm: 1", "s.yaml:5: vary.bodies.upper.mass.frm"),
        ("to: 2", "to: 0", "s.yaml:5: vary.bodies.upper.mass.to = 0: must not be less than from = 1"),
        ("{from: 1, to: 2, count: 3}", "2", "nothing varies"),
        ("ok: audit", "ok: audi", "s.yaml:7: measure.ok"),
        ("ok: audit", "status: audit", "is a name of the dataset already"),
        ("  ok: audit", "  x: {maxx: time}", "did you mean 'max'?"),
    ],
)
def test_errors(tmp_path, old, new, text):
    with pytest.raises(ScenarioError) as error:
        read(tmp_path, GOOD.replace(old, new))
    assert text in str(error.value)


def test_an_impossible_corner_is_named(tmp_path):
    text = GOOD.replace("{from: 1, to: 2, count: 3}", "[1, 2, -3]")
    study = read(tmp_path, text)
    with pytest.raises(ScenarioError, match=r"s.yaml:5: vary.bodies.upper.mass = -3: .*where bodies.upper.mass = -3"):
        make_plan(study)


def test_a_corner_that_only_its_geometry_refuses_is_named_too(tmp_path):
    machine = taut.Machine("load on a pulley")
    machine.body("load", mass=1.0, joint={"kind": "point", "position": [0.5, 0, -2]})
    machine.cable("rope", kind="spring", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], axial_stiffness=1e4,
                  pulley={"radius": 0.1})  # fmt: skip
    study = taut.study(machine.scenario(), {"cables.rope.pulley.radius": [0.1, 5.0], "bodies.load.mass": [1, 2]},
                       {"ok": "audit"})  # fmt: skip
    with pytest.raises(ScenarioError, match=r"inside the sheave .*where cables.rope.pulley.radius = 5, bodies.load.ma"):
        make_plan(study)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "the design is empty"),
        ("bodies.upper.mass\n", "the design is empty"),
        ("bodies.upper.mass,bodies.upper.mass\n1,2\n", "has two columns bodies.upper.mass"),
        ("bodies.upper.mass,\n1,2\n", "has a column without a name"),
        ("bodies.upper.mass\n1\n2,3\n", "has 2 cells in line 3, and 1 in the header"),
        ("bodies.upper.mass,bodies.lower.mass\n1,2\n\n1,\n", "has no value of bodies.lower.mass in line 4"),
        (b"\xff\xfe\x00", "is no CSV file"),
        ("bodies.uper.mass\n1\n", "did you mean 'upper'"),
        ("bodies.upper.mass\nheavy\n", "must be a number"),
    ],
)
def test_lists_that_cannot_be_used(tmp_path, text, wrong):
    (tmp_path / "runs.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    text = GOOD.replace("  bodies.upper.mass: {from: 1, to: 2, count: 3}\n", "design: {kind: list, file: runs.csv}\n")
    with pytest.raises(ScenarioError) as error:
        make_plan(read(tmp_path, text))
    assert wrong in str(error.value) and "s.yaml:" in str(error.value)


def test_a_measure_that_results_do_not_have(tmp_path):
    with pytest.raises(ScenarioError, match=r"(?s)s.yaml:7: measure.x.max = 'joint_positio'.*did you mean"):
        make_plan(read(tmp_path, GOOD.replace("ok: audit", "x: {max: joint_positio}")))


def test_the_first_run_of_a_study_may_be_one_that_cannot_begin():
    def bars(*lengths):
        vary = {"run.duration": 0.02, "bodies.coupler.joint.origin[0]": list(lengths)}
        return make_plan(taut.study("four-bar", vary, {"x": {"max": "joint_position", "joint": "rocker"}}))

    plan = bars(20, 2)
    long, short = run_batch(plan.job, [(k, plan.study.values(k)) for k in range(2)])
    assert (long.status, short.status) == (REFUSED, COMPLETED) and "cannot be closed" in long.cause
    with pytest.raises(ScenarioError, match=r"cannot be closed.*where bodies.coupler.joint.origin\[0\] = 20"):
        bars(20, 30)


def test_an_event_that_no_machine_of_the_study_has():
    vary, known = {"bodies.ball.mass": [1, 2]}, {"x": {"event": "ground"}, "y": {"events": "gain singularity"}}
    make_plan(taut.study("ball-on-ground", vary, known))
    with pytest.raises(ScenarioError, match=r"(?s)measure.x.event = 'grund': is no event.*did you mean 'ground'"):
        make_plan(taut.study("ball-on-ground", vary, {"x": {"event": "grund"}}))


def test_corners_of_a_grid():
    study = taut.study(
        "double-pendulum", {"bodies.upper.mass": [1, 2, 3], "bodies.lower.mass": [1, 2]}, {"ok": "audit"}
    )
    assert {0, 1, 4, 5} <= set(corner_runs(study))


def test_star_stands_for_every_entry():
    study = taut.study("double-pendulum", {"bodies.*.mass": [1, 2.5]}, {"ok": "audit"})
    scenario = study.scenario(study.values(1))
    assert [body.mass for body in scenario.bodies.values()] == [2.5, 2.5]


def test_signals_and_controllers_are_values():
    rival = {"kind": "pid", "period": 0.02, "measure": "x", "command": "push", "setpoint": "place", "kp": 9}
    study = taut.study("crane-2d", {"controllers.place": [rival], "signals.place": [{"kind": "waypoints",
                       "times": [0, 5], "values": [0, 2]}], "run.duration": [1, 2]}, {"ok": "audit"})  # fmt: skip
    scenario = study.scenario(study.values(0))
    assert scenario.controllers["place"].period == 0.02 and scenario.signals["place"].times == (0, 5)


def test_noise_of_a_run_belongs_to_its_number():
    study = taut.study("crane-2d", {"crane.links.load.mass": [40, 50, 60]}, {"ok": "audit"})
    seeds = [study.values(k)["run.seed"] for k in range(3)]
    assert len(set(seeds)) == 3 and study.values(1)["run.seed"] == seeds[1]


@pytest.mark.parametrize(
    ("vary", "is_noisy"),
    [
        ({"measurements.x.noise": [0.1, 0.2]}, True),
        ({"measurements.x": [{"joint": "trolley"}, {"joint": "trolley", "drift": 0.1}]}, True),
        ({"measurements.x": [{"joint": "trolley"}, {"joint": "trolley", "bias": 0.1}]}, False),
    ],
)
def test_noise_that_the_study_itself_gives(vary, is_noisy):
    scenario = taut.library.load("crane-2d", ["measurements.x.noise=0", "measurements.v.noise=0"])
    assert taut.study(scenario, vary, {"ok": "audit"}).is_noisy == is_noisy


def test_list_of_runs(tmp_path):
    (tmp_path / "runs.csv").write_text("bodies.upper.mass,run.integrator\n1.5,radau\n2,explicit\n")
    text = (
        GOOD.replace("  bodies.upper.mass: {from: 1, to: 2, count: 3}\n", "") + "design: {kind: list, file: runs.csv}\n"
    )
    study = read(tmp_path, text)
    assert study.count == 2 and study.values(1) == {
        "run.duration": 0.05,
        "bodies.upper.mass": 2,
        "run.integrator": "explicit",
    }
