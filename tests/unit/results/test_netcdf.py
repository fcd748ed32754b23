import numpy as np
import pytest
import xarray as xr

from taut.results.netcdf import netcdf_image
from taut.results.variables import Content, Variable, content_of


def read_again(dataset, tmp_path):
    (tmp_path / "some.nc").write_bytes(netcdf_image(content_of(dataset)))
    return xr.load_dataset(tmp_path / "some.nc", engine="h5netcdf", decode_times=False)


def test_datasets_of_all_kinds_come_back_as_they_were(tmp_path):
    dataset = xr.Dataset(
        {
            "plain": ("time", np.linspace(0.0, 1.0, 5000), {"units": "m", "limits": [0.0, 1.0]}),
            "whole": (("time", "bare"), np.arange(10_000).reshape(5000, 2)),
            "flag": ("bare", np.array([True, False])),
            "words": ("bare", np.array(["ü", "a longer one"])),
            "number": ((), 3.5),
        },
        {
            "time": np.arange(5000.0),
            "name": ("bare", np.array(["first", "second"])),
            "place": ((), 1.25),
            "unused": ("alone", np.arange(3)),
        },
        {"title": "ä" * 100_000, "version": 3, "factor": 0.5},
    )
    again = read_again(dataset, tmp_path)
    assert again.identical(dataset)
    assert again["flag"].dtype == bool and again["whole"].dtype == np.int64


def test_the_file_is_the_one_that_xarray_writes(tmp_path):
    dataset = xr.Dataset({"a": (("x", "y"), np.ones((3, 2)))}, {"x": [1.0, 2.0, 3.0]}, {"title": "t"})
    dataset.to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    assert read_again(dataset, tmp_path).identical(xr.load_dataset(tmp_path / "other.nc", engine="h5netcdf"))


@pytest.mark.parametrize("values", [np.array([1.0 + 2.0j]), np.array([{}]), np.array(["2026-01-01"], "M8[s]")])
def test_values_that_cannot_be_written_are_refused(values):
    with pytest.raises(TypeError, match="odd: values of the type"):
        netcdf_image(Content({"odd": Variable(("x",), values)}, (), {}))
