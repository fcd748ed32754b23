"""Each line of the audit fails on what it is there for."""

import numpy as np
import pytest

from faults import plants_tables as T
from faults.plant import faulted, load, run
from taut.audit.events import event_line
from taut.audit.impacts import impact_line
from taut.audit.inputs import input_line
from taut.audit.laws import law_line
from taut.audit.projection import projection_line
from taut.audit.scenario import build_line
from taut.audit.twin.closures import closure_line
from taut.audit.twin.motion import evaluate_motion
from taut.audit.twin.points import Points, no_points
from taut.build import build
from taut.results.record import RunRecord
from taut.scenario.builder import Machine

TIMES = np.linspace(0.1, 5.0, 9)


@pytest.mark.parametrize(
    ("machine", "plant"),
    [
        ("stewart-actuated", T.scaled("nodes", "mass", 1.01, T.body("platform"))),
        ("mamidi-pick-and-place", T.scaled("nodes", "mass", 1.01, T.element("C1", 2))),
        ("tempel-planar", T.scaled("columns", "stiffness", 1.01, T.stretch("C2", 4))),
        ("cogiro", T.scaled("tethers", "stiffness", 1.01, T.row(0))),
        ("crane-3d", T.scaled("settings", "gravity", 0.99, T.row(0))),
        ("crane-3d", T.delayed(5e-3)),
        ("double-pendulum", T.scaled("nodes", "com", 1.01, T.row(1))),
        ("double-pendulum", T.scaled("nodes", "mass", 0.0, T.row(1))),
    ],
)
def test_a_model_that_is_not_the_scenarios_fails(machine, plant):
    model = load(machine)
    assert build_line(model, TIMES)["verdict"] == "pass"
    assert build_line(faulted(model, plant), TIMES)["verdict"] == "fail"


def tether_channels(model, tension, distance):
    """Channels of eight cables of 10 m; the first has that tension and that distance of its ends."""
    count = len(model.names.cables)
    nodes = np.zeros((2, count, 2, 3))
    nodes[:, :, 1, 0], nodes[:, 0, 1, 0] = 10.01, distance
    tensions = np.full((2, count, 1), 100.0)
    tensions[:, 0] = tension
    length = np.full((2, count), 10.0)
    return {"time": np.arange(2.0), "cable_tension": tensions, "cable_nodes": nodes, "cable_length": length}


PUSHES = [(-1.0, 9.0, "fail"), (0.0, 10.2, "fail"), (0.0, 9.0, "pass"), (50.0, 10.2, "pass")]


@pytest.mark.parametrize(("tension", "distance", "verdict"), PUSHES)
def test_cables_that_push_or_are_slack_and_longer_fail(tension, distance, verdict):
    model = load("cogiro")
    assert law_line(model, tether_channels(model, tension, distance), 15.0, RunRecord())["verdict"] == verdict


@pytest.mark.parametrize(("damping", "later", "verdict"), [(0.0, 9.9, "fail"), (2.0, 9.9, "pass"), (2.0, 10.3, "fail")])
def test_a_slack_rope_may_be_longer_while_its_damper_takes_the_pull(damping, later, verdict):
    machine = Machine("hung")
    machine.body("load", mass=10.0, joint={"kind": "prismatic", "origin": [0, 0, -10]})
    machine.cable("rope", kind="spring", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], length=10.0,
                  axial_stiffness=1e5, axial_damping=damping * 1e5)  # fmt: skip
    model = build(machine)
    channels = tether_channels(model, 0.0, 10.2)
    channels["cable_nodes"][1, 0, 1, 0] = later  # one second later, shorter by 0.3 m or longer by 0.1 m
    channels["cable_tension"][1, 0] = 100.0
    assert law_line(model, channels, 15.0, RunRecord())["verdict"] == verdict


@pytest.mark.parametrize(("breaks", "verdict"), [(None, "fail"), (0.5, "fail"), (-0.5, "pass")])
def test_only_a_rope_that_broke_may_be_slack_and_longer(breaks, verdict):
    machine = Machine("hung")
    machine.body("load", mass=10.0, joint={"kind": "prismatic", "origin": [0, 0, -10]})
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], breaking_load=1e3)
    machine.failure("cut", at=5.0, kind="cut", target="rope")
    events = [] if breaks is None else [{"time": breaks, "name": "cut", "what": "rope is cut"}]
    channels = tether_channels(build(machine), 0.0, 10.2)
    assert law_line(build(machine), channels, 15.0, RunRecord(events=events))["verdict"] == verdict


@pytest.mark.parametrize(("side", "verdict"), [(-1, "fail"), (1, "pass")])
def test_a_run_that_continues_knows_which_ropes_broke_before(side, verdict):
    machine = Machine("hung")
    machine.body("load", mass=10.0, joint={"kind": "prismatic", "origin": [0, 0, -10]})
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], breaking_load=1e3)
    model = build(machine)
    sides = np.full(len(model.tables.events), -1)
    sides[list(model.names.switches)] = side
    channels = tether_channels(model, 0.0, 10.2)
    assert law_line(model, channels, 15.0, RunRecord(), sides)["verdict"] == verdict


