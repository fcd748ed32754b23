"""CSV files behind `kind: table`."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from taut.scenario.base import fault
from taut.scenario.errors import suggest

MOST_BYTES = 20 * 2**20


def read_table(data: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table record with the columns of its CSV file in place of the file.

    Args:
        data: record as the user wrote it, with `file` and perhaps `column`, `time_column` (name or number from 0).
        context: `folder` is the folder of the scenario file, from which relative paths count.
    """
    if not isinstance(data.get("file"), str):
        raise fault("must be the name of a CSV file", at="file")
    for key in ("times", "values"):
        if data.get(key):
            raise fault("cannot go with file: the file holds the numbers", at=key)
    rows = _read_rows(Path(context.get("folder") or ".") / data["file"])
    header = None if _is_number(rows[0][1][0]) else [cell.strip() for cell in rows[0][1]]
    body = rows[1:] if header else rows
    time = _column(data, "time_column", 0, header, len(rows[0][1]))
    value = _column(data, "column", 1, header, len(rows[0][1]))
    rest = {key: entry for key, entry in data.items() if key not in ("file", "column", "time_column")}
    return {**rest, "times": _numbers(body, time), "values": _numbers(body, value)}


def _read_rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return line number and cells of every row that is neither empty nor a comment."""
    if not path.is_file():
        raise fault(
            "does not exist or is not a file", at="file", remedy="paths count from the folder of the scenario file"
        )
    if path.stat().st_size > MOST_BYTES:
        raise fault(f"is larger than {MOST_BYTES} bytes", at="file")
    lines = _read_lines(path)
    kept = [
        (number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")
    ]
    if len(kept) < 2:
        raise fault("must have at least two rows", at="file")
    delimiter = max(",;\t", key=kept[0][1].count)
    return [(number, next(csv.reader([line], delimiter=delimiter))) for number, line in kept]


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise fault(f"cannot be read: {error.strerror}", at="file") from None
    except UnicodeDecodeError:
        raise fault("is not UTF-8 text", at="file") from None


def _column(data: Mapping[str, Any], key: str, default: int, header: list[str] | None, width: int) -> int:
    column = data.get(key, default)
    if isinstance(column, str):
        if column not in (header or []):
            raise fault("is not a column of the file", at=key, remedy=suggest(column, header or []))
        return (header or []).index(column)
    if isinstance(column, bool) or not isinstance(column, int) or not 0 <= column < width:
        raise fault(f"must be the name of a column or a number from 0 to {width - 1}", at=key)
    return column


def _numbers(rows: list[tuple[int, list[str]]], column: int) -> list[float]:
    numbers = []
    for number, cells in rows:
        if column >= len(cells) or not _is_number(cells[column]):
            raise fault(f"line {number}, column {column}: must be a number", at="file")
        numbers.append(float(cells[column]))
    return numbers


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
