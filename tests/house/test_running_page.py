"""The commands of the page about running work as they are printed, one after the other."""

import shlex

import pytest
from typer.testing import CliRunner

from house.pages import blocks
from house.test_docs import run_python
from taut.cli import app

PAGE = "docs/usage/running.md"
SESSIONS = [line.removeprefix("$ ") for kind, text in blocks(PAGE) if kind == "console" for line in text.split("\n")]
COMMANDS = [line for line in SESSIONS if line.startswith("taut ")]


@pytest.mark.slow
def test_commands_succeed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(COMMANDS) > 4
    for command in COMMANDS:
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        assert result.exit_code == 0, (command, result.output)


def test_program_prints_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = blocks(PAGE)
    at = [kind for kind, _ in found].index("python")
    assert run_python(found[at][1], PAGE, {}) == found[at + 1][1].strip()
