"""Help texts and short answers of commands."""

import re

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from taut.cli.app import app
from taut.cli.drums import controllers_off
from taut.library import load
from taut.robots.reading import read_limits
from taut.scenario.errors import ScenarioError

COMMANDS = get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_no_help_loses_its_brackets(name):
    """Every option's text is shown with its units."""
    shown = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "400", "TERMINAL_WIDTH": "400"}).output
    for param in COMMANDS[name].params:
        for unit in re.findall(r"\[[^\]]*\]", getattr(param, "help", None) or ""):
            assert unit in shown, (param.name, unit)


def test_limits_need_a_colon():
    """One number could be either."""
    assert read_limits("100:") == (100.0, float("inf"))
    with pytest.raises(ScenarioError, match="must be LOW:HIGH"):
        read_limits("3000")


def test_servos_that_do_not_act_are_told():
    """Of machines that have some."""
    assert controllers_off(load("eight-cable-robot"), "so") == []  # its motors are part of the machine
    assert controllers_off(load("gantry-reeved"), "so") == ["  the servos of 1 drums do not act here: so"]
