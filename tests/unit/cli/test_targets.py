"""What `taut run` may not throw away: results that are complete, and interrupted runs."""

import json

import pytest

import taut
from command_line import call
from short_calls import shorten_calls
from taut.results.journal import Journal, journal_path

PENDULUM = ("double-pendulum", "--duration", "0.2", "--tolerance", "1e-6", "-o", "out.nc")


pytestmark = pytest.mark.usefixtures("folder")


def run(*arguments: str):
    return call("run", *arguments)


def interrupted_run(folder, monkeypatch):
    """An interrupted run of the pendulum: the first return to Python finds that Ctrl-C was pressed."""
    with monkeypatch.context() as patch:
        shorten_calls(patch, 2)
        patch.setattr("taut.integrate.run.interrupt.Interrupt.__enter__", _asked)
        answer = run(*PENDULUM)
    assert answer.exit_code == 1 and "to carry on: taut run out.nc --resume" in answer.stdout
    return taut.open_result(folder / "out.nc").time[-1]


def _asked(interrupt):
    interrupt.is_asked = True
    return interrupt


def test_a_complete_run_with_other_settings_is_not_resumed(folder):
    run(*PENDULUM)
    before = (folder / "out.nc").read_bytes()
    answer = run("out.nc", "--resume", "--tolerance", "1e-5")
    assert answer.exit_code == 2
    assert answer.stderr.strip().split("\n") == [
        "out.nc: is complete, with tolerance 1e-06",
        "  leave --resume out and give another -o",
    ]
    other = run(*PENDULUM, "--resume", "--set", "bodies.upper.mass=7")
    assert other.exit_code == 2 and "is complete, of another machine" in other.stderr
    assert (folder / "out.nc").read_bytes() == before


def test_a_complete_run_is_not_said_to_be_written(folder):
    run(*PENDULUM)
    answer = run("out.nc", "--resume")
    assert answer.exit_code == 0 and "audit: pass" in answer.stdout and "wrote" not in answer.stdout
    assert json.loads(run("out.nc", "--resume", "--json").stdout)["written"] is False


@pytest.mark.parametrize("output", [(), ("-o", "out.nc"), ("-o", "./out.nc")])
def test_a_result_is_not_replaced_by_its_own_run(folder, output):
    run(*PENDULUM)
    before = (folder / "out.nc").read_bytes()
    answer = run("out.nc", *output, "--duration", "0.1")
    assert answer.exit_code == 2 and "give another file with -o" in answer.stderr
    assert (folder / "out.nc").read_bytes() == before


def test_an_interrupted_run_is_carried_on_or_thrown_away_only_if_asked(folder, monkeypatch):
    end = interrupted_run(folder, monkeypatch)
    for arguments in (("out.nc",), PENDULUM):
        answer = run(*arguments)
        assert answer.exit_code == 2
        assert f"add --resume to carry on, or --restart to throw {end:.3g} s away" in answer.stderr
    assert journal_path(folder / "out.nc").exists()
    both = run("out.nc", "--resume", "--restart")
    assert both.exit_code == 2 and "exclude each other" in both.stderr
    resumed = run("out.nc", "--resume")
    assert resumed.exit_code == 0 and f"resumed at t = {end:.4g} s" in resumed.stdout


def test_restart_begins_anew(folder, monkeypatch):
    interrupted_run(folder, monkeypatch)
    answer = run("out.nc", "--restart")
    assert answer.exit_code == 0 and "resumed" not in answer.stdout and "wrote out.nc" in answer.stdout
    assert taut.open_result(folder / "out.nc").time[-1] == 0.2 and not journal_path(folder / "out.nc").exists()


def test_ctrl_c_before_there_is_anything(folder, monkeypatch):
    def press(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("taut.cli.running.compile_engine", press)
    answer = run(*PENDULUM)
    assert answer.exit_code == 130 and answer.stderr.strip() == "interrupted, nothing written"
    Journal.create(journal_path(folder / "out.nc"), {}).close()
    second = run(*PENDULUM, "--restart")
    assert second.exit_code == 130 and "to carry on: taut run out.nc --resume" in second.stderr
