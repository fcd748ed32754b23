"""Slices through a workspace: the planes x-z, y-z and x-y through the middle of what is inside."""

import numpy as np
import xarray as xr

PLANES = {"xz": "y", "yz": "x", "xy": "z"}  # planes of slices, with the coordinate that is constant on each


def middles(inside: np.ndarray) -> list[int]:
    """Numbers of the grid points in the middle of what is inside, along every axis."""
    found = []
    for axis in range(inside.ndim):
        counts = inside.sum(axis=tuple(k for k in range(inside.ndim) if k != axis))
        places = np.arange(len(counts))
        found.append(int(np.round(np.average(places, weights=counts))) if counts.any() else len(counts) // 2)
    return found


def slices(data: xr.Dataset) -> list[xr.DataArray]:
    """The whole margin in a plane or along a line; in space three planes, on finer grids where the file has them."""
    names = [str(name) for name in data["margin"].dims]
    if len(names) < 3:
        return [data["margin"]]
    at = dict(zip(names, middles(data["inside"].values), strict=True))
    return [_slice(data, plane, at) for plane in PLANES]


def _slice(data: xr.Dataset, plane: str, at: dict[str, int]) -> xr.DataArray:
    across = PLANES[plane]
    coarse = data["margin"].isel({across: at[across]})
    fine = data.get(f"slice_{plane}")
    if fine is None:
        return coarse
    found = fine.rename({f"fine_{name}": name for name in plane})
    return found.assign_coords({across: coarse[across]})
