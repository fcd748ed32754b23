"""The `taut` command and its sub-commands."""

import gc
from typing import Annotated

import typer

from taut.cli.commands.engine.bench import bench
from taut.cli.commands.engine.compile import compile_code
from taut.cli.commands.engine.doctor import doctor
from taut.cli.commands.engine.verify import verify
from taut.cli.commands.loop.fmu import fmu
from taut.cli.commands.loop.linearize import linearize
from taut.cli.commands.loop.serve import serve
from taut.cli.commands.machines.check import check
from taut.cli.commands.machines.init import init
from taut.cli.commands.machines.invdyn import invdyn
from taut.cli.commands.machines.list import list_scenarios
from taut.cli.commands.machines.modes import modes
from taut.cli.commands.machines.reduce import reduce
from taut.cli.commands.machines.run import run
from taut.cli.commands.machines.schema import schema
from taut.cli.commands.machines.spaces import spaces
from taut.cli.commands.machines.statics import statics
from taut.cli.commands.results.animate import animate
from taut.cli.commands.results.export import export
from taut.cli.commands.results.plot import plot
from taut.cli.commands.results.report import report
from taut.cli.commands.results.view import view
from taut.cli.commands.robots.calibrate import calibrate
from taut.cli.commands.robots.fastest import fastest
from taut.cli.commands.robots.import_robot import import_robot
from taut.cli.commands.robots.interference import interference
from taut.cli.commands.robots.lengths import lengths
from taut.cli.commands.robots.pose import pose
from taut.cli.commands.robots.sensitivity import sensitivity
from taut.cli.commands.robots.stiffness import stiffness
from taut.cli.commands.robots.tensions import tensions
from taut.cli.commands.robots.workspace import workspace
from taut.cli.commands.studies.fit import fit
from taut.cli.commands.studies.optimize import optimize
from taut.cli.commands.studies.sweep import sweep

from .described import Described
from .failures import Commands

# new objects before the collector looks at all for the first time, and afterwards: imports make some hundred thousand,
# and none of them is garbage
FIRST_GARBAGE, GARBAGE = 500_000, 100_000

HELP = "Simulate machines that hang on cables. FILE is a YAML scenario, a library scenario, or a result."

app = typer.Typer(name="taut", help=HELP, cls=Commands, pretty_exceptions_enable=False)
app.command(cls=Described)(bench)
app.command(cls=Described)(check)
app.command(cls=Described, name="compile")(compile_code)
app.command(cls=Described, name="list")(list_scenarios)
app.command(cls=Described)(init)
app.command(cls=Described)(doctor)
app.command(cls=Described)(schema)
app.command(cls=Described)(run)
app.command(cls=Described)(plot)
app.command(cls=Described)(view)
app.command(cls=Described)(report)
app.command(cls=Described)(animate)
app.command(cls=Described)(export)
app.command(cls=Described)(statics)
app.command(cls=Described)(modes)
app.command(cls=Described)(linearize)
app.command(cls=Described)(serve)
app.command(cls=Described)(fmu)
app.command(cls=Described)(verify)
app.command(cls=Described)(invdyn)
app.command(cls=Described)(spaces)
app.command(cls=Described)(reduce)
app.command(cls=Described)(lengths)
app.command(cls=Described)(pose)
app.command(cls=Described)(tensions)
app.command(cls=Described)(workspace)
app.command(cls=Described)(stiffness)
app.command(cls=Described)(interference)
app.command(cls=Described)(sensitivity)
app.command(cls=Described)(fastest)
app.command(cls=Described)(calibrate)
app.command(cls=Described, name="import")(import_robot)
app.command(cls=Described)(sweep)
app.command(cls=Described)(fit)
app.command(cls=Described)(optimize)


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


def collect_late() -> None:
    """Let the collector of garbage look at what was imported once, and then never again."""

    def looked(phase: str, _info: dict[str, int]) -> None:
        if phase == "stop":
            gc.callbacks.remove(looked)
            gc.freeze()
            gc.set_threshold(GARBAGE)

    gc.callbacks.append(looked)
    gc.set_threshold(FIRST_GARBAGE)


def main() -> None:
    """Run the command line."""
    collect_late()
    app()
