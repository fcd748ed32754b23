"""Code compiled in advance: every method, for every kind of cable that code differs by."""

from typer.testing import CliRunner

import taut
from taut.analyses import preparing
from taut.cli.app import app
from taut.integrate.settings import ALL_INTEGRATORS


def test_every_kind_of_code_that_the_library_needs_is_prepared():
    kinds = {taut.build(taut.load(name)).tables._numba_type_ for name in preparing.KINDS.values()}
    assert {taut.build(taut.load(name)).tables._numba_type_ for name in taut.library.names()} == kinds
    assert {job.task for job in preparing.all_jobs()} == {
        *ALL_INTEGRATORS,
        preparing.ANALYSES,
        preparing.EVENTS,
        preparing.CONTROLLERS,
    }


def test_what_is_there_is_not_compiled(monkeypatch):
    monkeypatch.setattr(preparing, "is_prepared", lambda model, task: True)
    monkeypatch.setattr(preparing, "simulate", None)
    assert not any(preparing.prepare(job) for job in preparing.all_jobs())


def test_the_command_says_what_it_does(monkeypatch):
    monkeypatch.setattr(preparing, "prepare_all", lambda jobs, workers: ((job, job.task == "radau") for job in jobs))
    told = CliRunner().invoke(app, ["compile"]).stderr.splitlines()
    assert told[0].startswith(f"compiling {3 * len(preparing.KINDS) + len(preparing.CONTROLLED)} parts")
    assert told[1].endswith("radau for no cables, or cables with mass")
    assert told[2].endswith("statics and modes for no cables, or cables with mass was there")
    assert told[3].endswith("events and measurements for no cables, or cables with mass was there")
