"""Measured time series: a CSV file with a column `time`, and columns named as variables of results.

A name is that of the variable, then the labels along its dimensions: `platform_position.z`, `cable_tension_exit.C1`,
`body_position.load.x`. An empty cell is a number that was not measured.
"""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.studies.measures import labels_of

MOST_BYTES = 200 * 2**20


@dataclass(frozen=True)
class Measured:
    """Measured time series: times and channels."""

    time: np.ndarray  # times of the measurements [s], increasing
    columns: tuple[str, ...]
    values: np.ndarray  # measured values [times, columns], NaN where nothing was measured

    @property
    def is_there(self) -> np.ndarray:
        """Which numbers were measured."""
        return np.isfinite(self.values)


def read_measured(path: str | Path) -> Measured:
    """Read a CSV file.

    Raises:
        ScenarioError: with the line and what is wrong there.
    """
    file = Path(path)
    if not file.is_file() or file.stat().st_size > MOST_BYTES:
        raise _wrong(path, None, "does not exist, is not a file, or is too large")
    try:
        text = file.read_text(encoding="utf-8-sig")
        lines = [(n, row) for n, row in enumerate(csv.reader(text.splitlines()), 1) if any(map(str.strip, row))]
    except (UnicodeDecodeError, csv.Error) as error:
        raise _wrong(path, None, f"is no CSV file: {error}") from None
    header = [cell.strip() for cell in lines[0][1]] if lines else []
    if "time" not in header or len(header) < 2:
        raise _wrong(path, 1, "must begin with a header: time, and at least one variable")
    for name in header:
        if not name or header.count(name) > 1:
            raise _wrong(path, lines[0][0], f"has two columns {name}" if name else "has a column without a name")
    if len(lines) < 3:
        raise _wrong(path, None, "must have at least two rows of numbers")
    rows = np.array([_numbers(path, n, row, len(header)) for n, row in lines[1:]])
    k = header.index("time")
    for name, column in zip(header, rows.T, strict=True):
        if not np.isfinite(column).any():
            raise _wrong(path, None, f"has no number in the column {name}")
    time, columns = rows[:, k], tuple(name for name in header if name != "time")
    if not np.all(np.diff(time) > 0.0) or time[0] < 0.0:
        where = lines[1 + int(np.argmax(np.append(np.diff(time) <= 0.0, True)))][0] + 1
        raise _wrong(path, where, "times must not be negative, and must rise from row to row")
    return Measured(time, columns, np.delete(rows, k, axis=1))


def _numbers(path: str | Path, line: int, row: list[str], width: int) -> list[float]:
    if len(row) != width:
        raise _wrong(path, line, f"has {len(row)} cells, the header {width}")
    try:
        return [float(cell) if cell.strip() else np.nan for cell in row]
    except ValueError:
        raise _wrong(path, line, "has a cell that is no number") from None


def _wrong(path: str | Path, line: int | None, message: str, remedy: str = "") -> ScenarioError:
    return ScenarioError([Problem(message, source=str(path), line=line, remedy=remedy)])


def model_columns(dataset: Any, data: Measured) -> np.ndarray:
    """The columns as a run has them at the times of the data [times, columns]."""
    time = dataset.variables["time"].values
    places = np.clip(np.searchsorted(time, data.time - 1e-9 * max(time[-1], 1.0)), 0, len(time) - 1)
    return np.stack([column_of(dataset, name)[places] for name in data.columns], axis=1)


def column_of(dataset: Any, name: str) -> np.ndarray:
    """One series of a result by its name.

    Raises:
        ScenarioError: there is none.
    """
    variable, *labels = name.split(".")
    if variable not in dataset.variables or "time" not in dataset.variables[variable].dims:
        known = [str(own) for own in dataset.data_vars if "time" in dataset[own].dims]
        raise ScenarioError([Problem("is no variable of the result", name, remedy=suggest(variable, known))])
    found = dataset.variables[variable]
    dims = [dim for dim in found.dims if dim != "time"]
    if len(labels) != len(dims):
        text = f"needs a label for each of {', '.join(dims)}" if dims else "has no dimensions to label"
        raise ScenarioError([Problem(text, name, remedy=".".join([variable, *map(str, dims)]))])
    places: list[Any] = []
    for dim, label in zip(dims, labels, strict=True):
        known = labels_of(dataset, dim, found)
        if label not in known:
            raise ScenarioError([Problem(f"{label!r} is no {dim}", name, remedy=suggest(label, known[:50]))])
        places.append(known.index(label))
    return np.moveaxis(np.asarray(found.values, float), found.dims.index("time"), 0)[(slice(None), *places)]
