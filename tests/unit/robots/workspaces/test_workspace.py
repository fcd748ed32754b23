"""Workspaces: grids, volumes and surfaces of shapes that are known, and of robots by other means."""

import numpy as np
import pytest

import taut
from robot_machines import eight_cables, planar, point
from taut.robots.tensions import tensions
from taut.robots.workspaces.surface import boundary_surface
from taut.robots.workspaces.volume import measure_volume
from taut.robots.workspaces.workspace import workspace

BOX = np.array([[-1.2, -1.0, -1.1], [1.1, 1.3, 1.4]])


def ball(points):
    return 0.9 - np.linalg.norm(points, axis=1)


def test_volume_of_a_ball():
    found = measure_volume(ball, BOX, "static", 2e-3)
    assert found.value == pytest.approx(4 / 3 * np.pi * 0.9**3, abs=max(found.uncertainty, 2e-3))
    assert found.uncertainty < 0.01


def test_volume_of_a_region_that_is_full():
    assert measure_volume(lambda points: np.ones(len(points)), BOX, "static", 1e-3).value == pytest.approx(2.3**2 * 2.5)


@pytest.mark.parametrize(("cells", "near"), [(8, 0.06), (16, 0.02)])
def test_surface_of_a_ball_is_closed_and_points_out(cells, near):
    found = boundary_surface(ball, BOX, [cells] * 3, "static")
    assert found.volume == pytest.approx(4 / 3 * np.pi * 0.9**3, rel=near)
    assert np.linalg.norm(found.vertices, axis=1) == pytest.approx(0.9, abs=1e-6)
    edges = np.sort(np.concatenate([found.triangles[:, pair] for pair in ([0, 1], [1, 2], [2, 0])]), axis=1)
    assert np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2)


def test_surface_at_the_region_is_closed_too():
    found = boundary_surface(lambda points: np.ones(len(points)), BOX, [5] * 3, "static")
    # cut corners: less than the box by the layer of half cells
    assert 0.8 < found.volume / (2.3**2 * 2.5) <= 1.0


def test_static_points_are_those_with_tensions():
    robot = eight_cables()
    found = workspace(robot, {"x": (-6, 6), "y": (-4, 4), "z": (0.0, 3.0)}, grid=[5, 5, 4], kind="static")
    grid = np.stack(np.meshgrid(*found.axes.values(), indexing="ij"), -1).reshape(-1, 3)
    poses = np.hstack([grid, np.zeros((len(grid), 3))])
    held = tensions(robot, poses).is_feasible
    assert found.inside.ravel().tolist() == held.tolist() and 0 < held.sum() < len(held)


def test_orientations_and_slices():
    turns = [[0, 0, 0], [0, 0, 0.2], [0.1, 0, 0]]
    found = workspace(eight_cables(), {"z": 1.3}, grid=9, kind="static", orientations=turns)
    assert list(found.axes) == ["x", "y"] and found.values.shape == (9, 9)
    assert found.inside.sum() <= found.counts.min() and found.reachable.sum() >= found.counts.max()
    data = found.to_xarray()
    assert data.margin.dims == ("x", "y") and data.attrs["kind"] == "static"


@pytest.mark.parametrize(("kind", "demand"), [
    ("wrench-feasible", {"wrench": 10.0}), ("wrench-closure", {}), ("interference-free", {"distance": 0.02}),
    ("speed", {"twist": 0.5, "speed": 1.4}), ("stiffness", {"stiffness": 2e3})])  # fmt: skip
def test_every_kind_has_an_inside_and_an_outside(kind, demand):
    found = workspace(eight_cables(), {"x": (-9, 9), "y": (-6, 6), "z": (-1, 4)}, grid=8, kind=kind, **demand)
    assert 0 < found.inside.sum() < found.inside.size


def test_planar_and_point_robots():
    flat = workspace(planar(), grid=15, kind="static", volume=0.01)
    assert list(flat.axes) == ["x", "z"] and 0.0 < flat.volume.value < 12.0 and flat.volume.dimensions == 2
    assert workspace(point(), grid=6, kind="static").inside.any()


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".ply"])
def test_meshes_are_read_as_they_were_written(suffix, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    found = boundary_surface(ball, BOX, [8] * 3, "static")
    found.save(tmp_path / f"ball{suffix}")
    mesh = trimesh.load(tmp_path / f"ball{suffix}")
    assert mesh.volume == pytest.approx(found.volume, rel=1e-5)


@pytest.mark.parametrize(("call", "words"), [
    (lambda: workspace(eight_cables(), kind="large"), "is no kind of workspace"),
    (lambda: workspace(eight_cables(), {"q": (0, 1)}), "is no position of the robot"),
    (lambda: workspace(eight_cables(), {"x": (2, 1)}), "the lower first"),
    (lambda: workspace(eight_cables(), {"x": 0, "y": 0, "z": 1}), "is a single point"),
    (lambda: workspace(eight_cables(), grid=[3, 3]), "needs a whole number of at least 2"),
    (lambda: workspace(eight_cables(), grid=1), "needs a whole number of at least 2"),
    (lambda: workspace(eight_cables(), grid=3.7), "needs a whole number of at least 2"),
    (lambda: workspace(eight_cables(), grid=np.nan), "needs a whole number of at least 2"),
    (lambda: workspace(eight_cables(), volume=0.0), "must be a relative uncertainty"),
    (lambda: workspace(eight_cables(), kind="static", wrench=5.0), "wrench: does not count for the kind static"),
    (lambda: workspace(eight_cables(), kind="speed", speed=2.0), "needs the largest speed of the cables and twists"),
    (lambda: workspace(eight_cables(), kind="speed", speed=-2.0, twist=1.0), "speed = -2.0: is out of range"),
    (lambda: workspace(eight_cables(), kind="interference-free"), "what touches has the distance 0"),
    (lambda: workspace(eight_cables(), length=0.0), "length = 0.0: is out of range"),
    (lambda: workspace(eight_cables(), orientations=[0.1]), "needs 3 angles a, b, c"),
    (lambda: workspace(eight_cables(tension_max=np.inf)), "largest tension of the cables is not known"),
    (lambda: workspace(eight_cables(), wrench=-1.0), "must be finite and not negative"),
    (lambda: workspace(eight_cables(), colour=1), "is no demand"),
    (lambda: workspace(planar(), surface=True), "needs a region of three coordinates"),
    (lambda: workspace(point(freedom="spatial"), limits=None, grid=3), "is no demand"),
    (lambda: workspace(point(freedom="spatial"), grid=3), "3 cables cannot hold 6 freedoms"),
])  # fmt: skip
def test_bad_input_gets_one_clear_answer(call, words):
    with pytest.raises(taut.ScenarioError) as error:
        call()
    assert words in str(error.value) and len(error.value.problems) == 1