@pytest.mark.parametrize(("step", "verdict"), [(0.01, "pass"), (0.1, "fail")])
def test_a_fixed_step_that_passes_over_an_input_fails(step, verdict):
    machine = Machine("pulse")
    force = "100*exp(-((t - 3.35)/0.02)**2)"
    machine.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": force})
    model = build(machine.run(duration=6.0).scenario())
    steps = {"step_size": np.full(int(6 / step), step), "step_time": np.arange(1, int(6 / step) + 1) * step}
    assert input_line(model, steps)["verdict"] == verdict


@pytest.mark.parametrize("where", ["step", "step_rate", "sample", "sample_rate"])
@pytest.mark.parametrize(("gap", "verdict"), [(1e-3, "fail"), (np.nan, "fail"), (1e-7, "pass")])
def test_large_projections_fail(gap, verdict, where):
    sizes = {"step": 0.0, "step_rate": 0.0, "sample": 0.0, "sample_rate": 0.0, where: gap}
    record = RunRecord(method="radau", tolerance=1e-6)
    assert projection_line(load("stewart-actuated"), record, sizes, 1.0)["verdict"] == verdict


@pytest.mark.parametrize(("after", "verdict"), [(0.85, "fail"), (0.8, "pass")])
def test_impacts_follow_their_restitution(after, verdict):
    model = load("ball-on-ground")
    struck = np.array([[0.5, 0.0, -1.0, after, 2.0]])
    model = faulted(model, T.assigned("closures", "restitution", 0.8, T.every)) if hit(model) != 0.8 else model
    assert impact_line(model, struck)["verdict"] == verdict


@pytest.mark.parametrize(("more", "verdict"), [(0.0, "pass"), (0.05, "fail")])
def test_impacts_inside_nonsmooth_steps_are_judged(more, verdict):
    plant = T.added("closures", "restitution", more, T.every) if more else None
    line = run(load("ball-on-ground"), 0.6, plant).audit["impacts"]
    assert (line["verdict"], line["count"]) == (verdict, 1)
    assert line["max"] == pytest.approx(more, abs=1e-12)


def hit(model):
    """Restitution of the first closure."""
    return float(model.tables.closures["restitution"][0])


@pytest.mark.parametrize(("known", "verdict"), [([], "fail"), ([{"name": "lift-off", "time": 0.55}], "pass")])
def test_a_crossing_that_is_no_event_fails(known, verdict):
    model = load("mamidi-quadcopter-failure")
    count = len(model.names.bodies)
    position, quaternion = np.zeros((3, count, 3)), np.zeros((3, count, 4))
    position[:, :, 2] = np.array([0.05, 0.05, 0.15])[:, None]
    quaternion[..., 0] = 1.0
    arrays = {"time": np.array([0.0, 0.5, 0.6]), "body_position": position, "body_quaternion": quaternion,
              "body_velocity": np.ones_like(position), "body_angular_velocity": 0 * position}  # fmt: skip
    assert event_line(model, arrays, RunRecord(events=known))["verdict"] == verdict


@pytest.mark.parametrize(("angle", "verdict"), [(0.3 * np.sin(0.5), "pass"), (0.15 * np.sin(0.5), "fail")])
def test_a_prescribed_motion_that_is_halved_fails(angle, verdict):
    machine = Machine("arm")
    joint = {"kind": "universal", "axes": [[1, 0, 0], [0, 1, 0]], "motion": ["0.3*sin(2*t)", None]}
    machine.body("arm", mass=2.0, com=[0, 0, -0.5], box=[0.1, 0.1, 1.0], joint=joint)
    model = build(machine.scenario())
    empty = {name: np.zeros((1, *value.shape[1:])) for name, value in vars(no_points(model)).items()}
    here = {"q": np.array([[angle, 0.0]]), "time": np.array([0.25]), "high": np.array([np.inf])}
    points = Points(**(empty | here))
    assert closure_line(model, points, evaluate_motion(model, points).rows, 1e-9)["verdict"] == verdict


@pytest.mark.parametrize(("time", "verdict"), [(2.5, "pass"), (2.55, "fail"), (None, "fail")])
def test_a_failure_that_comes_late_or_never_fails(time, verdict):
    model = load("cable-cut")
    events = [] if time is None else [{"time": time, "name": "C3 parts", "what": "acts"}]
    line = event_line(model, {"time": np.linspace(0.0, 4.0, 5)}, RunRecord(events=events))
    assert line["verdict"] == verdict and line["failures"] == 1
    # no verdict on a run that ended before the time at which the cable should fail
    assert event_line(model, {"time": np.linspace(0.0, 2.0, 3)}, RunRecord()) is None


def test_a_cable_that_is_hardly_stretched_raises_no_alarm():
    # C4 carries a strain of 7e-6, and C2 is slack
    model = load("robocrane", ["cables[1].length=12.7454"])
    assert run(model, 0.1).audit["verdict"] == "pass"
