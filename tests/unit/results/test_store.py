import os

import numpy as np
import pytest
import xarray as xr

from taut.results.channels import pad_cables
from taut.results.errors import ResultError
from taut.results.netcdf import chunk_shape
from taut.results.result import open_result
from taut.results.store import open_dataset, save_dataset, write_whole
from unit.results.synthetic import synthetic_result

# long enough that some variables are compressed
RESULT = synthetic_result()
ODD_VALUES = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 5e-324, 1.0 + 2.0**-52])


def bits(array):
    return np.ascontiguousarray(array).tobytes()


def test_round_trip_is_exact(tmp_path):
    RESULT.save(tmp_path / "run.nc")
    with open_result(tmp_path / "run.nc") as again:
        assert again.dataset.identical(RESULT.dataset)
        assert {name: again[name].dtype for name in again} == {name: RESULT[name].dtype for name in RESULT}
        assert all(bits(again[name].values) == bits(RESULT[name].values) for name in RESULT)


def test_odd_values_survive_bit_by_bit(tmp_path):
    dataset = synthetic_result(samples=7, constraint_error=ODD_VALUES).dataset
    save_dataset(dataset, tmp_path / "run.nc")
    assert bits(open_dataset(tmp_path / "run.nc")["constraint_error"].values) == bits(ODD_VALUES)


def test_padded_cables_survive(tmp_path):
    tension = pad_cables([np.ones((3, k)) for k in (2, 5, 3, 1)])
    result = synthetic_result(samples=3, cable_tension=tension)
    result.save(tmp_path / "run.nc")
    np.testing.assert_array_equal(open_result(tmp_path / "run.nc")["cable_tension"], tension)


def test_a_long_scenario_survives(tmp_path):
    text = "# ü\n" + "cables: many\n" * 20000
    save_dataset(RESULT.dataset.assign_attrs(scenario=text), tmp_path / "run.nc")
    assert open_result(tmp_path / "run.nc").scenario_text == text


def test_file_is_read_when_used(tmp_path):
    RESULT.save(tmp_path / "run.nc")
    with open_result(tmp_path / "run.nc") as again:
        assert not again.dataset["cable_nodes"].variable._in_memory


def test_an_opened_result_can_be_saved_again_over_itself(tmp_path):
    RESULT.save(tmp_path / "run.nc")
    open_result(tmp_path / "run.nc").save(tmp_path / "run.nc")
    assert open_result(tmp_path / "run.nc").dataset.identical(RESULT.dataset)


def test_other_readers_understand_the_file(tmp_path):
    RESULT.save(tmp_path / "run.nc")
    plain = xr.open_dataset(tmp_path / "run.nc", engine="h5netcdf")
    assert plain["time"].dtype == np.float64 and plain["cable_slack"].dtype == bool
    assert plain["platform_position"].attrs["units"] == "m"


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(28, "No space left on device")])
def test_failing_rename_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, error):
    (tmp_path / "run.nc").write_bytes(b"old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(error))
    with pytest.raises(ResultError, match=f"run.nc: cannot be written: {error.strerror}") as caught:
        RESULT.save(tmp_path / "run.nc")
    assert caught.value.remedy
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]
    assert (tmp_path / "run.nc").read_bytes() == b"old"


def test_full_disk_leaves_nothing(tmp_path, full_disk):
    full_disk(100_000)
    with pytest.raises(ResultError, match="cannot be written: File too large"):
        RESULT.save(tmp_path / "run.nc")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_read_only_folder_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(ResultError, match="Permission denied"):
        RESULT.save(tmp_path / "run.nc")


def test_interrupt_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "run.nc", b"content")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("file/run.nc", "Not a directory|folder does not exist"),
        ("missing/run.nc", "its folder does not exist"),
        ("folder", "is a folder"),
        ("pipe", "is not an ordinary file"),
    ],
)
def test_impossible_places_are_refused(tmp_path, path, reason):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ResultError, match=reason):
        RESULT.save(tmp_path / path)


def test_link_is_followed(tmp_path):
    (tmp_path / "link.nc").symlink_to(tmp_path / "target.nc")
    RESULT.save(tmp_path / "link.nc")
    assert (tmp_path / "link.nc").is_symlink() and (tmp_path / "target.nc").is_file()


def make_foreign(path):
    xr.Dataset({"a": ("x", [1.0])}).to_netcdf(path, engine="h5netcdf")


def make_newer(path):
    save_dataset(RESULT.dataset.assign_attrs(format_version=99, taut_version="9.9"), path)


def make_cut(path):
    RESULT.save(path)
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "cannot be read: No such file"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.write_text("time,x\n"), "not a NetCDF4 file"),
        (lambda path: path.write_bytes(b""), "not a NetCDF4 file"),
        (make_foreign, "is a NetCDF file, but not a taut result"),
        (make_newer, "was written by taut 9.9"),
        (make_cut, "is a damaged or incomplete HDF5 file"),
    ],
)
def test_what_is_not_a_result_is_refused(tmp_path, make, reason):
    make(tmp_path / "run.nc")
    with pytest.raises(ResultError, match=reason) as caught:
        open_result(tmp_path / "run.nc")
    assert caught.value.path == str(tmp_path / "run.nc") and caught.value.remedy


def test_a_moment_is_stored_together():
    """Chunks hold whole samples: one moment of a long run is read without all others."""
    nodes = xr.Variable(("time", "cable", "node", "xyz"), np.zeros((60_000, 8, 6, 3)))
    rows, *others = chunk_shape(nodes)
    assert tuple(others) == (8, 6, 3) and 100 <= rows <= 1000
    assert chunk_shape(xr.Variable(("time",), np.zeros(5000))) == (5000,)
