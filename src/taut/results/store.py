"""Datasets in NetCDF files (HDF5).

HDF5 ends the process when the disk is full. So the file is made in memory, written under a temporary name in the same
folder, forced to the disk, and only then given its name: under the final name there is a whole file or none.
"""

import os
import secrets
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from taut.results.errors import ResultError, from_os_error
from taut.results.netcdf import netcdf_image
from taut.results.record import FORMAT, FORMAT_VERSION, WORKSPACE_FORMAT
from taut.results.variables import Content, content_of

if TYPE_CHECKING:
    import xarray as xr


def save_dataset(dataset: "xr.Dataset | Content", path: str | Path) -> Path:
    """Write the dataset to a NetCDF file, whole or not at all."""
    return write_whole(path, image_of(dataset))


def open_dataset(path: str | Path, form: str = FORMAT) -> "xr.Dataset":
    """Open a file of the given format, a result's if none is named; values are read when they are used."""
    import xarray as xr

    path = Path(path)
    _check_readable(path)
    try:
        dataset = xr.open_dataset(path, engine="h5netcdf", decode_times=False)
    except (OSError, ValueError, KeyError, RuntimeError):
        remedy = "if it is a copy, copy it again; otherwise repeat the run"
        raise ResultError(path, "is a damaged or incomplete HDF5 file", remedy) from None
    try:
        _check_format(path, dataset, form)
    except ResultError:
        dataset.close()
        raise
    return dataset


def format_of(path: str | Path) -> str:
    """The format that a file says it has; empty if it says none, or cannot be read."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            said = file.attrs.get("format", "")
    except (OSError, RuntimeError):
        return ""
    return said if isinstance(said, str) else ""


def write_whole(path: str | Path, content: bytes | memoryview) -> Path:
    """Write a file under a temporary name beside it, force it to the disk, and give it its name."""
    final = Path(os.path.realpath(path))
    check_target(final)
    part = final.with_name(f".{final.name}.{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, final)
        sync_folder(final.parent)
    except OSError as error:
        raise from_os_error(path, error, "cannot be written") from error
    finally:
        # remove the temporary file, also after Ctrl-C; after success it does not exist any more
        with suppress(OSError):
            part.unlink()
    return Path(path)


def check_target(path: Path) -> None:
    """Refuse a folder, a device, or a folder that does not exist, before anything is written."""
    if path.is_dir():
        raise ResultError(path, "is a folder", "give the name of a file")
    if path.exists() and not path.is_file():
        raise ResultError(path, "is not an ordinary file", "give the name of a file")
    if not path.parent.exists():
        raise ResultError(path, "cannot be written: its folder does not exist", f"make the folder {path.parent} first")
    if not os.access(path.parent, os.W_OK):
        raise ResultError(path, "cannot be written: its folder is read-only", "choose a folder you may write to")


def remove_parts(path: Path) -> None:
    """Remove what a killed process left half-written under temporary names of this file."""
    final = Path(os.path.realpath(path))
    for part in final.parent.glob(f".{escape(final.name)}.*.part"):
        with suppress(OSError):
            part.unlink()


def sync_folder(folder: Path) -> None:
    """Force a new name in a folder to the disk, where the system allows it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def image_of(dataset: "xr.Dataset | Content") -> bytes:
    """The bytes of the NetCDF file."""
    return netcdf_image(dataset if isinstance(dataset, Content) else content_of(dataset))


def _check_readable(path: Path) -> None:
    if path.is_dir():
        raise ResultError(path, "is a folder, not a result", "give the name of a NetCDF file")
    try:
        with open(path, "rb") as file:
            start = file.read(8)
    except OSError as error:
        raise from_os_error(path, error, "cannot be read") from None
    if start != b"\x89HDF\r\n\x1a\n":
        raise ResultError(path, "is not a taut result (not a NetCDF4 file)", "results are written by `taut run`")


def _check_format(path: Path, dataset: "xr.Dataset", form: str) -> None:
    said = dataset.attrs.get("format")
    if said != form and said == WORKSPACE_FORMAT:
        remedy = "`taut view` and `taut report` show it, alone or with --workspace beside a result"
        raise ResultError(path, "is a workspace, not the result of a run", remedy)
    if said != form:
        command = "taut run" if form == FORMAT else "taut workspace ... -o FILE.nc"
        kind = "result" if form == FORMAT else "workspace"
        raise ResultError(path, f"is a NetCDF file, but not a taut {kind}", f"{kind}s are written by `{command}`")
    if dataset.attrs.get("format_version", 0) > FORMAT_VERSION:
        made_by = dataset.attrs.get("taut_version", "a newer version")
        raise ResultError(path, f"was written by taut {made_by}, in a newer format", "update taut to read it")
