"""A table of everything over time: a column for each number, with its name and unit in the first row."""

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

import numpy as np
import xarray as xr

from taut.results.errors import ResultError, from_os_error
from taut.results.result import Result
from taut.results.store import check_target

ROWS = 2000  # samples read and written at once: a long result need not fit into memory


def write_csv(result: Result, output: Path, variables: Sequence[str] | None = None) -> Path:
    """Write the variables that run over time; numbers as exact as they are."""
    chosen = [name for name in variables or list(result) if result[name].dims[:1] == ("time",)]
    missing = [name for name in variables or () if name not in chosen]
    if missing:
        raise ResultError(
            "", f"{missing[0]} does not run over time, so it has no place in the table", "a .mat file takes it"
        )
    check_target(Path(os.path.realpath(output)))
    kept = {name: _columns(result[name]) for name in chosen}
    part = output.with_name(f".{output.name}.{secrets.token_hex(4)}.part")
    try:
        with open(part, "w", encoding="utf-8", newline="\n") as file:
            heads = ["time [s]", *(head for name in chosen for head in kept[name][0])]
            file.write(",".join(_quoted(head) for head in heads) + "\n")
            for first in range(0, len(result.time), ROWS):
                rows = slice(first, first + ROWS)
                parts = [result.time[rows, None]]
                parts += [_flat(result[name].isel(time=rows))[:, kept[name][1]] for name in chosen]
                np.savetxt(file, np.concatenate(parts, axis=1), fmt="%.17g", delimiter=",")
        os.replace(part, output)
    except OSError as error:
        raise from_os_error(output, error, "cannot be written") from error
    finally:
        with suppress(OSError):
            part.unlink()
    return output


def _columns(array: xr.DataArray) -> tuple[list[str], np.ndarray]:
    """Heads of a variable's columns, and which are kept: padding of shorter cables is left out."""
    labels = [[str(value) for value in array[dim].values] if dim in array.coords else list(map(str, range(size)))
              for dim, size in list(array.sizes.items())[1:]]  # fmt: skip
    unit = array.attrs.get("units", "")
    heads = [".".join([str(array.name), *entry]) + (f" [{unit}]" if unit else "") for entry in product(*labels)]
    is_padded = {"node", "element"} & set(map(str, array.dims)) and array.dtype.kind == "f"
    first = _flat(array.isel(time=slice(0, 1)))[0] if array.sizes["time"] else np.zeros(len(heads))
    keep = ~np.isnan(first) if is_padded else np.ones(len(heads), bool)
    return [head for head, is_kept in zip(heads, keep, strict=True) if is_kept], np.flatnonzero(keep)


def _flat(array: xr.DataArray) -> np.ndarray:
    values = array.values
    return values.reshape(len(values), -1).astype(float)


def _quoted(head: str) -> str:
    return '"' + head.replace('"', '""') + '"' if any(letter in head for letter in ',"\n') else head
