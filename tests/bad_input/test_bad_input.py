"""Every malformed scenario gives one clear error with file, line, key, value and what is allowed; exit code 2."""

import json

import pytest
from typer.testing import CliRunner

from bad_input.cases import CASES, GOOD
from taut.cli import app
from taut.scenario import ScenarioError, load
from taut.scenario.io.yaml_text import MOST_BYTES


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Write bad.yaml and check it from its folder."""
    monkeypatch.chdir(tmp_path)

    def run(content: str | bytes, *options: str):
        (tmp_path / "bad.yaml").write_bytes(content if isinstance(content, bytes) else content.encode())
        return CliRunner().invoke(app, ["check", "bad.yaml", *options])

    return run


def assert_clean_error(result, *fragments: str) -> None:
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    for fragment in fragments:
        assert fragment in result.stderr


def test_the_good_scenario_is_good(check):
    assert check(GOOD).exit_code == 0


def test_there_are_enough_cases():
    assert len(CASES) >= 80


@pytest.mark.parametrize("name", CASES)
def test_malformed(check, name):
    case = CASES[name]
    assert GOOD.count(case.old) >= 1
    result = check(GOOD.replace(case.old, case.new, 1))
    where = "bad.yaml: " if case.line is None else f"bad.yaml:{case.line}: "
    assert_clean_error(result, where, case.text, *case.also)
    problems = [line for line in result.stderr.splitlines() if not line.startswith("  ")]
    assert problems[0].startswith(where) and case.text in problems[0]
    assert len(problems) == 1


def test_error_as_json(check):
    result = check(GOOD.replace("mass: 2", "mass: -2"), "--json")
    assert result.exit_code == 2
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["line"], problem["path"], problem["value"]) == (9, "bodies.boom.mass", "-2")


def test_error_in_a_setting(check):
    result = check(GOOD, "--set", "cables.C2.length=-1")
    assert_clean_error(result, "--set: cables[1].length = -1: must be greater than 0 [m]")


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("run.duration", "must have the form key.path=value"),
        ("cables.C3.length=1", "cables has no entry C3"),
        ("cables[5].length=1", "cables has no entry 5"),
        ("name.first=x", "name is neither a mapping nor a list"),
        ("run[0]=1", "run is a mapping: name a key"),
        ("run.duration=[1", "is not valid YAML"),
    ],
)
def test_malformed_setting(check, setting, text):
    assert_clean_error(check(GOOD, "--set", setting), text)


def test_all_problems_are_listed_in_order(check):
    result = check(GOOD.replace("mass: 2", "mass: -2").replace("mass: 5", "mass: x").replace("C1", "C.1"))
    assert [line.split(":")[1] for line in result.stderr.splitlines() if line.startswith("bad")] == ["6", "9", "16"]


def test_not_utf8(check):
    assert_clean_error(check(GOOD.encode() + b"description: \xff\xfe"), "bad.yaml:22: is not UTF-8 text")


def test_huge_file(check):
    assert_clean_error(check(b"#" * (MOST_BYTES + 1)), "bad.yaml: is too large")


def test_missing_file():
    assert_clean_error(CliRunner().invoke(app, ["check", "nothing.yaml"]), "nothing.yaml: does not exist")


def test_folder_for_a_file(tmp_path):
    assert_clean_error(CliRunner().invoke(app, ["check", str(tmp_path)]), "does not exist or is not a file")


def test_misspelt_library_name():
    result = CliRunner().invoke(app, ["check", "four-ber"])
    assert_clean_error(result, "four-ber: is neither a file nor a library scenario", "did you mean 'four-bar'?")


def test_error_survives_in_python(tmp_path):
    (tmp_path / "bad.yaml").write_text(GOOD.replace("mass: 2", "mass: -2"), encoding="utf-8")
    with pytest.raises(ScenarioError, match="bodies.boom.mass = -2") as caught:
        load(tmp_path / "bad.yaml")
    assert caught.value.problems[0].line == 9
