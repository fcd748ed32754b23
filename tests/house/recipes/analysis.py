"""How long the slowest small swing about rest takes, as "Add an analysis" says."""

SWING = '''"""Period of the slowest small swing about rest."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.analyses.modes import modes
from taut.model import Model


@dataclass(frozen=True)
class Swing:
    """The slowest swing."""

    period: float  # [s]

    def to_xarray(self) -> Any:
        """The numbers with units, as an ``xarray.Dataset``."""
        import xarray as xr

        return xr.Dataset({"period": ((), self.period, {"units": "s"})})


def swing(model: Model) -> Swing:
    """Period of the slowest small swing about rest.

    Raises:
        ScenarioError: the machine does not come to rest.
    """
    return Swing(float(1.0 / np.min(modes(model).frequencies)))
'''
COMMAND = '''"""`taut swing`: how long the slowest small swing takes."""

import typer

from taut.cli.options import File, Set


def swing(file: File, settings: Set = None) -> None:
    """Find the period of the slowest small swing about rest.

    Example: taut swing double-pendulum
    """
    from taut.cli.inputs import read_input

    scenario = read_input(file, settings or []).scenario
    from taut.analyses.swing import swing as solve
    from taut.build import build

    typer.echo(f"{solve(build(scenario)).period:.6g} s")
'''
EDITS = {
    "analyses/swing.py": SWING,
    "cli/commands/machines/swing.py": COMMAND,
    "cli/app.py": [
        (
            "from taut.cli.commands.machines.statics",
            "from taut.cli.commands.machines.swing import swing\nfrom taut.cli.commands.machines.statics",
        ),
        ("app.command(cls=Described)(verify)", "app.command(cls=Described)(swing)\napp.command(cls=Described)(verify)"),
    ],
}
MISTAKE = ("analyses/swing.py", "1.0 / np.min(", "2.0 / np.min(")


def check():
    """A pendulum of 2 m swings in 2 pi sqrt(l / g); the command says it too."""
    import numpy as np
    from taut.analyses.swing import swing
    from typer.testing import CliRunner

    import taut
    from taut.cli.app import app

    machine = taut.Machine("pendulum").body(
        "bob", mass=1.0, inertia=[1e-12] * 3, com=[0, 0, -2], joint={"kind": "revolute", "axis": [0, 1, 0]}
    )
    found, exact = swing(taut.build(machine)), 2.0 * np.pi * np.sqrt(2.0 / 9.81)
    assert abs(found.period - exact) < 1e-6 * exact, found
    assert found.to_xarray()["period"].attrs["units"] == "s"
    said = CliRunner().invoke(app, ["swing", "double-pendulum"])
    assert said.exit_code == 0 and said.output.strip().endswith(" s"), said.output


if __name__ == "__main__":
    check()
