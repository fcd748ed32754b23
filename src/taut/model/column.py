"""A column of a table: name, type, shape, unit and meaning."""

from typing import NamedTuple

INT = "int"  # int64
REAL = "real"  # float64 always
FIELD = "field"  # float64, or complex128 in a complex workspace


class Column(NamedTuple):
    """One column of a table."""

    name: str
    type: str
    shape: tuple[int, ...]
    unit: str
    meaning: str
