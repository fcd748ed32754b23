"""Forward kinematics, stiffness, interference, rests, sensitivity, calibration and speed, by other means."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import taut
from robot_machines import eight_cables, planar, point
from taut.robots.calibration import calibrate
from taut.robots.forward import pose, pose_difference
from taut.robots.interference import interference
from taut.robots.lengths import lengths
from taut.robots.motion import circle, fastest
from taut.robots.rests.elastic import elastic_rest, unstrained_lengths
from taut.robots.rests.sagging import sagging_lengths, sagging_rest
from taut.robots.rotations import rotation
from taut.robots.sensitivity import sensitivity
from taut.robots.stiffness import stiffness
from taut.robots.tensions import tensions
from taut.robots.workspaces.region import grid_poses

ALL = {"eight": eight_cables(), "pulleys": eight_cables(radii=0.08), "planar": planar(stiffness=1e5), "point": point()}


@pytest.mark.parametrize("name", ALL)
def test_the_pose_comes_back_from_its_lengths(name):
    robot, rng = ALL[name], np.random.default_rng(0)
    for _ in range(5):
        there = robot.start + rng.uniform(-0.3, 0.3, robot.freedoms)
        found = pose(robot, lengths(robot, there).lengths[0])
        assert found.pose == pytest.approx(there, abs=1e-9) and found.found[0].cost < 1e-20


@pytest.mark.parametrize("name", ["eight", "pulleys", "planar"])
def test_stiffness_is_the_derivative_of_the_wrench(name):
    robot = ALL[name]
    found = stiffness(robot)
    L = lengths(robot).lengths[0] * robot.stiffness / (robot.stiffness + found.tensions)

    def wrench(at):
        here = lengths(robot, at)
        load = -tensions(robot, at).wrenches[0]
        return here.structure[0] @ (robot.stiffness * (here.lengths[0] / L - 1.0)) + load

    step = 1e-6 * np.eye(robot.freedoms)
    slopes = np.array([(wrench(robot.start - h) - wrench(robot.start + h)) / 2e-6 for h in step]).T
    assert found.matrix == pytest.approx(slopes, abs=1e-6 * np.abs(slopes).max())
    assert found.matrix == pytest.approx(found.matrix.T, abs=1e-9 * np.abs(slopes).max()) and found.is_stable


def test_a_rest_on_elastic_cables_is_where_its_lengths_were_taken():
    robot = eight_cables()
    L = unstrained_lengths(robot, method="barycentre")[0]
    found = elastic_rest(robot, L)
    assert found.pose == pytest.approx(robot.start, abs=1e-9) and not found.slack
    longer = L + np.eye(8)[4] * 0.3
    assert elastic_rest(robot, longer).slack == ("C5",)


def test_sagging_cables_hold_a_pose_and_straight_ones_are_their_limit():
    robot = eight_cables(mass_per_length=0.2)
    held = sagging_lengths(robot, goal=300.0)
    assert sagging_rest(robot, held.lengths, near=robot.start + 0.05).pose == pytest.approx(robot.start, abs=1e-9)
    light = eight_cables(mass_per_length=0.0)
    L = unstrained_lengths(light, method="barycentre")[0]
    assert sagging_rest(light, L).pose == pytest.approx(elastic_rest(light, L).pose, abs=1e-5)


def test_rests_are_those_of_the_engine():
    scenario = taut.library.load("crane-3")
    found = elastic_rest(scenario, [cable.length for cable in scenario.cables])
    engine = taut.statics(taut.build(scenario))
    assert found.pose == pytest.approx(engine.bodies["platform"]["position"], abs=1e-6)
    pulls = [engine.cables[name]["tension_anchor"] for name in found.cables]
    assert found.tensions == pytest.approx(pulls, rel=1e-6)


def test_distances_of_cables_and_boxes():
    robot = point(exits=[[0, 0, 2], [2, 0, 2], [0, 2, 2.0]], anchors=[[0, 0, 0], [0, 0, 0.5], [0.3, 0.3, 0]])
    found = interference(robot, [0.0, 0.0, 0.0], obstacles=[[[0.5, -1, 0.5], [1.5, 1, 0.6]]])
    ends = np.array([[0.0, 0, 2], [0, 0, 0], [2, 0, 2], [0, 0, 0.5]])
    s, t = np.random.default_rng(0).random((2, 200_000, 1))
    between = ends[0] + s * (ends[1] - ends[0]) - ends[2] - t * (ends[3] - ends[2])
    assert found.pair_distances[0, 0] <= np.linalg.norm(between, axis=1).min() + 1e-12
    assert found.pair_distances[0, 0] == pytest.approx(np.linalg.norm(between, axis=1).min(), abs=5e-3)
    assert found.obstacle_distances[0, 0, 0] == pytest.approx(0.5) and found.nearest_pairs
    with pytest.raises(taut.ScenarioError, match="lowest and a highest corner"):
        interference(robot, box=[1, 2, 3])


def test_distance_of_the_platform_from_obstacles():
    rng, half = np.random.default_rng(2), np.array([0.3, 0.5, 0.2])
    robot, wall = eight_cables(), np.array([[0.4, -0.6, 0.5], [1.4, 0.8, 1.5]])
    poses = rng.uniform([-1, -1.5, 0, -1, -1, -3], [2, 1.5, 2, 1, 1, 3], (40, 6))
    found = interference(robot, poses, box=[-half, half], obstacles=[wall]).body_distances[:, 0]
    # a point of one box less a point of the other: least squares with bounds
    bounds = (np.concatenate([-half, wall[0]]), np.concatenate([half, wall[1]]))
    for place, far in zip(poses, found, strict=True):
        twin = lsq_linear(np.hstack([rotation(place[3:]), -np.eye(3)]), -place[:3], bounds, method="bvls", tol=1e-14)
        assert far == pytest.approx(np.sqrt(2.0 * twin.cost), abs=1e-7)
    assert 5 < np.sum(found == 0.0) < 35


def test_the_nearest_approaches_are_told():
    robot, wall = eight_cables(), [2.0, 1.0, 0.0, 3.0, 2.0, 3.0]
    poses = grid_poses(robot, {"x": (-3, 3), "y": (-2, 2), "z": 1.3}, 5, [[0, 0, 0], [0, 0, 0.3]])
    found = interference(robot, poses, box=[-0.1, -0.7, -0.3, 0.1, 0.8, 0.3], obstacles=[wall])
    assert len(poses) == 50 and [one[2] for one in found.nearest] == sorted(one[2] for one in found.nearest)
    one, other, far, at = found.nearest[0]
    assert far == np.nanmin(found.clearance) == found.clearance[at]
    assert any({"platform", "obstacle 1"} == {one, other} for one, other, _, _ in found.nearest)
    assert [one[:2] for one in found.approaches] == [one[:2] for one in found.nearest]
    assert found.approaches[0][2][at] == far and found.approaches[0][2].shape == (50,)


def test_errors_move_the_pose_as_the_linear_answer_says():
    found = sensitivity(eight_cables(), exits=1e-4, anchors=1e-4, lengths=1e-4, samples=150)
    assert found.sampled == pytest.approx(found.deviation, rel=0.3)


def test_calibration_finds_what_was_moved():
    robot, rng = point(), np.random.default_rng(0)
    places = rng.uniform([1, 1, 0.5], [5, 4, 3.5], (15, 3))
    moved = point(exits=robot.exits + 0.02)
    found = calibrate(robot, places, lengths(moved, places).lengths + [0.01, -0.02, 0.0])
    assert found.robot.exits == pytest.approx(moved.exits, abs=1e-9) and found.offsets == pytest.approx(
        [0.01, -0.02, 0]
    )
    flat = places * [1, 1, 0] + [0, 0, 2]
    hidden = calibrate(robot, flat, lengths(robot, flat).lengths, unknowns=("exits", "anchors", "offsets"))
    assert hidden.hidden and np.isnan(hidden.exit_deviation).any()
    # four unknowns of four poses are met exactly: nothing is known about their spread
    exact = calibrate(robot, places[:4], lengths(moved, places[:4]).lengths)
    assert np.isnan(exact.exit_deviation).all() and np.isnan(exact.covariances).all()
    with pytest.raises(taut.ScenarioError, match="cannot tell 4 numbers"):
        calibrate(robot, places[:3], np.ones((3, 3)))


def test_covariances_are_those_of_many_calibrations():
    robot, rng = point(), np.random.default_rng(3)
    places = rng.uniform([1, 1, 0.5], [5, 4, 3.5], (12, 3))
    true = lengths(robot, places).lengths
    fits = [calibrate(robot, places, true + 1e-4 * rng.normal(size=true.shape)) for _ in range(300)]
    assert fits[0].names == ("exit x", "exit y", "exit z", "offset")
    drawn = np.array([np.hstack([fit.robot.exits, fit.offsets[:, None]]) for fit in fits])
    said = np.mean([fit.covariances for fit in fits], axis=0)
    for i in range(3):
        seen = np.cov(drawn[:, i].T)
        size = np.sqrt(np.outer(np.diag(seen), np.diag(seen)))
        assert np.abs(said[i] - seen).max() < 0.25 * size.max() and np.all(np.abs(said[i] - seen) < 0.3 * size)
    assert np.abs(fits[0].correlations).max() == pytest.approx(1.0)


def test_calibration_finds_stiffness_from_tensions():
    robot, rng = point(stiffness=2e5), np.random.default_rng(1)
    places, EA = rng.uniform([1, 1, 0.5], [5, 4, 3.5], (40, 3)), np.array([1e5, 2e5, 4e5])
    pulls = rng.uniform(50.0, 400.0, (40, 3))
    measured = lengths(robot, places).lengths / (1.0 + pulls / EA) + [0.01, -0.02, 0.0]
    found = calibrate(robot, places, measured, unknowns=("offsets", "stiffness"), tensions=pulls)
    assert found.robot.stiffness == pytest.approx(EA, rel=1e-8) and found.offsets == pytest.approx([0.01, -0.02, 0])
    # with noise the truth lies within a few of the standard deviations that are given
    noisy = measured + 1e-5 * rng.normal(size=measured.shape)
    found = calibrate(robot, places, noisy, unknowns=("exits", "offsets", "stiffness"), tensions=pulls)
    away = np.abs(found.robot.stiffness - EA) / found.stiffness_deviation
    assert np.all(away < 4.0) and np.all(found.stiffness_deviation < 0.05 * EA)
    even = calibrate(robot, places[:1] + np.zeros((9, 3)), measured[:9], unknowns=("offsets", "stiffness"),
                     tensions=np.full((9, 3), 100.0))  # fmt: skip
    assert any("offset, stiffness" in words for words in even.hidden)
    with pytest.raises(taut.ScenarioError, match="the stiffness needs 40 rows of 3 tensions"):
        calibrate(robot, places, measured, unknowns=("stiffness",))


def test_the_fastest_motion_is_just_feasible():
    robot = point()
    path = circle(robot, [2.7, 1.8, 2.5], 0.8)
    found = fastest(robot, path)
    t = np.linspace(0, 2 * np.pi, 721)
    places = np.stack([2.7 + 0.8 * np.cos(t), 1.8 + 0.8 * np.sin(t), np.full_like(t, 2.5)], -1)
    slower, faster = (tensions(robot, places, times=t / (found.factor * share)).is_feasible[5:-5]
                      for share in (0.99, 1.01))  # fmt: skip
    assert slower.all() and not faster.all()


def test_a_pose_difference_is_a_small_motion():
    robot = eight_cables()
    assert pose_difference(robot, robot.start, robot.start + [0, 0, 0.1, 0, 0, 0.2]) == pytest.approx(
        [0, 0, 0.1, 0, 0, 0.2]
    )


def test_a_motion_without_stiffness_gives_one_clear_answer():
    # all anchors and the centre of mass at one point: nothing opposes a turn
    loose = eight_cables(anchors=np.zeros((8, 3)), com=(0.0, 0.0, 0.0))
    assert not stiffness(loose).is_stable
    with pytest.raises(taut.ScenarioError, match="gives way without resistance"):
        stiffness(loose, load=[0, 0, 0, 1.0, 0, 0])


def test_cables_without_tension_are_named():
    robot = point(tension_min=0.0, stiffness=1e5)
    found = stiffness(robot, tensions=[50.0, 0.0, 60.0])
    assert found.loose == (robot.cables[1],) and not stiffness(robot).loose


@pytest.mark.parametrize(("call", "words"), [
    (lambda: pose(eight_cables(), [1, 2, 3]), "needs 8 positive numbers"),
    (lambda: stiffness(eight_cables(stiffness=np.inf)), "axial stiffness of the cables is not known"),
    (lambda: stiffness(eight_cables(), [7.5, 0, 3, 0, 0, 0]), "the platform does not rest there"),
    (lambda: fastest(eight_cables(), np.zeros((5, 6))), "needs times"),
    (lambda: interference(eight_cables(), trim=-1.0), "must be a length"),
    (lambda: interference(eight_cables(), obstacles=[0, 0, 0, np.nan, 1, 1]), "lowest and a highest corner"),
    (lambda: lengths(eight_cables(), drum_radius=0.0), "must be a radius"),
    (lambda: lengths(eight_cables(), [1e200, 0, 0, 0, 0, 0]), "lengths of cables overflow"),
    (lambda: eight_cables(mass_per_length=-1.0), "must be finite and not negative"),
    (lambda: eight_cables(stiffness=0.0), "must be positive"),
])  # fmt: skip
def test_bad_input_gets_one_clear_answer(call, words):
    with pytest.raises(taut.ScenarioError) as error:
        call()
    assert words in str(error.value) and len(error.value.problems) == 1
