"""The `taut` command and its sub-commands."""

from typing import Annotated

import typer

from taut.cli.commands.animate import animate
from taut.cli.commands.bench import bench
from taut.cli.commands.calibrate import calibrate
from taut.cli.commands.check import check
from taut.cli.commands.compile import compile_code
from taut.cli.commands.doctor import doctor
from taut.cli.commands.export import export
from taut.cli.commands.fastest import fastest
from taut.cli.commands.fit import fit
from taut.cli.commands.fmu import fmu
from taut.cli.commands.import_robot import import_robot
from taut.cli.commands.init import init
from taut.cli.commands.interference import interference
from taut.cli.commands.invdyn import invdyn
from taut.cli.commands.lengths import lengths
from taut.cli.commands.linearize import linearize
from taut.cli.commands.list import list_scenarios
from taut.cli.commands.modes import modes
from taut.cli.commands.optimize import optimize
from taut.cli.commands.plot import plot
from taut.cli.commands.pose import pose
from taut.cli.commands.reduce import reduce
from taut.cli.commands.report import report
from taut.cli.commands.run import run
from taut.cli.commands.schema import schema
from taut.cli.commands.sensitivity import sensitivity
from taut.cli.commands.serve import serve
from taut.cli.commands.spaces import spaces
from taut.cli.commands.statics import statics
from taut.cli.commands.stiffness import stiffness
from taut.cli.commands.sweep import sweep
from taut.cli.commands.tensions import tensions
from taut.cli.commands.verify import verify
from taut.cli.commands.view import view
from taut.cli.commands.workspace import workspace

from .failures import Commands

HELP = "Simulate machines that hang on cables. FILE is a YAML scenario, a library scenario, or a result."

app = typer.Typer(name="taut", help=HELP, cls=Commands, pretty_exceptions_enable=False)
app.command()(bench)
app.command()(check)
app.command("compile")(compile_code)
app.command("list")(list_scenarios)
app.command()(init)
app.command()(doctor)
app.command()(schema)
app.command()(run)
app.command()(plot)
app.command()(view)
app.command()(report)
app.command()(animate)
app.command()(export)
app.command()(statics)
app.command()(modes)
app.command()(linearize)
app.command()(serve)
app.command()(fmu)
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
app.command()(sensitivity)
app.command()(fastest)
app.command()(calibrate)
app.command("import")(import_robot)
app.command()(sweep)
app.command()(fit)
app.command()(optimize)


def show_version(is_asked: bool) -> None:
    """Print the version and end."""
    if is_asked:
        from taut import __version__

        typer.echo(f"taut {__version__}")
        raise typer.Exit


@app.callback(help=HELP, invoke_without_command=True)
def shared(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Options of `taut` itself; alone it says what to do next."""
    if context.invoked_subcommand is None:
        from .greeting import greeting

        typer.echo(greeting())


def main() -> None:
    """Run the command line."""
    app()
