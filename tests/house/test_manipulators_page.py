"""The page about manipulators: its program prints what it says, and its commands work."""

import shlex

import pytest
from typer.testing import CliRunner

from house.pages import blocks
from house.test_docs import run_python
from taut.cli import app

PAGE = "docs/usage/manipulators.md"
LINES = [line for kind, text in blocks(PAGE) if kind == "console" for line in text.split("\n")]
# the long motions are the same commands on other machines
COMMANDS = [line.removeprefix("$ ") for line in LINES if line.startswith("$ taut ") and "heave" not in line]


def test_program_prints_what_the_page_says():
    found = blocks(PAGE)
    at = [kind for kind, _ in found].index("python")
    assert run_python(found[at][1], PAGE, {}) == found[at + 1][1].strip()


@pytest.mark.slow
def test_commands_succeed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(COMMANDS) > 8
    for command in COMMANDS:
        result = CliRunner().invoke(app, shlex.split(command, comments=True)[1:])
        assert result.exit_code == 0, (command, result.output)
