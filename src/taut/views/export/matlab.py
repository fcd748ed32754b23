"""A MATLAB file: every variable under its name, names of bodies and cables as cells, units and origin beside them."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from taut.results.errors import ResultError
from taut.results.result import Result
from taut.results.store import write_whole

LARGEST = 2**31 - 1  # largest size of one variable in MATLAB's format 5 [bytes]
ABOUT = ("title", "status", "method", "tolerance", "scenario", "conventions", "taut_version", "model_digest")


def write_mat(result: Result, output: Path, variables: Sequence[str] | None = None) -> Path:
    """Write a file of version 5, which MATLAB, Octave and SciPy read."""
    from scipy.io import savemat

    chosen = list(variables) if variables else list(result)
    for name in chosen:
        if result[name].nbytes > LARGEST:
            raise ResultError(
                output, f"cannot hold {name}: it has more than 2 GB", "name other variables, or read the NetCDF file"
            )
    content: dict[str, Any] = {name: _plain(result[name].values) for name in chosen}
    content["time"] = result.time[:, None]
    content["units"] = {name: str(result[name].attrs.get("units", "")) for name in chosen}
    content["dims"] = {name: ",".join(map(str, result[name].dims)) for name in chosen}
    content["names"] = {
        str(dim): np.array([str(v) for v in coordinate.values], dtype=object)
        for dim, coordinate in result.dataset.coords.items()
        if coordinate.dtype.kind in "UOS"
    }
    content["about"] = {key: result.dataset.attrs[key] for key in ABOUT if key in result.dataset.attrs}
    memory = BytesIO()
    savemat(memory, content, long_field_names=True, do_compression=True, oned_as="column")
    return write_whole(output, memory.getbuffer())


def _plain(values: np.ndarray) -> np.ndarray:
    return values.astype(np.uint8) if values.dtype.kind == "b" else values
