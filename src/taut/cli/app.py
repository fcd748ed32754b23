"""The `taut` command and its sub-commands."""

from typing import Annotated

import typer

from .animate import animate
from .bench import bench
from .calibrate import calibrate
from .check import check
from .export import export
from .failures import Commands
from .import_robot import import_robot
from .init import init
from .interference import interference
from .invdyn import invdyn
from .lengths import lengths
from .list import list_scenarios
from .modes import modes
from .plot import plot
from .pose import pose
from .reduce import reduce
from .report import report
from .run import run
from .schema import schema
from .spaces import spaces
from .statics import statics
from .stiffness import stiffness
from .tensions import tensions
from .verify import verify
from .view import view
from .workspace import workspace

HELP = "Simulate machines that hang on cables. FILE is a YAML scenario, a library scenario, or a result."

app = typer.Typer(name="taut", help=HELP, cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)
app.command()(bench)
app.command()(check)
app.command("list")(list_scenarios)
app.command()(init)
app.command()(schema)
app.command()(run)
app.command()(plot)
app.command()(view)
app.command()(report)
app.command()(animate)
app.command()(export)
app.command()(statics)
app.command()(modes)
app.command()(verify)
app.command()(invdyn)
app.command()(spaces)
app.command()(reduce)
app.command()(lengths)
app.command()(pose)
app.command()(tensions)
app.command()(workspace)
app.command()(stiffness)
app.command()(interference)
app.command()(calibrate)
app.command("import")(import_robot)


def show_version(is_asked: bool) -> None:
    """Print the version and end."""
    if is_asked:
        from taut import __version__

        typer.echo(f"taut {__version__}")
        raise typer.Exit


@app.callback(help=HELP)
def shared(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Options of `taut` itself."""


def main() -> None:
    """Run the command line."""
    app()
