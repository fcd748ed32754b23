"""The command line: answers, exit codes, no traceback, and a quick start."""

import json
import subprocess
import sys

import pytest

from command_line import call as run
from taut import library


def test_list():
    assert all(name in run("list").stdout for name in library.names())
    assert set(json.loads(run("list", "--json").stdout)["scenarios"]) == set(library.names())


@pytest.mark.parametrize("name", library.names())
def test_check(name):
    result = run("check", name)
    assert result.exit_code == 0 and "degrees of freedom" in result.stdout


def test_check_json_with_setting():
    answer = json.loads(run("check", "mamidi-pick-and-place", "--json", "--set", "defaults.cable.elements=3").stdout)
    assert answer["ok"] and answer["coordinates"] == 6 + 4 * 9 and answer["degrees_of_freedom"] == 42 - 12


def test_check_names_redundancy():
    assert "3 of 5 constraint rows are redundant" in run("check", "bennett").stdout


def test_init_never_overwrites(tmp_path):
    assert run("init", "stewart-free-fall", str(tmp_path)).exit_code == 0
    file = tmp_path / "stewart-free-fall.yaml"
    assert file.read_text(encoding="utf-8") == library.path("stewart-free-fall").read_text(encoding="utf-8")
    again = run("init", "stewart-free-fall", str(file))
    assert again.exit_code == 2 and "exists already" in again.stderr


def test_init_unknown_and_unwritable(tmp_path):
    assert run("init", "stewrat").exit_code == 2
    assert "cannot be written" in run("init", "stewart-free-fall", str(tmp_path / "no" / "file.yaml")).stderr


def test_schema():
    assert json.loads(run("schema").stdout)["title"] == "taut scenario"


def test_wrong_command_line():
    assert run("chek").exit_code == 2
    assert run("check").exit_code == 2


@pytest.mark.parametrize("debug", ["", "1"])
def test_internal_error(monkeypatch, debug):
    monkeypatch.setattr("taut.library.find", lambda text: 1 / 0)
    monkeypatch.setenv("TAUT_DEBUG", debug)
    result = run("check", "stewart-free-fall")
    assert result.exit_code == 1 and "internal error: ZeroDivisionError" in result.stderr
    assert ("Traceback" in result.stderr) == bool(debug)


@pytest.mark.parametrize("command", [["list"], ["schema"]])
def test_quick_commands_need_no_compiler(command):
    start = f"import sys; from taut.cli import app; app({command}, standalone_mode=False)"
    code = f"{start}; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
