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
    """The margin along a line or in a plane; in space in three planes; on finer grids where the file has them."""
    names = [str(name) for name in data["margin"].dims]
    if len(names) == 1:
        return [data["margin"]]
    if len(names) == 2:
        found = _fine(data, "".join(names))
        return [data["margin"] if found is None else found]
    at = dict(zip(names, middles(data["inside"].values), strict=True))
    return [_slice(data, plane, at) for plane in PLANES]


def _slice(data: xr.Dataset, plane: str, at: dict[str, int]) -> xr.DataArray:
    across = PLANES[plane]
    coarse, fine = data["margin"].isel({across: at[across]}), _fine(data, plane)
    return coarse if fine is None else fine.assign_coords({across: coarse[across]})


def _fine(data: xr.Dataset, plane: str) -> xr.DataArray | None:
    found = data.get(f"slice_{plane}")
    return None if found is None else found.rename({f"fine_{name}": name for name in plane})


def levelled(values: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """A margin in a plane to colour, and a function that is zero on its boundary and negative outside.

    Where the margin ends with a jump (poses that no cable reaches or no tensions hold: NaN; wrench closure: 0 outside)
    the colours go on as they are at the nearest pose known, and the function has that value with the other sign: so the
    boundary is drawn in the middle between a pose inside and one outside, and no band of colours beside it is made up.
    """
    from scipy.ndimage import distance_transform_edt

    is_known = np.isfinite(values) & ((values > 0.0) | (kind != "wrench-closure"))
    if is_known.all() or not is_known.any():
        return values, np.where(is_known, values, -1.0)
    nearest = np.asarray(distance_transform_edt(~is_known, return_distances=False, return_indices=True))
    filled = values[tuple(nearest)]
    return filled, np.where(is_known, values, -np.abs(filled) - 1e-12 * np.abs(filled).max())
