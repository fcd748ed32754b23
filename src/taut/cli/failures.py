"""What the user sees when something fails: a clear message and an exit code, never a traceback."""

import os
import sys
import traceback
from typing import Any

import typer
from typer.core import TyperGroup

BAD_INPUT = 2
FAILED = 1
INTERRUPTED = 130  # exit code of shells for a program that was ended by Ctrl-C
# exceptions by which typer ends a program; the base class of BadParameter is its error for a wrong command line
PASS_ON: tuple[type[BaseException], ...] = (typer.Exit, typer.Abort, BrokenPipeError, *typer.BadParameter.__bases__)


class Commands(TyperGroup):
    """A group of commands that reports errors of the input with exit code 2, and our own errors with exit code 1."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Note whether the answer is wanted as JSON."""
        ctx.obj = {"json": "--json" in args}
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except PASS_ON:
            raise
        except KeyboardInterrupt:
            typer.echo("interrupted, nothing written", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            code = _report(error, as_json=ctx.obj["json"])
            raise typer.Exit(code) from None


def _report(error: Exception, *, as_json: bool) -> int:
    """Tell what is wrong; return the exit code."""
    code, problems = _judge(error)
    if problems is None:
        _report_defect(error)
        return code
    from .pages import page_of, pages_of

    if as_json:
        import json

        told = [{**problem.as_dict(), "page": page_of(problem)} for problem in problems]
        typer.echo(json.dumps({"ok": False, "problems": told}, indent=2))
    typer.echo("\n".join(map(str, problems)) if isinstance(error, ImportError) else str(error), err=True)
    if pages := pages_of(problems):
        typer.echo(f"  see {', '.join(pages)}", err=True)
    return code


def _judge(error: Exception) -> tuple[int, list[Any] | None]:
    """Exit code, and what the user can do something about; None for a defect of ours."""
    from taut.scenario.errors import Problem, ScenarioError

    if isinstance(error, ScenarioError):
        return BAD_INPUT, error.problems
    # only a command that has imported results can fail with such an error; the others do not wait for the import
    if "taut.results.errors" in sys.modules:
        from taut.results.errors import ResultError, UnsavedError

        if isinstance(error, ResultError):
            problems = [Problem(error.reason, source=error.path, remedy=error.remedy)]
            return FAILED if isinstance(error, UnsavedError) else BAD_INPUT, problems
    if isinstance(error, ModuleNotFoundError) and (problem := _not_installed(error.name or "")):
        return BAD_INPUT, [problem]
    return FAILED, None


def _not_installed(module: str) -> Any:
    """The remedy for a package of an optional group; None for any other."""
    from taut.scenario.errors import Problem

    from .doctor.missing import extra_with

    extra = extra_with(module)
    remedy = f"pip install 'taut[{extra}]' brings it; in the folder of the sources: pip install -e '.[{extra}]'"
    return Problem(f"this needs {module.partition('.')[0]}, which is not installed", remedy=remedy) if extra else None


def _report_defect(error: Exception) -> None:
    typer.echo(f"taut: internal error: {type(error).__name__}: {error}", err=True)
    if os.environ.get("TAUT_DEBUG"):
        typer.echo(traceback.format_exc(), err=True)
    else:
        typer.echo("  this is a defect of taut, not of your scenario; TAUT_DEBUG=1 shows where", err=True)
