"""Rows of a table as plain objects, which are quick to write; the table is filled from all, column by column."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from taut.model.tables import INT, Column, new_table


class Row(SimpleNamespace):
    """One row, with an attribute for each column."""


def blank_rows(columns: tuple[Column, ...], count: int) -> list[Row]:
    """Rows of zeros."""
    scalars = {column.name: 0 if column.type == INT else 0.0 for column in columns if not column.shape}
    vectors = [(column.name, column.shape, int if column.type == INT else float) for column in columns if column.shape]
    return [Row(**scalars, **{name: np.zeros(shape, kind) for name, shape, kind in vectors}) for _ in range(count)]


def table_of(columns: tuple[Column, ...], rows: list[Row]) -> Any:
    """The table with these rows."""
    table = new_table(columns, len(rows))
    plain = table.view(np.ndarray)
    for column in columns if rows else ():
        plain[column.name] = [getattr(row, column.name) for row in rows]
    return table
