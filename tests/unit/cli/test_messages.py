"""What the commands say: warnings, events, options by the name that was typed, near misses."""

import json

import pytest

import taut
from command_line import call
from taut.cli.answers import event_counts, event_lines, outcome_lines
from taut.cli.doctor.missing import extra_with

pytestmark = pytest.mark.usefixtures("folder")


def test_warnings_are_printed_before_the_run_and_kept(folder):
    answer = call("run", "double-pendulum", "--duration", "0.05", "--set", "signals.spare=1")
    assert answer.exit_code == 0, answer.output
    assert "warning: signal spare is not used" in answer.stderr
    assert "note: signal spare is not used" in answer.stdout
    assert taut.open_result(folder / "double-pendulum.nc").audit["warnings"] == ["signal spare is not used"]


def test_redundant_rows_are_told_by_run_as_by_check():
    said = [call(*words).output for words in (("check", "four-bar"), ("run", "four-bar", "--duration", "0.01"))]
    assert all("constraint rows are redundant" in text for text in said)


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("--duration", "abc", "--duration: run.duration = 'abc': must be a number"),
        ("--duration", "[1", "--duration:1: "),
        ("--tolerance", "0", "--tolerance: run.tolerance = 0"),
        ("--step", "0.01", "--step: run.step = 0.01: radau chooses its steps"),
        ("--integrator", "radu", "--integrator: run.integrator = 'radu'"),
    ],
)
def test_an_option_is_named_as_it_was_typed(option, value, text):
    answer = call("run", "double-pendulum", option, value)
    assert answer.exit_code == 2 and answer.stderr.startswith(text)


def test_set_is_still_named_set():
    answer = call("run", "double-pendulum", "--set", "run.duration=abc", "--tolerance", "1e-5")
    assert answer.exit_code == 2 and answer.stderr.startswith("--set: run.duration")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("run", "robot.py"), "is a Python file, not a scenario\n  run it: python robot.py"),
        (("check", "mamidi"), "'mamidi-pick-and-place' or "),
        (("run", "double-pendulum", "-o", "/nonexistent/x.nc"), "its folder does not exist"),
    ],
)
def test_near_misses(arguments, text, monkeypatch):
    monkeypatch.setattr("taut.cli.running.compile_engine", lambda _: pytest.fail("compiled before the check"))
    answer = call(*arguments)
    assert answer.exit_code == 2 and text in answer.stderr


def test_group_near_miss():
    call("run", "double-pendulum", "--duration", "0.05")
    answer = call("plot", "double-pendulum.nc", "--group", "tensions")
    assert answer.exit_code == 2 and "did you mean 'tension'?" in answer.stderr


def test_version():
    answer = call("--version")
    assert answer.exit_code == 0 and answer.stdout.strip() == f"taut {taut.__version__}"


def test_events_are_counted():
    counts = event_counts(
        [{"name": "low", "time": 0.00549}, {"name": "end", "time": 1.0}, {"name": "low", "time": 2.0}]
    )
    assert list(event_lines(counts)) == [
        "  event low: 2 times, first at t = 0.00549 s",
        "  event end: once, at t = 1 s",
    ]
    sides = [{"name": "C3", "time": 0.5, "what": "goes slack"}, {"name": "C3", "time": 1.0, "what": "goes taut"}]
    assert list(event_lines(event_counts(sides))) == [
        "  event C3 (goes slack): once, at t = 0.5 s",
        "  event C3 (goes taut): once, at t = 1 s",
    ]
    many = [{"name": f"e{k}", "time": float(k)} for k in range(30)]
    assert list(event_lines(event_counts(many)))[-1] == "  and 22 more events, see result.events"


def test_a_run_of_one_sample_is_not_offered_to_be_seen():
    answer = {"name": "x", "status": "too stiff", "status_text": "", "end": 0.0, "samples": 1, "seconds": 1.0,
              "resumed": False, "resumed_at": None, "written": True, "events": [], "audit": {},
              "output": "x.nc"}  # fmt: skip
    assert not any("to see it" in line for line in outcome_lines(None, answer))
    assert any("to see it" in line for line in outcome_lines(None, {**answer, "samples": 2}))


def test_init_makes_the_folder_that_a_slash_asks_for(folder):
    assert call("init", "four-bar", "sub/deep/").exit_code == 0
    assert (folder / "sub/deep/four-bar.yaml").is_file()
    (folder / "plain").write_text("")
    answer = call("init", "four-bar", "plain/")
    assert answer.exit_code == 2 and "not a folder" in answer.stderr.lower()


def test_a_package_of_an_extra_that_is_missing(monkeypatch):
    def fail(*_):
        raise ModuleNotFoundError("No module named 'zarr'", name="zarr.storage")

    monkeypatch.setattr("taut.cli.inputs.read_input", fail)
    answer = call("check", "double-pendulum", "--json")
    assert answer.exit_code == 2 and answer.stderr.startswith("this needs zarr, which is not installed\n  pip install")
    assert "taut[studies]" in answer.stderr and json.loads(answer.stdout)["ok"] is False


def test_a_module_of_no_extra_is_a_defect(monkeypatch):
    def fail(*_):
        raise ModuleNotFoundError("No module named 'taut.lost'", name="taut.lost")

    monkeypatch.setattr("taut.cli.inputs.read_input", fail)
    assert "internal error" in call("check", "double-pendulum").stderr
    assert extra_with("viser") == "view" and extra_with("taut.lost") == ""


@pytest.mark.parametrize(
    ("setting", "page"),
    [("run.duration=-1", "docs/usage/keys.md#run"), ("run.tolerance=0", "docs/usage/choosing-an-integrator.md")],
)
def test_settings_of_a_run_lead_to_their_page(setting, page):
    assert f"see {page}\n" in call("check", "double-pendulum", "--set", setting).stderr
