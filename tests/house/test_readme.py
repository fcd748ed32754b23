"""The examples a reader meets first run as they are printed, and its figures are those of a run."""

import json
import re

import pytest

from house.sources import ROOT

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
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


def test_readme_fits_on_about_a_screen():
    assert len(README.strip().split("\n")) <= 75


def test_readme_has_the_figures_of_one_run_of_the_benchmark():
    figures = json.loads((ROOT / "docs/pictures/pick-and-place.json").read_text(encoding="utf-8"))
    gains = figures["speedup_vs_exudyn"]
    assert f"{figures['seconds_at_1e-5'] * 1000:.0f} ms at an error of 1e-5 m" in README
    assert f"At 1e-4 m that is {gains['1e-4']:.0f} times faster" in README
    assert f"at 5e-6 m {gains['5e-6']:.0f} times" in README


def test_engine_has_the_figures_of_one_run_of_the_benchmark():
    page = (ROOT / "docs/engine.md").read_text(encoding="utf-8")
    figures = json.loads((ROOT / "docs/pictures/forward-dynamics.json").read_text(encoding="utf-8"))
    for elements, held in figures["us_multiplier"].items():
        assert f"| {elements} | {held:.1f} | {figures['us_eliminated'][elements]:.1f} |" in page
    assert f"{figures['exponent_40_160']:.2f} (from 40 to 160)" in page
    assert f"needs {figures['pinocchio_us']:.1f} µs, {figures['speedup_vs_pinocchio']:.1f} times" in page
