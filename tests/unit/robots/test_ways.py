"""Ropes over guides on the platform: against the definition in numpy, finite differences and the engine's rest."""

from dataclasses import replace

import numpy as np
import pytest

import taut
from robot_machines import eight_cables, on_pulleys
from taut.model.routes import SheaveKind, Stop, Wheel, trace
from taut.robots.from_model import robot_of
from taut.robots.rotations import exponential, rotation
from taut.robots.ways import Guide
from taut.scenario.cables.guide import Pinhole, Sheave

POSES = np.array([[0.1, -0.15, 1.5, 0, 0, 0], [0.3, 0.2, 1.7, 0.1, -0.08, 0.15], [-0.2, 0.1, 1.2, -0.12, 0.05, -0.1]])


def stops(rope, pose):
    R, p = rotation(pose[3:]), pose[:3]
    for guide in rope:
        axis = guide.axis if guide.axis is None or not guide.is_carried else R @ guide.axis
        yield Stop((p + R @ guide.point if guide.is_carried else guide.point)[None], guide.wheel,
                   None if axis is None else axis[None])  # fmt: skip


def test_lengths_and_wraps_are_those_of_the_definition():
    robot = robot_of(on_pulleys())
    found = taut.robots.lengths(robot, POSES)
    for k, pose in enumerate(POSES):
        for i, rope in enumerate(robot.full_ropes()):
            if rope:
                laid = trace(list(stops(rope, pose)))
                assert found.lengths[k, i] == pytest.approx(laid.length[0], abs=1e-12)
                assert found.wraps[k, i] == pytest.approx(laid.wraps.sum(), abs=1e-12)
    assert [bool(rope) for rope in robot.ropes] == [True] * 5 + [False] * 3


def test_the_structure_matrix_is_the_derivative_of_the_lengths():
    robot, step = robot_of(on_pulleys()), 1e-6
    for k in range(6):
        shift = step * np.eye(6)[k]
        ahead, behind = taut.robots.lengths(robot, POSES[0] + shift), taut.robots.lengths(robot, POSES[0] - shift)
        rate = (ahead.lengths - behind.lengths) / (2 * step)
        assert rate[0] == pytest.approx(-taut.robots.lengths(robot, POSES[0]).structure[0, k], abs=1e-8)


def test_a_pulley_at_the_exit_is_the_same_as_a_rope():
    plain = eight_cables(radii=0.05)
    wheel = Wheel(0.05, 1, SheaveKind.CASTOR, np.pi)
    ropes = tuple((Guide(exit, False, wheel, axis), Guide(anchor, True))
                  for exit, axis, anchor in zip(plain.exits, plain.axes, plain.anchors, strict=True))  # fmt: skip
    as_rope, pose = replace(plain, ropes=ropes), [0.5, -0.3, 1.1, 0.1, 0.2, -0.1]
    one, other = taut.robots.lengths(plain, pose), taut.robots.lengths(as_rope, pose)
    for name in ("lengths", "free", "wraps", "swivels", "slopes", "directions", "leave_points", "structure"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-12), name
    one, other = taut.robots.stiffness(plain, pose), taut.robots.stiffness(as_rope, pose)
    assert other.active == pytest.approx(one.active, rel=1e-10, abs=1e-9)
    assert taut.robots.interference(as_rope, pose).clearance == pytest.approx(
        taut.robots.interference(plain, pose).clearance
    )


def test_stiffness_is_the_derivative_of_the_wrench():
    robot, pose = robot_of(on_pulleys()), POSES[1]
    f = np.linspace(100.0, 300.0, 8)
    K, step = taut.robots.stiffness(robot, pose, tensions=f).matrix, 1e-6
    L = taut.robots.lengths(robot, pose).lengths[0] * robot.stiffness / (robot.stiffness + f)

    def wrench(xi):
        from taut.robots.poses import Station

        at = Station(robot).at(pose[:3] + xi[:3], exponential(xi[3:]) @ rotation(pose[3:]))
        pull = robot.stiffness * (at.cables[0, :, 0] / L - 1.0)
        return at.W[0] @ pull  # the weight acts at the origin, which is the centre of mass

    for k in range(6):
        shift = step * np.eye(6)[k]
        assert (wrench(-shift) - wrench(shift)) / (2 * step) == pytest.approx(K[:, k], rel=1e-6, abs=2e-3)


