"""Rows of tables as plain objects: an attribute of a row of ``np.recarray`` takes as long as a product of arrays."""

from types import SimpleNamespace
from typing import Any

import numpy as np


def rows_of(table: Any) -> list[Any]:
    """The rows of a table, each with its columns as attributes: Python numbers, and arrays of those with several."""
    names = table.dtype.names
    return [SimpleNamespace(**dict(zip(names, row, strict=True))) for row in np.asarray(table).tolist()]
