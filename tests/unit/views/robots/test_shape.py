"""The shape of a workspace: colours of the margin, the machine it belongs to, files that cannot be shown."""

import h5py
import numpy as np
import pytest

from robot_machines import eight_cables, hall, planar
from taut.results.errors import ResultError
from taut.results.result import Result
from taut.robots.workspaces.workspace import workspace
from taut.views.robots.bands import band_of
from taut.views.robots.shape import around, check_belongs, open_workspace, read_shape
from taut.views.scene.machine import read_machine
from unit.results.synthetic import synthetic_result


@pytest.fixture
def file(tmp_path):
    return hall().save(tmp_path / "hall.nc")


def test_every_corner_has_the_colour_of_its_margin():
    data = hall().to_xarray()
    shape = read_shape(data)
    places, margins = data.surface_vertex.values, data.surface_margin.values
    seen = 0
    for sheet in [sheet for sheet in shape.sheets if sheet.surface == "surface"]:
        band = int(np.argmin(np.abs(shape.colours - sheet.colour).sum(axis=1)))
        corners = sheet.corners.reshape(-1, 3)
        for place, margin in zip(places[::25], margins[::25], strict=True):
            if np.any(np.all(corners == place, axis=1)):
                seen += 1
                low, high = shape.levels[band], shape.levels[band + 1]
                assert low - 1e-6 <= margin <= high + 1e-6 and abs(band_of(margin, shape.levels) - band) <= 1
    assert seen > 20


def test_the_outermost_comes_first_and_can_be_seen_through():
    shape = read_shape(hall().to_xarray())
    names = [sheet.surface for sheet in shape.sheets]
    assert names[0] == "surface" and names[-1].startswith("shell") and len(set(names)) == 3
    assert all(sheet.opacity < 0.5 for sheet in shape.sheets)
    assert shape.words.startswith("boundary, and where the margin is") and shape.words.endswith(" N")


def test_the_machine_gets_room_for_it():
    data = hall().to_xarray()
    shape, machine = read_shape(data), read_machine(Result(data))
    wide = around(machine, shape)
    assert np.all(wide.low <= shape.low) and np.all(wide.high >= shape.high) and wide.ground <= shape.low[2]
    assert machine.frames.cables == [f"C{k}" for k in range(1, 9)] and machine.main_body == "platform"


def test_a_workspace_of_another_robot_is_refused():
    data, own = hall().to_xarray(), Result(hall().to_xarray())
    check_belongs(data, own)
    with pytest.raises(ResultError, match="another robot: synthetic pick and place has no cable C1"):
        check_belongs(data, synthetic_result(samples=3))
    moved = eight_cables(exits=np.array(eight_cables().exits) + [0.0, 0.0, 0.1])
    other = workspace(moved, {"z": 1.0}, grid=2, kind="static").to_xarray()
    with pytest.raises(ResultError, match=r"its cable C1 leaves from .*, that of"):
        check_belongs(data, Result(other))


@pytest.mark.parametrize(("robot", "asked", "words"), [
    (eight_cables(), {"region": {"x": (-8, 8), "y": (-5, 5), "z": (8, 9)}, "surface": True}, "is an empty workspace"),
    (eight_cables(), {"region": {"z": 1.0}}, "in a plane: it has no surface"),
    (planar(), {}, "in a plane: it has no surface"),
    (eight_cables(), {}, "has no surface\n  repeat `taut workspace` with --surface"),
])  # fmt: skip
def test_nothing_to_see_is_said(robot, asked, words):
    data = workspace(robot, asked.pop("region", None), grid=4, kind="static", **asked).to_xarray()
    with pytest.raises(ResultError) as error:
        read_shape(data)
    assert words in str(error.value)


def test_damaged_files_are_refused(file, tmp_path):
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ResultError, match="damaged or incomplete HDF5 file"):
        open_workspace(file)
    file.write_bytes(whole)
    with h5py.File(file, "a") as opened:
        opened["surface_triangle"][0, 0] = 10**6
    with pytest.raises(ResultError, match="is damaged: triangles of corners that are not there"):
        read_shape(open_workspace(file))
    with h5py.File(file, "a") as opened:
        del opened["exit_point"]
    with pytest.raises(ResultError, match="is damaged: it has no exit_point"):
        open_workspace(file)


def test_other_files_are_refused(tmp_path):
    result = synthetic_result(samples=3).save(tmp_path / "run.nc")
    with pytest.raises(ResultError, match="is a NetCDF file, but not a taut workspace"):
        open_workspace(result)
    (tmp_path / "a.nc").write_text("hello", encoding="utf-8")
    with pytest.raises(ResultError, match="not a NetCDF4 file"):
        open_workspace(tmp_path / "a.nc")
