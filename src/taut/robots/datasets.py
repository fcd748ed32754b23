"""Records of robots as xarray datasets."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

Variable = tuple[tuple[str, ...], Any, str, str]  # a variable of a dataset: dimensions, values, unit, meaning


def dataset(title: str, coords: Mapping[str, Any], variables: Mapping[str, Variable], **attributes: Any) -> xr.Dataset:
    """A dataset with ``units`` and ``long_name`` on every variable."""
    found = {name: xr.DataArray(np.asarray(values), dims=dims, attrs={"units": unit, "long_name": text})
             for name, (dims, values, unit, text) in variables.items()}  # fmt: skip
    used = {dim for variable in found.values() for dim in variable.dims}
    known = {name: (name, list(values)) for name, values in coords.items() if name in used}
    return xr.Dataset(found, coords=known, attrs={"title": title, **attributes})
