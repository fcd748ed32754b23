"""The command line inside of a notebook: `%load_ext taut.cli.notebook`, then `%taut check my-robot.yaml`.

Commands run in the notebook's own process, so that the engine is loaded once and `taut` need not be on the path.
"""

import shlex
import sys
from typing import Any


class CommandFailed(Exception):
    """A command of the notebook that ended with an exit code other than 0; what is wrong was printed above it."""

    def _render_traceback_(self) -> list[str]:
        """Lines that a notebook shows: the exit code alone, as the command has printed its own message."""
        return [str(self)]


def run_command(line: str) -> None:
    """Run `taut LINE`.

    Args:
        line: What would be typed after `taut`, quoted as in a shell.
    """
    from .app import app

    try:
        app(shlex.split(line, comments=True), prog_name="taut")
    except SystemExit as end:
        sys.stdout.flush()
        if end.code:
            raise CommandFailed(f"taut ended with exit code {end.code}") from None


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext`."""
    shell.register_magic_function(run_command, "line", "taut")
