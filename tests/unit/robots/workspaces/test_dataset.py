"""Workspaces as datasets and files: the question in words, the robot at its start, the file as it was written."""

import json

import numpy as np
import pytest
import xarray as xr

import taut
from robot_machines import eight_cables, hall, planar
from taut.results.errors import ResultError
from taut.results.result import open_result
from taut.results.store import format_of
from taut.robots.lengths import lengths
from taut.robots.workspaces.still import ON_WHEEL, still_channels
from taut.robots.workspaces.workspace import workspace
from taut.views.robots.shape import open_workspace
from taut.views.robots.slices import slices


def test_a_file_holds_what_was_found(tmp_path):
    path = hall().save(tmp_path / "hall.nc")
    assert format_of(path) == "taut workspace"
    xr.testing.assert_identical(open_workspace(path).drop_attrs(), hall().to_xarray().drop_attrs())
    with pytest.raises(ResultError, match="is a workspace, not the result of a run"):
        open_result(path)


def test_the_question_is_told_with_its_numbers():
    asked = {"wrench": [10, 20, 30, 1, 2, 3], "external": [0, 0, -5, 0, 0, 0], "orientations": [[0, 0, 0], [0, 0, 0.2]]}
    found = workspace(eight_cables(), {"z": 1.3}, grid=3, **asked)
    words = json.loads(found.to_xarray().attrs["question"])
    assert "Fy ±20 N, Fz ±30 N, Mx ±1 N m" in words["kind"] and words["tension limits"] == "20 to 900 N"
    assert words["platform"] == "12 kg, and on it the wrench 0, 0, -5, 0, 0, 0 (N, N m)"
    assert words["region"].endswith("z = 1.3 m") and words["orientations"].startswith("all of 2: a, b, c = 0, 0, 0; 0")


@pytest.mark.parametrize("kind", ["static", "wrench-closure", "interference-free", "speed", "stiffness"])
def test_every_kind_has_a_question(kind):
    asked = {"speed": {"speed": 2.0, "twist": 0.1}, "interference-free": {"distance": 0.01, "trim": 0.1,
             "obstacles": [0, -1, 0, 1, 1, 0.5]}}.get(kind, {})  # fmt: skip
    found = workspace(planar(stiffness=1e5), grid=3, kind=kind, **asked)
    assert ("obstacles" in found.question) == (kind == "interference-free")
    assert found.question["kind"].startswith(f"{kind}: a pose belongs to it if ")


def test_the_robot_stands_at_its_start():
    robot = eight_cables()
    data = hall().to_xarray()
    np.testing.assert_allclose(data.cable_nodes[0, :, 0], robot.exits)
    np.testing.assert_allclose(data.cable_nodes[0, :, 1], robot.home[:3] + robot.anchors)
    assert data.body_quaternion.values.ravel().tolist() == [1, 0, 0, 0]


def test_cables_run_over_their_pulleys():
    robot = eight_cables(radii=0.1)
    nodes = still_channels(robot)["cable_nodes"][1][0]
    assert nodes.shape == (8, ON_WHEEL + 1, 3)
    np.testing.assert_allclose(nodes[:, 0], robot.exits, atol=1e-12)
    np.testing.assert_allclose(nodes[:, -2], lengths(robot).leave_points[0], atol=1e-12)
    begins = still_channels(robot, from_wheel=robot.cables)["cable_nodes"][1][0]
    np.testing.assert_allclose(begins[:, 0], nodes[:, -2])


def test_fine_slices_agree_with_the_grid():
    data = hall().to_xarray()
    for fine in slices(data):
        (across,) = set("xyz") - set(map(str, fine.dims))
        coarse = data.margin.sel({across: float(fine[across])})
        same = fine.interp({name: coarse[name] for name in fine.dims})
        # corners of both grids are the same points
        np.testing.assert_allclose(same[::8, ::7][0, 0], coarse[::8, ::7][0, 0], rtol=1e-9)
        assert fine.shape == (81, 81)


def test_a_scenario_is_kept_in_the_file():
    found = workspace(taut.library.load("crane-3"), {"z": 2.0}, grid=4, kind="static")
    assert (
        "load on three elastic cables" in found.to_xarray().attrs["scenario"]
        and found.body in found.to_xarray().body.values
    )
