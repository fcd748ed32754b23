"""`taut verify`: published numbers against ours."""

import json
import sys
from typing import Annotated

import typer

from taut.cli.options import Json

Cases = Annotated[list[str] | None, typer.Argument(metavar="CASE", help="Which cases; else all that are quick.")]
All = Annotated[bool, typer.Option("--all", help="The slow ones too.")]


def verify(cases: Cases = None, is_all: All = False, as_json: Json = False) -> None:
    """Run published and closed-form cases, and compare; nothing is read from stored values.

    Exit code 0: all pass; 1: at least one does not.

    Example: taut verify mamidi-4.2 --json
    """
    from taut.build import build
    from taut.cli.running import compile_engine, say
    from taut.library import load
    from taut.verify import choose_cases, is_passed, table_lines, verify_case

    names = choose_cases(cases or [], is_all=is_all)
    compile_engine(build(load("double-pendulum")))
    answer = {}
    for name in names:
        if sys.stderr.isatty():
            say(f"... {name}")
        answer[name] = verify_case(name)
        if not as_json:
            typer.echo("\n".join(table_lines(name, answer[name])))
    if as_json:
        typer.echo(json.dumps(answer, indent=2))
    if not is_passed(answer):
        raise typer.Exit(1)
