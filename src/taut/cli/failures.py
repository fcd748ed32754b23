"""What the user sees when something fails: a clear message and an exit code, never a traceback."""

import os
import traceback
from typing import Any

import typer
from typer.core import TyperGroup

BAD_INPUT = 2
FAILED = 1
# typer's own ways to end; the base of BadParameter is the error for a wrong command line
PASS_ON: tuple[type[BaseException], ...] = (typer.Exit, typer.Abort, BrokenPipeError, *typer.BadParameter.__bases__)


class Commands(TyperGroup):
    """A group of commands that reports errors of the scenario with exit code 2, and our own errors with exit code 1."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Note whether the answer is wanted as JSON."""
        ctx.obj = {"json": "--json" in args}
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        from taut.scenario.errors import ScenarioError

        try:
            return super().invoke(ctx)
        except PASS_ON:
            raise
        except ScenarioError as error:
            _report_scenario(error, as_json=ctx.obj["json"])
            raise typer.Exit(BAD_INPUT) from None
        except Exception as error:
            _report_defect(error)
            raise typer.Exit(FAILED) from None


def _report_scenario(error: Any, *, as_json: bool) -> None:
    if as_json:
        import json

        typer.echo(json.dumps({"ok": False, "problems": [problem.as_dict() for problem in error.problems]}, indent=2))
    typer.echo(str(error), err=True)


def _report_defect(error: Exception) -> None:
    typer.echo(f"taut: internal error: {type(error).__name__}: {error}", err=True)
    if os.environ.get("TAUT_DEBUG"):
        typer.echo(traceback.format_exc(), err=True)
    else:
        typer.echo("  this is a defect of taut, not of your scenario; TAUT_DEBUG=1 shows where", err=True)
