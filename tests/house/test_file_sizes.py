"""Files and functions stay small enough to read: ruff has no rule for either."""

import ast

import pytest

from house.sources import PACKAGE, SOURCES

FILE_LIMIT = 400
FUNCTION_LIMIT = 60
RECURSION_LIMIT = 80  # limit of function bodies in the rooms of compiled code [lines]
COMPILED_ROOMS = {"dynamics", "kernels"}
DATA_TABLES = {"model/tables.py"}


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its signature and docstring."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def functions(tree: ast.Module):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def name_of(path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_file_is_short(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert name_of(path) in DATA_TABLES or lines <= FILE_LIMIT, f"{lines} lines: split it"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_functions_are_short(path):
    limit = RECURSION_LIMIT if name_of(path).split("/")[0] in COMPILED_ROOMS else FUNCTION_LIMIT
    tree = ast.parse(path.read_text(encoding="utf-8"))
    long = {f.name: body_lines(f) for f in functions(tree) if body_lines(f) > limit}
    assert not long, f"more than {limit} lines: {long}"


def test_body_is_counted_without_signature_and_docstring():
    source = 'def f(\n    a,\n):\n    """One.\n\n    Two.\n    """\n    b = a\n\n    return b\n'
    (function,) = functions(ast.parse(source))
    assert body_lines(function) == 3
