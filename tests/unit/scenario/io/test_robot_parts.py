"""A cable robot in one record."""

import numpy as np
import pytest

from taut.build import build
from taut.library import load
from taut.model.laws import LawKind
from taut.scenario.builder import Machine
from taut.scenario.cables.ways import lay
from taut.scenario.errors import ScenarioError
from taut.scenario.io.reading import loads
from taut.scenario.records.orientation import rotation_from_vector
from taut.scenario.signals.rope_length import rotated
from taut.scenario.start_pose import start_poses

EXITS = [[-1, -1, 2], [1, -1, 2], [1, 1, 2], [-1, 1, 2]]
ANCHORS = [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0]]


def machine(**robot):
    """A robot with four cables, from the record ``robot``."""
    made = Machine("robot", robot={"exits": EXITS, "anchors": ANCHORS, "cable": {"kind": "ideal"}, **robot})
    return made.platform(mass=2.0, box=[0.2, 0.2, 0.1], position=[0, 0, 0.5]).run(duration=2.0, save_every=0.1)


def test_winches_pay_out_what_the_path_needs():
    """A winch pays out the change of the straight length from exit to anchor along the path."""
    scenario = machine(path=["0.3*t", 0, 0.5]).scenario()
    payout = scenario.signal(scenario.drivers["C1 winch"].payout)
    for t in (0.0, 0.7, 2.0):
        anchor = np.array([0.3 * t - 0.1, -0.1, 0.5])
        way = np.linalg.norm(anchor - EXITS[0]) - np.linalg.norm(np.array([-0.1, -0.1, 0.5]) - EXITS[0])
        assert float(payout.evaluate(t)[0]) == pytest.approx(way, abs=1e-12)


def test_turns_are_rotation_vectors():
    """A rotation vector turns a vector as Rodrigues' formula does."""
    assert rotated(np.array([[0, 0, np.pi / 2]]), np.array([1.0, 0, 0])) == pytest.approx(np.array([[0, 1.0, 0]]))


def test_drums_have_motors_and_measurements():
    """The library's robot has eight motors and eight measurements from few lines, and no sampled controller."""
    model = build(load("eight-cable-robot"))
    assert not model.plan.controllers
    assert len(model.plan.drums) == 8
    laws = [int(model.tables.columns["law"][model.tables.nodes["column"][model.names.nodes.index(f"C{k}.drum")]])
            for k in range(1, 9)]  # fmt: skip
    assert laws == [LawKind.LAGGED_MOTOR] * 8
    assert {"C8 tension", "C8 length", "C8 angle", "C8 speed", "C8 torque"} <= set(model.plan.measurements)


def test_drums_have_servos():
    """There is a servo for every drum, with its command."""
    scenario = machine(drum={"radius": 0.05, "inertia": 0.004}, path=[0.1, 0, "0.5 + 0.1*t"]).scenario()
    assert len(scenario.controllers) == 4
    assert all(f"C{k}_torque" in scenario.signals for k in range(1, 5))


def test_lists_of_different_lengths_are_refused():
    """Lists of different lengths give one clear error at the key."""
    with pytest.raises(ScenarioError, match="there are 4 exits and 3 anchors"):
        machine(anchors=ANCHORS[:3]).scenario()


def test_guides_of_each_cable_are_asked_for():
    with pytest.raises(ScenarioError, match="give a list of guides for every cable"):
        load("eight-cable-robot", ["robot.cable.via=[{kind: pinhole, point: [0.0, 0.3, 2.4]}]"])


def test_lengths_along_a_path_know_guides_of_every_cable():
    """A wheel in the world and one on the body: what the winches pay out is the change of the way over both."""
    wheel = {"kind": "sheave", "radius": 0.05}
    guides = [[{**wheel, "point": [0.9 * x, 0.9 * y, 2.7], "axis": [-y, x, 0], "side": "over"},
               {**wheel, "body": "platform", "point": [0.8 * a, 0.8 * b, 0.2], "axis": [-b, a, 0]}]
              for (x, y, _), (a, b, _) in zip(EXITS, ANCHORS, strict=True)]  # fmt: skip
    made = machine(guides=guides, path=["0.2*smoothstep(t/2)", "0.1*sin(t)", 0.5], turn=[0, 0, "0.1*t"])
    scenario = made.scenario()
    poses = start_poses(scenario)
    for k, cable in enumerate(scenario.cables):
        assert len(cable.via) == 2
        curve = scenario.signal(scenario.drivers[f"C{k + 1} winch"].payout)
        spin = rotation_from_vector(np.array([0, 0, 0.1 * 2.0]))
        at = {**poses, "platform": (spin, np.array([0.2, 0.1 * np.sin(2.0), 0.5]))}
        begin = {**poses, "platform": (np.eye(3), np.array([0.0, 0.0, 0.5]))}
        ways = [lay(cable, np.array(cable.exit), own).length for own in (begin, at)]
        assert curve.evaluate(2.0)[0] == pytest.approx(ways[1] - ways[0], abs=1e-12)


