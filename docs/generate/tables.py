"""The page docs/tables.md, made from the lists in ``model/tables.py`` and the comments in ``model/data.py``.

Usage: python docs/generate/tables.py > docs/tables.md
"""

import inspect
import re
from collections.abc import Iterator
from enum import IntEnum

from taut.model import data, enums, tables
from taut.model.tables import FIELD, INT, REAL, Column

INTRODUCTION = """# Tables

Every column of the model and of its workspaces, made from `src/taut/model/tables.py` by
`python docs/generate/tables.py > docs/tables.md`.

A table is a `numpy.recarray`: `model.tables.nodes[i].mass` is one number, `model.tables.nodes["mass"]` the column.
The tables of a model are read-only. Types: *int* is int64, *real* is float64, *field* is float64, or complex128 in a
complex workspace. A shape is that of one row's entry; no shape means a single number.
"""
# heading: what one row is, and its columns
MODEL = {
    "nodes": ("one row per body on its joint, parents before children; row 0 is the world", tables.NODES),
    "columns": ("one row per velocity coordinate", tables.COLUMNS),
    "subsystems": ("one row per tree on the world", tables.SUBSYSTEMS),
    "closures": ("one row per place where two nodes meet", tables.CLOSURES),
    "ends": ("one row per end of a closure, ordered by sub-system", tables.ENDS),
    "wrenches": ("one row per applied force and torque", tables.WRENCHES),
    "contacts": ("one row per point that the ground may carry", tables.CONTACTS),
    "tethers": ("one row per cable without mass that stretches", tables.TETHERS),
    "routes": ("one row per cable without mass, spring or rod between two bodies: the way it takes", tables.ROUTES),
    "guides": ("one row per point of a route, in its order, then those that pay it out", tables.GUIDES),
    "sheaves": ("one row per guide with a radius", tables.SHEAVES),
    "layers": ("where the radius of a drum's layers changes", tables.LAYERS),
    "capstans": ("one row per friction at guides and drums that follows tensions", tables.CAPSTANS),
    "feeds": ("one row per cable whose length is a coordinate", tables.FEEDS),
    "events": ("one row per function watched for a change of sign", tables.EVENTS),
    "signals": ("one row per function of time: the sum of its terms", tables.SIGNALS),
    "terms": ("one row per term of a signal", tables.TERMS),
    "pieces": ("one row per piece of a piecewise polynomial", tables.PIECES),
    "paces": ("one row per region of time", tables.PACES),
    "ritz": ("one row per cable with assumed modes", tables.RITZ),
    "settings": ("one row for the whole machine", tables.SETTINGS),
}
WORKSPACES = {
    "data.nodes": ("where each node is, how it moves and what it transmits", tables.DATA_NODES),
    "data.columns": ("the axis of each velocity coordinate", tables.DATA_COLUMNS),
    "data.rows": ("one row per constraint row", tables.DATA_ROWS),
    "data.routes": ("one row per route", tables.DATA_ROUTES),
    "data.guides": ("one row per guide of a route", tables.DATA_GUIDES),
    "factor.nodes": ("what the factorisation holds per node", tables.FACTOR_NODES),
    "factor.columns": ("what the factorisation holds per velocity coordinate", tables.FACTOR_COLUMNS),
}
CHOICES = (enums.JointKind, enums.LawKind, enums.ClosureKind, enums.FeedKind, enums.TermKind)
TYPES = {INT: "int", REAL: "real", FIELD: "field"}
ARRAY = re.compile(r"^    (\w+): np\.ndarray  # (.+)$", re.MULTILINE)


def page() -> str:
    """The whole page as Markdown."""
    parts = [INTRODUCTION, "## Model\n\nIn `model.tables`. Besides the tables below it has `row_lists`, the constraint "
             "rows of every\nsub-system one after the other.\n"]  # fmt: skip
    parts += [section(f"model.tables.{name}", *content) for name, content in MODEL.items()]
    parts += ["## Workspaces\n", arrays("data", data.Data), arrays("factor", data.Factor)]
    parts += [section(name, *content) for name, content in WORKSPACES.items()]
    parts += ["## Choices\n\nInteger codes used in the tables.\n", *map(choice, CHOICES)]
    return "\n".join(parts)


def section(name: str, row: str, columns: tuple[Column, ...]) -> str:
    """One table of the model."""
    head = f"### `{name}`\n\n{row.capitalize()}.\n\n| column | type | shape | unit | meaning |\n|---|---|---|---|---|\n"
    return head + "".join(f"{line}\n" for line in map(column_line, columns))


def column_line(column: Column) -> str:
    """One column as a row of a Markdown table."""
    shape = "[" + ", ".join(map(str, column.shape)) + "]" if column.shape else ""
    unit = "" if column.unit == "-" else column.unit
    return f"| `{column.name}` | {TYPES[column.type]} | {shape} | {unit} | {column.meaning} |"


def arrays(name: str, workspace: type) -> str:
    """The plain arrays of a workspace, as its source explains them."""
    head = f"### `{name}`\n\n{workspace.__doc__}\n\n| array | meaning |\n|---|---|\n"
    found = ARRAY.findall(inspect.getsource(workspace))
    return head + "".join(f"| `{array}` | {meaning} |\n" for array, meaning in found)


def choice(kind: type[IntEnum]) -> str:
    """The members of an enumeration."""
    return f"`{kind.__name__}`: " + ", ".join(members(kind)) + ".\n"


def members(kind: type[IntEnum]) -> Iterator[str]:
    """Number and name of every member."""
    yield from (f"{member.value} {member.name.lower().replace('_', ' ')}" for member in kind)


if __name__ == "__main__":
    print(page(), end="")
