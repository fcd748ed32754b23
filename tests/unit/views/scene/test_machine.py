import numpy as np
import pytest

from taut.results.channels import assemble
from taut.results.result import Result
from taut.views.scene.colours import RAMP, SLACK, tension_colours
from taut.views.scene.machine import read_machine
from unit.results.synthetic import synthetic_result

TIME = np.linspace(0.0, 1.0, 5)


def result_with(scenario, bodies):
    """Bodies that move along x by 1 m, under a scenario."""
    position = np.zeros((5, len(bodies), 3))
    position[:, :, 0] = TIME[:, None]
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (5, len(bodies), 1))
    arrays = {"body_position": position, "body_quaternion": quaternion}
    return Result(assemble(arrays, {"time": TIME, "body": bodies}, {"scenario": scenario}))


def test_extent_holds_the_shapes_wherever_they_go():
    machine = read_machine(result_with("platform: {mass: 1, box: [0.4, 0.2, 0.6]}", ["platform"]))
    np.testing.assert_allclose(machine.low, [-0.2, -0.1, -0.3])
    np.testing.assert_allclose(machine.high, [1.2, 0.1, 0.3])
    assert machine.ground < machine.low[2]


def test_ground_of_the_scenario_is_the_floor():
    assert read_machine(result_with("platform: {box: [1, 1, 1]}\nground: {height: -2}", ["platform"])).ground == -2.0


@pytest.mark.parametrize(
    ("body", "height"),
    [
        # the mesh includes a rod up to the joint
        ("{sphere: {radius: 0.3}, com: [0, 0, -8], joint: {kind: universal}}", 8.3),
        ("{cylinder: {radius: 0.3, length: 2}}", 2.0),
        ("{tube: {inner: 0.2, outer: 0.3, length: 2}}", 2.0),
        ("{rod: {length: 2}}", 2.0),
    ],
)
def test_shapes_have_their_size(body, height):
    (part,) = read_machine(result_with(f"bodies: {{b: {body}}}", ["b"])).bodies
    assert np.ptp(part.mesh.vertices[:, 2]) == pytest.approx(height, rel=1e-9)


def test_a_body_without_a_shape_is_a_plate_through_its_points():
    points = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]]
    closures = [f"{{name: c{k}, bodies: [leg{k}, platform], points: [[0, 0, 0], {p}]}}" for k, p in enumerate(points)]
    (part,) = read_machine(result_with(f"closures: [{', '.join(closures)}]", ["platform"])).bodies
    np.testing.assert_allclose(np.ptp(part.mesh.vertices[:, :2], axis=0), [2.0, 2.0])


def test_a_slide_in_the_world_has_a_rail_along_its_way():
    machine = read_machine(
        result_with("bodies: {cart: {mass: 1, joint: {kind: prismatic, axis: [1, 0, 0]}}}", ["cart"])
    )
    (rail,) = machine.fixtures
    assert rail.name == "rail of cart" and np.ptp(rail.mesh.vertices[:, 0]) > 1.0


@pytest.mark.parametrize(
    "scenario", ["", "a: [", "- 1", "platform: 3\ncables: 5\nclosures: {}", "bodies: {b: {box: no}}"]
)
def test_a_scenario_that_tells_nothing_still_shows_bodies(scenario):
    (part,) = read_machine(result_with(scenario, ["b"])).bodies
    assert len(part.mesh.faces) >= 12


def test_slack_has_its_own_colour():
    colours = tension_colours(np.array([0.0, 5.0, 10.0]), np.array([True, False, False]), (0.0, 10.0))
    np.testing.assert_allclose(colours[0], SLACK)
    np.testing.assert_allclose(colours[2], RAMP[-1])
    assert np.linalg.norm(RAMP - SLACK, axis=1).min() > 0.4


def test_the_robot_has_its_cables():
    machine = read_machine(synthetic_result(samples=61))
    assert machine.frames.cables == ["C1", "C2", "C3", "C4"] and len(machine.cable_radius) == 4
    assert 0.0 < machine.tension_limits[0] < machine.tension_limits[1]


def test_the_place_of_a_body_is_that_of_its_centre_of_mass():
    result = result_with("bodies: {b: {mass: 1, com: [0, 0, -8]}}", ["b"])
    machine = read_machine(result)
    np.testing.assert_allclose(machine.place(machine.frames.sample(4), "b"), [1.0, 0.0, -8.0])
    times, places = machine.path("b", 100)
    np.testing.assert_allclose(places, np.stack([times, 0 * times, 0 * times - 8.0], axis=1))
    assert machine.main_body == "b"