@pytest.mark.parametrize(("guides", "said"), [
    ([[]], "4 exits and 1 lists of guides"),
    ([[{"kind": "pinhole", "body": "crane"}], [], [], []], "neither the world nor platform"),
    ([[{"kind": "sheave", "radius": 0.2, "axis": [0, 1, 0], "point": [-1, -1, 1.9]}], [], [], []], "inside the sheave"),
])  # fmt: skip
def test_wrong_guides_are_refused(guides, said):
    with pytest.raises(ScenarioError, match=said):
        machine(guides=guides, path=["0.2*smoothstep(t/2)", 0, 0.5]).scenario()


@pytest.mark.parametrize("robot", [{}, {"drum": {"radius": 0.05, "inertia": 0.004}}])
def test_a_mistake_in_the_path_is_told_once_and_where_it_is(robot):
    with pytest.raises(ScenarioError) as said:
        machine(**robot, path=["0.3*smothstep(t)", 0, 0.5]).scenario()
    assert [problem.path for problem in said.value.problems] == ["robot.path[0]"]


@pytest.mark.parametrize(("inertia", "is_fast"), [(0.0029, True), (0.0031, False)])
def test_a_servo_that_swings_up_is_remarked(inertia, is_fast):
    servo = {"period": 0.005, "kp": 15, "kv": 1.2, "ki": 10, "limit": 60}
    robot = machine(drum={"radius": 0.05, "inertia": inertia}, servo=servo).scenario()
    assert any("C1 servo and 3 more: kv times period" in text for text in robot.warnings()) == is_fast


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"path": [0.5, 0, 0.5]}, "the path begins at x 0.5, platform stands at x 0: 0.5 m apart"),
        ({"path": ["0.3*sin(t)", 0, 0.5]}, "begins with 0.3 m/s, platform at rest"),
        ({"path": [0, 0, "0.5 + 2*smoothstep(t/2)"]}, "leaves the frame of the exits"),
        ({"path": [0, 0, 0.5], "turn": [0, 0, "30*smoothstep(t/2)"]}, "30 rad, that is 1719 degrees"),
        ({"path": [0, 0, 0.5], "turn": [0, 0, 0.2]}, "turn begins with 0.2 rad"),
        ({"exits": [[-1, -1, 2000], *EXITS[1:]]}, "exits[0] = [-1.0, -1.0, 2000.0] lies 1998 m"),
        ({"drum": {"radius": 50, "inertia": 1.0}}, "larger than the frame"),
    ],
)
def test_slips_are_remarked(changes, said):
    """With the number and the reason, and once."""
    texts = machine(**changes).scenario().warnings()
    assert sum(said in text for text in texts) == 1, texts


@pytest.mark.parametrize("path", [[0, 0, 0.5], ["0.3*smoothstep(t)", 0, "0.5 - 2*smoothstep(t/2)"]])
def test_good_paths_are_not(path):
    """Also one that goes down below exits that are all above."""
    assert not [text for text in machine(path=path).scenario().warnings() if text.startswith("robot")]


TEXT = """taut: 1
name: r
platform: {mass: 2, box: [0.2, 0.2, 0.1], position: [0, 0, 0.5]}
robot:
  exits: [[-1, -1, 2], [1, -1, 2], [1, 1, 2], [-1, 1, 2]]
  anchors: [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0]]
  cable:
    kind: spring
    axial_stiffness: 1e5
initial: {pretension: 20}
run: {duration: 1, save_every: 0.1}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("axial_stiffness: 1e5", "axial_stifness: 1e5", r"r:9: robot.cable.axial_stifness = 100000.0: unknown key\n"),
        ("axial_stiffness: 1e5", "axial_stiffness: -1", r"r:9: robot.cable.axial_stiffness = -1: must be greater"),
        ("pretension: 20", "pretension: 20 N", r"r:10: initial.pretension = '20 N': must be a number \[N\]"),
        ("name: r", "name: r\ngravity: 9.81", r"r:3: gravity = 9.81: must be a list of 3"),
        ("  cable:", "  servo: {kp: 2}\n  cable:", r"r:7: robot.servo: needs drum"),
    ],
)
def test_mistakes_have_their_place(old, new, said):
    """File, line, key and value as the user wrote them."""
    with pytest.raises(ScenarioError, match=said):
        loads(TEXT.replace(old, new), "r")


def test_mistakes_of_the_cable_are_told_with_others():
    """All at once."""
    text = TEXT.replace("axial_stiffness", "axial_stifness").replace("  cable:", "  gears: 1\n  cable:")
    with pytest.raises(ScenarioError) as caught:
        loads(text, "r")
    assert {problem.path for problem in caught.value.problems} >= {"robot.gears", "robot.cable.axial_stifness"}


def test_one_cable_of_a_robot_cannot_be_set():
    """And it says what can be done."""
    with pytest.raises(ScenarioError, match="write the ropes under cables"):
        loads(TEXT, "r", overrides=["cables.C1.length=2"])


def test_a_failure_after_the_end_is_remarked():
    """It would never come."""
    scenario = loads(TEXT + "failures: [{name: f, at: 20, kind: cut, target: C1}]\n", "r")
    assert any("is after the end of the run, 1 s" in text for text in scenario.warnings())


def test_the_same_of_many_cables_is_said_once():
    """With how many more."""
    texts = loads(TEXT.replace("1e5", "1"), "r").warnings()
    assert sum("EA" in text for text in texts) == 1
    assert any("(and 3 more)" in text for text in texts)