def test_the_engine_rests_where_the_lengths_were_taken():
    scenario, pose = on_pulleys(), POSES[0]
    tensions = taut.robots.tensions(scenario, pose).tensions[0]
    L = taut.robots.unstrained_lengths(scenario, pose)[0]
    cables = [c.model_copy(update={"length": float(x)}) for c, x in zip(scenario.cables, L, strict=True)]
    found = taut.statics(taut.build(scenario.model_copy(update={"cables": tuple(cables)})))
    assert found.bodies["platform"]["position"] == pytest.approx(pose[:3], abs=1e-8)
    assert [found.cables[c.name]["tension_anchor"] for c in cables] == pytest.approx(tensions, rel=1e-6)
    # the platform on elastic cables rests there too, from another start; the lengths lead back to the pose
    assert taut.robots.elastic_rest(scenario, L, near=pose + 0.05).pose == pytest.approx(pose, abs=1e-9)
    strained = taut.robots.lengths(scenario, POSES[1]).lengths[0]
    assert taut.robots.pose(scenario, strained, near=pose, starts=0).pose == pytest.approx(POSES[1], abs=1e-9)


def test_margins_of_the_workspace_are_those_of_single_poses():
    region = {"x": (-0.3, 0.3), "y": (-0.2, 0.2), "z": (1.2, 1.7)}
    found = taut.robots.workspace(on_pulleys(), region, grid=[3, 2, 2], kind="static")
    axes = [np.linspace(*region[name], count) for name, count in zip("xyz", (3, 2, 2), strict=True)]
    places = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    held = taut.robots.tensions(on_pulleys(), np.hstack([places, np.zeros((12, 3))]), method="qp").is_within
    assert found.inside.ravel().tolist() == held.tolist() and held.any()


def test_distances_are_those_of_sampled_pieces():
    robot, pose = robot_of(on_pulleys()), POSES[0]
    found = taut.robots.interference(robot, pose)
    share = np.linspace(0.0, 1.0, 400)[:, None]
    pieces = {}
    for i, rope in enumerate(robot.full_ropes()):
        if rope:
            laid, ends = trace(list(stops(rope, pose))), []
            for k in range(len(rope) - 1):
                radii = [0.0 if g.wheel is None else g.wheel.radius for g in rope[k : k + 2]]
                ends.append((laid.centres[k, 0] + radii[0] * laid.leaves[k, 0],
                             laid.centres[k + 1, 0] + radii[1] * laid.arrives[k + 1, 0]))  # fmt: skip
            pieces[robot.cables[i]] = np.concatenate([a + share * (b - a) for a, b in ends])
    for pair, distance in zip(found.pairs, found.pair_distances[0], strict=True):
        if all(name in pieces for name in pair):
            one, other = (pieces[name] for name in pair)
            sampled = np.linalg.norm(one[:, None] - other[None], axis=-1).min()
            assert distance <= sampled + 1e-12 and sampled == pytest.approx(distance, abs=0.02), pair


def changed(**update):
    scenario = on_pulleys()
    return scenario.model_copy(update={"cables": (scenario.cables[0].model_copy(update=update), *scenario.cables[1:])})


@pytest.mark.parametrize(("call", "words"), [
    (lambda: robot_of(changed(via=(Sheave(kind="sheave", body="platform", radius=0.05, axis=(0, 1, 0),
                                          efficiency=0.9),))), "cables[0].via[0]: cable tackle rubs there"),
    (lambda: robot_of(changed(via=(Pinhole(kind="pinhole", body="platform", point=(0, 0, 0.2)),), exit=(0, 0, 0),
                              exit_body="platform", body="platform", anchor=(0, 0, 0.5))), "runs on platform alone"),
    (lambda: taut.robots.lengths(changed(via=(Pinhole(kind="pinhole", body="platform", point=(0, 0, 0.5)),),
                                         anchor=(0.5, 0.5, 3)), [0.5, 0.5, 2.5, 0, 0, 0]), "two guides coincide"),
    (lambda: robot_of(on_pulleys(), pulley=0.1), "write pulleys and guides into the scenario"),
])  # fmt: skip
def test_what_cannot_be_said_is_refused(call, words):
    with pytest.raises(taut.ScenarioError) as error:
        call()
    assert words in str(error.value) and len(error.value.problems) == 1


def test_ropes_taken_for_points():
    found = taut.robots.lengths(on_pulleys(), exits="point")
    exit, centre, end = np.array([-3, -2, 4]), np.array([-0.3, -0.45, 1.7]), np.array([-2.5, -2.6, 4.1])
    assert found.lengths[0, 0] == pytest.approx(np.linalg.norm(centre - exit) + np.linalg.norm(end - centre))
