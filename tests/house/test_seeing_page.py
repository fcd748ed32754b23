"""The commands of the page about looking at results work as they are printed; films are drawn small here."""

import shlex

import pytest
from typer.testing import CliRunner

from house.pages import blocks
from house.test_docs import run_python
from taut.cli import app

PAGE = "docs/usage/seeing.md"
COMMANDS = [
    line.removeprefix("$ ") for kind, text in blocks(PAGE) if kind == "console" for line in text.split("\n") if line
]
SMALL = {"animate": ["--size", "160x90", "--fps", "2"]}


@pytest.mark.slow
def test_commands_and_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = [shlex.split(line)[1:] for line in COMMANDS if line.startswith("taut ")]
    assert len(commands) > 8
    for name, *arguments in commands:
        # a page stays open until Ctrl-C: the browser tests have it
        if name != "view":
            result = CliRunner().invoke(app, [name, *arguments, *SMALL.get(name, [])])
            assert result.exit_code == 0, (name, arguments, result.output)
    found = blocks(PAGE)
    at = [kind for kind, _ in found].index("python")
    assert run_python(found[at][1], PAGE, {}) == found[at + 1][1].strip()
