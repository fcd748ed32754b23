"""The bytes of a NetCDF 4 file, written by HDF5 alone: the layers above take five times as long as the data.

A NetCDF 4 file is an HDF5 file in which every dimension is a scale that its variables are attached to. One without a
coordinate of its name has a scale without values, whose name says so.
"""

from itertools import count
from typing import Any

import numpy as np

from taut.results.variables import Content, Variable

SMALLEST_COMPRESSED = 1 << 14  # arrays below this size are not compressed, because nothing is gained [bytes]
CHUNK = 1 << 19  # bytes stored together: all of some samples, so that one moment is read without the others
NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable.{:10d}"


def netcdf_image(content: Content) -> bytes:
    """The file's bytes; values are exact: no fill value stands for NaN, and the compression loses nothing."""
    import h5py

    # the file is never on the disk: HDF5 ends the process when that is full
    with h5py.File("image", "w", driver="core", backing_store=False, track_order=True) as file:
        file.attrs["_NCProperties"] = f"version=2,h5py={h5py.__version__},hdf5={h5py.version.hdf5_version}"
        _write_attributes(file, content.attrs | _left_over(content))
        sizes = {dim: size for one in content.variables.values() for dim, size in one.sizes.items()}
        made = {name: _create(file, name, one, _named_coordinates(content, name))
                for name, one in content.variables.items()}  # fmt: skip
        scales = {dim: _scale(file, dim, size, made.get(dim), number)
                  for (dim, size), number in zip(sizes.items(), count(), strict=False)}  # fmt: skip
        for name, one in content.variables.items():
            if one.dims != (name,):
                for axis, dim in enumerate(one.dims):
                    h5py.h5ds.attach_scale(made[name].id, scales[dim].id, axis)
        file.flush()
        return file.id.get_file_image()


def chunk_shape(variable: Any) -> tuple[int, ...]:
    """Shape of a chunk: whole entries along the first dimension, as many as fill it."""
    first, *others = variable.shape
    entry = max(variable.nbytes // max(first, 1), 1)
    return (max(1, min(first, CHUNK // entry)), *others)


def _create(file: Any, name: str, variable: Variable, more: dict[str, str]) -> Any:
    """Create a variable in the file, and fill it."""
    import h5py

    values, attrs, options = variable.values, variable.attrs | more, {}
    if values.dtype.kind == "b":
        # NetCDF has no Booleans: write integers, with the attribute by which xarray reads them as Booleans
        values, attrs = values.astype(np.int8), attrs | {"dtype": "bool"}
    elif values.dtype.kind in "UOT":
        values, options = _texts(name, values), {"dtype": h5py.string_dtype()}
    elif values.dtype.kind not in "fiu":
        raise TypeError(f"{name}: values of the type {values.dtype} cannot be written")
    if values.dtype.kind in "fiu" and values.nbytes >= SMALLEST_COMPRESSED:
        options = {"chunks": chunk_shape(variable), "compression": "gzip", "compression_opts": 1, "shuffle": True}
    made = file.create_dataset(name, shape=values.shape, data=values, track_order=True, **options)
    _write_attributes(made, attrs)
    return made


def _scale(file: Any, dim: str, size: int, own: Any, number: int) -> Any:
    """The dimension's scale: its coordinate, or one without values."""
    scale = own if own is not None and own.ndim == 1 else None
    if scale is None:
        if own is not None:
            raise ValueError(f"{dim}: a variable with the name of a dimension must have that dimension alone")
        scale = file.create_dataset(dim, (size,), ">f4", track_order=True)
    scale.make_scale(dim if own is not None else NO_VARIABLE.format(size))
    scale.attrs.create("_Netcdf4Dimid", number, dtype=np.int32)
    return scale


def _write_attributes(place: Any, attrs: dict[str, Any]) -> None:
    import h5py

    for name, value in attrs.items():
        array = np.asarray(value)
        if array.dtype.kind in "UO" and array.ndim:
            place.attrs.create(name, _texts(name, array), dtype=h5py.string_dtype())
        else:
            place.attrs[name] = value


def _texts(name: str, values: np.ndarray) -> np.ndarray:
    """Texts as HDF5 takes them."""
    objects = values.astype(object)
    if not all(isinstance(text, str) for text in objects.flat):
        raise TypeError(f"{name}: values of the type {values.dtype} must be texts")
    return objects


def _named_coordinates(content: Content, name: str) -> dict[str, str]:
    """The attribute by which a variable names those of its coordinates that are no dimensions."""
    if name in content.coordinates:
        return {}
    dims = set(content.variables[name].dims)
    found = [one for one in _other_coordinates(content) if set(content.variables[one].dims) <= dims]
    return {"coordinates": " ".join(found)} if found else {}


def _left_over(content: Content) -> dict[str, str]:
    """Coordinates that no variable can name."""
    said = [_named_coordinates(content, name).get("coordinates", "") for name in content.variables]
    named = set(" ".join(said).split())
    found = [name for name in _other_coordinates(content) if name not in named]
    return {"coordinates": " ".join(found)} if found else {}


def _other_coordinates(content: Content) -> list[str]:
    return [name for name in content.coordinates if content.variables[name].dims != (name,)]
