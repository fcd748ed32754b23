"""The examples a reader meets first run as they are printed, and its figures are those of a run."""

import json
import re

import pytest

from house.sources import ROOT
from taut import library
from taut.cli import app

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIANTS = {
    "mamidi-pick-and-place-paper",
    "mamidi-pick-and-place-table2",
    "mamidi-quadcopter-failure-paper",
    "mamidi-quadcopter-failure-inclined",
    "wang-suspension-no-lateral",
}  # listed beside the one they vary
README = (ROOT / "README.md").read_text(encoding="utf-8")
# blank lines in front keep the line numbers of the file in a traceback
BLOCKS = ["\n" * README.count("\n", 0, match.start(1)) + match[1] for match in PYTHON_BLOCK.finditer(README)]


def test_readme_has_an_example():
    assert BLOCKS


@pytest.mark.parametrize("block", BLOCKS)
def test_readme_example_runs_and_prints_what_follows_it(block, capsys):
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed and f"```text\n{printed}```" in README


def test_readme_example_has_ten_lines():
    assert all(len(block.strip().split("\n")) <= 10 for block in BLOCKS)


def test_readme_names_every_command():
    commands = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    assert all(f"taut {name}" in README for name in commands)


def test_readme_has_the_figures_of_one_run_of_the_benchmark():
    figures = json.loads((ROOT / "docs/pictures/forward-dynamics.json").read_text(encoding="utf-8"))
    for elements, held in figures["us_multiplier"].items():
        assert f"| {elements} | {held:.1f} | {figures['us_eliminated'][elements]:.1f} |" in README
    assert f"{figures['exponent_40_160']:.2f} (from 40 to 160)" in README
    assert f"needs {figures['pinocchio_us']:.1f} µs, {figures['speedup_vs_pinocchio']:.1f} times" in README


def test_readme_lists_the_library():
    missing = {name for name in library.names() if f"`{name}`" not in README and name not in VARIANTS}
    assert not missing
