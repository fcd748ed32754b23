"""All runs of a batch in one dataset."""

from typing import Any

import numpy as np
import xarray as xr

from taut.integrate.batch.runs import Ended
from taut.integrate.run.texts import result_names
from taut.model import Model
from taut.results.channels import COORDINATES, Channel, channel_of

ABOUT = {
    "status": "how the run ended: completed, stopped, or what went wrong",
    "audit": "verdict of the audit: pass, fail or incomplete",
    "cause": "why the run did not complete, or why its audit failed",
    "seconds": "wall time of the run",
}


def batch_dataset(model: Model, ended: list[Ended], changes: list[Any] | None) -> xr.Dataset:
    """One dataset with the dimension ``run``; runs that ended early are padded with NaN (whole numbers: 0)."""
    words = {"status": [run.status for run in ended], "audit": [run.verdict for run in ended],
             "cause": [run.cause for run in ended]}  # fmt: skip
    variables: dict[str, Any] = {
        name: ("run", np.array(values, dtype=str), {"long_name": ABOUT[name]}) for name, values in words.items()
    }
    seconds = np.array([run.seconds for run in ended])
    variables["seconds"] = ("run", seconds, {"units": "s", "long_name": ABOUT["seconds"]})
    variables |= changed_numbers(changes or [])
    found = [run.arrays for run in ended if run.arrays]
    coords: dict[str, Any] = {"run": np.arange(len(ended))}
    if found:
        longest = max((arrays["time"] for arrays in found), key=len)
        if all(np.array_equal(arrays["time"], longest[: len(arrays["time"])]) for arrays in found):
            coords["time"] = ("time", longest, {"units": "s", "long_name": "time"})
        else:
            times = stacked(ended, "time", (len(longest),), np.dtype(float))
            variables["run_time"] = (("run", "time"), times, {"units": "s", "long_name": "time of the samples"})
        channels = channel_variables(ended, found)
        variables |= channels
        coords |= name_coordinates(model, channels)
    return xr.Dataset(variables, coords, {"format": "taut batch", "title": model.plan.name})


def channel_variables(ended: list[Ended], found: list[dict[str, np.ndarray]]) -> dict[str, Any]:
    """Channels of all runs, each with its dimensions and units."""
    variables = {}
    for name in dict.fromkeys(name for arrays in found for name in arrays if name != "time"):
        channel: Channel | None = channel_of(name)
        shapes = [arrays[name].shape for arrays in found if name in arrays]
        shape = tuple(max(sizes) for sizes in zip(*shapes, strict=True))
        assert channel is not None
        values = stacked(ended, name, shape, np.dtype(channel.dtype))
        variables[name] = (("run", *channel.dims), values, {"units": channel.unit, "long_name": channel.long_name})
    return variables


def stacked(ended: list[Ended], name: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The arrays of all runs, padded to one shape."""
    values = np.full((len(ended), *shape), np.nan if dtype.kind == "f" else 0, dtype)
    for k, run in enumerate(ended):
        if name in run.arrays:
            values[(k, *(slice(size) for size in run.arrays[name].shape))] = run.arrays[name]
    return values


def name_coordinates(model: Model, channels: dict[str, Any]) -> dict[str, Any]:
    """Names along the dimensions of channels."""
    sizes = {dim: size for dims, values, _ in channels.values() for dim, size in zip(dims, values.shape, strict=True)}
    plan = model.plan
    known: dict[str, Any] = {"xyz": list("xyz"), "wxyz": list("wxyz"), **result_names(model),
                             "measurement": list(plan.measurements), "command": list(plan.commands)}  # fmt: skip
    known |= {dim: np.arange(first, sizes[dim] + first) for dim, first in (("node", 0), ("element", 1)) if dim in sizes}
    return {dim: (dim, np.asarray(known[dim]), {"long_name": COORDINATES[dim][1]})
            for dim, size in sizes.items() if len(known.get(dim, ())) == size}  # fmt: skip


def changed_numbers(changes: list[Any]) -> dict[str, Any]:
    """Numbers that were changed in the runs, as variables named by their addresses in the scenario."""
    addresses = dict.fromkeys(address for change in changes for address in change)
    found = {}
    for address in addresses:
        values = [change.get(address, np.nan) for change in changes]
        if all(isinstance(value, int | float | np.number) and not isinstance(value, bool) for value in values):
            found[address] = ("run", np.array(values, float), {"long_name": f"{address} of the run"})
    return found
