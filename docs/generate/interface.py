"""The page docs/reference/python.md: the public names of taut, each rendered from its docstring when the site is built.

Records that functions return stand below the first one that does, field by field, with the comments of the source.

Usage: python docs/generate/interface.py > docs/reference/python.md
"""

import ast
import inspect
import io
import tokenize
import typing
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import taut

INTRODUCTION = """# Python interface

Every public name of `taut` with its signature and units, made from the docstrings; the list is made by
`python docs/generate/interface.py > docs/reference/python.md`. [Use it from Python](../usage/python.md) shows them at
work. What is not on this page may change without notice; [the policy](../policy.md) says what happens to what is.
"""
GROUPS = {
    "Describe": ("Machine", "Scenario", "ScenarioError", "load", "library"),
    "Build and start": (
        "build", "Model", "with_numbers", "describe", "start_state", "Data", "Factor", "new_data", "new_factor",
    ),
    "Run": ("simulate", "simulate_batch", "Stepper", "StepError", "Result", "ResultError", "open_result", "verify"),
    "Analyse": ("statics", "modes", "forward_dynamics", "inverse_dynamics", "Actuation", "inverse_motion", "reduce"),
    "Studies": ("study", "sweep", "open_study"),
}  # fmt: skip
# rooms whose records are answers, shown also where they stand inside others
ANSWERS = ("taut.analyses.", "taut.integrate.", "taut.robots.", "taut.studies.")
# fields that need no comment in the source
COMMON = {
    "cables": "names of the cables",
    "columns": "names of the velocity coordinates",
    "coordinates": "names of the coordinates of a pose",
    "data": "workspace at that state",
    "iterations": "number of iterations",
    "name": "name of the machine",
    "robot": "the robot",
    "steps": "number of iterations",
    "wrench_rows": "names of the rows of a wrench",
}
# modules among the public names: what they offer is listed one by one
MODULES = {
    "library": ("load", "names", "path"),
    "robots": tuple(taut.robots.__all__),
}


def page() -> str:
    """The page as Markdown."""
    if differ := {name for names in GROUPS.values() for name in names} ^ (set(taut.__all__) - {"robots"}):
        raise ValueError(f"GROUPS of docs/generate/interface.py and taut.__all__ differ in {sorted(differ)}")
    parts = [INTRODUCTION]
    shown = {public(package, name) for package, name in all_names()}
    for group, names in GROUPS.items():
        parts.append(f"## {group}\n")
        for name in names:
            places = [(f"taut.{name}", part) for part in MODULES[name]] if name in MODULES else [("taut", name)]
            parts += [text for place in places for text in entry(*place, shown)]
    parts.append("## Cable robots\n")
    return "\n".join(parts + [text for name in MODULES["robots"] for text in entry("taut.robots", name, shown)])


def all_names() -> Iterator[tuple[str, str]]:
    """Package and name of all that is public."""
    for name in taut.__all__:
        yield from [(f"taut.{name}", part) for part in MODULES[name]] if name in MODULES else [("taut", name)]


def public(package: str, name: str) -> Any:
    """What a public name stands for."""
    return getattr(__import__(package, fromlist=[name]), name)


def entry(package: str, name: str, shown: set[Any]) -> list[str]:
    """A directive for mkdocstrings, under the name by which users know it, and the records that come out of it."""
    value = public(package, name)
    parts = [f"::: {value.__module__}.{value.__qualname__}\n    options:\n      heading: {package}.{name}\n"]
    for one in records(value):
        if one not in shown:
            shown.add(one)
            parts.append(record(one, f"{package}.{name}"))
    return parts


def records(function: Any) -> Iterator[type]:
    """Records that a function returns, and records of these rooms inside them."""
    if inspect.isfunction(function):
        waiting, seen = [(typing.get_type_hints(function).get("return"), True)], set()
        while waiting:
            found, is_returned = waiting.pop(0)
            waiting += [(part, is_returned) for part in typing.get_args(found)]
            if isinstance(found, type) and found not in seen and is_dataclass(found):
                is_answer = found.__module__.startswith(ANSWERS)
                seen.add(found)
                if is_returned or is_answer:
                    yield found
                hints = typing.get_type_hints(found) if is_answer else {}
                waiting += [(hint, False) for name, hint in hints.items() if not name.startswith("_")]


def record(kind: type, function: str) -> str:
    """A table of the fields of a record, and its methods."""
    says = (inspect.getdoc(kind) or "").partition("\n")[0]
    rows = [f"| `{name}` | `{annotation}` | {escaped(text)} |" for name, annotation, text in fields(kind)]
    rows += [f"| `{name}` | {sort} | {escaped(text)} |" for name, sort, text in methods(kind)]
    head = f"### Record {kind.__name__}\n\nOf `{function}`. {says}\n\n| field | type | what it is |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def methods(kind: type) -> Iterator[tuple[str, str, str]]:
    """Name of every method or property, what it is, and the first line of its docstring."""
    for name, value in vars(kind).items():
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
            sort = "property" if isinstance(value, property) else "method"
            yield name, sort, (inspect.getdoc(value) or "").partition("\n")[0]


def escaped(text: str) -> str:
    """Text of a cell of a table."""
    return text.replace("|", "\\|")


def fields(kind: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and comment of every field: the comment behind it, or those above it."""
    source = inspect.getsource(kind)
    own = {token.start[0]: token.string.lstrip("# ") for token in tokenize.generate_tokens(io.StringIO(source).readline)
           if token.type == tokenize.COMMENT}  # fmt: skip
    lines = source.split("\n")
    for line in ast.parse(source).body[0].body:  # pyright: ignore[reportAttributeAccessIssue]
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and not line.target.id.startswith("_"):
            above, k = [], line.lineno - 1
            while k > 0 and lines[k - 1].lstrip().startswith("#"):
                above.insert(0, own[k])
                k -= 1
            text = own.get(line.lineno) or own.get(line.end_lineno or 0) or " ".join(above)
            yield (
                line.target.id,
                ast.unparse(line.annotation).replace("|", "or"),
                text or COMMON.get(line.target.id, ""),
            )


if __name__ == "__main__":
    print(page(), end="")
