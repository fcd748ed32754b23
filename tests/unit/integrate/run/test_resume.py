"""A run that ends anywhere and is resumed gives the same numbers, bit by bit, as one that was never disturbed."""

import errno
import os

import numpy as np
import pytest

import taut
from crashes import Crash, crash_after
from short_calls import shorten_calls
from taut.integrate.radau.method import Radau
from taut.integrate.run import recorder
from taut.results.errors import ResultError, UnsavedError
from taut.results.journal import Journal, journal_path
from taut.verify.trust.resume import largest_difference

MACHINE = "mamidi-pick-and-place"


@pytest.fixture
def model():
    return taut.build(taut.library.load(MACHINE))


@pytest.fixture
def eager(monkeypatch):
    """Short calls, each of them journalled; a buffer so short that steps wait for room in it."""
    shorten_calls(monkeypatch, 6)
    monkeypatch.setattr("taut.integrate.run.reading.BUFFER", 40)
    monkeypatch.setattr(recorder, "JOURNAL_EVERY", -1.0)


def run_until(model, output, call, **settings):
    """Crash in the given call of the progress report; return whether the run came so far."""
    try:
        taut.simulate(model, output=output, progress=crash_after(call), **settings)
    except Crash:
        return True
    return False


def test_resumed_after_every_call(model, eager, tmp_path):
    # past the jumps of the signals at 2 and 3 s
    whole = taut.simulate(model, duration=3.2)
    call = 0
    while run_until(model, tmp_path / "run.nc", call, duration=3.2):
        assert not (tmp_path / "run.nc").exists()
        resumed = taut.simulate(model, output=tmp_path / "run.nc", resume=True, duration=3.2)
        assert largest_difference(resumed, whole) == 0.0
        (tmp_path / "run.nc").unlink()
        call += 1
    assert call > 12
    assert not list(tmp_path.glob("*.journal"))


def test_channels_do_not_depend_on_how_many_samples_are_read_at_once(monkeypatch):
    model = taut.build(taut.library.load(MACHINE, ["defaults.cable.elements=40"]))
    many = taut.simulate(model, duration=0.2)
    monkeypatch.setattr("taut.integrate.run.reading.MOST_NUMBERS", 0)
    monkeypatch.setattr("taut.integrate.run.reading.BUFFER", 1)
    assert largest_difference(taut.simulate(model, duration=0.2), many) == 0.0


def test_resumed_again_and_again(model, eager, tmp_path):
    whole = taut.simulate(model)
    # enough calls for the longest step, which fills the short buffer several times
    for _ in range(40):
        if not run_until(model, tmp_path / "run.nc", 8, resume=True):
            break
    assert largest_difference(taut.open_result(tmp_path / "run.nc"), whole) == 0.0


def test_samples_are_neither_missing_nor_repeated(model, eager, tmp_path):
    run_until(model, tmp_path / "run.nc", 12)
    result = taut.simulate(model, output=tmp_path / "run.nc", resume=True)
    assert np.allclose(result.time, np.arange(601) * 0.01, atol=1e-12)
    ends, sizes = result["step_time"].values, result["step_size"].values
    assert np.allclose(np.cumsum(sizes), ends, rtol=1e-12) and ends[-1] == 6.0


def test_dense_samples_can_be_resumed(model, eager, tmp_path):
    # more samples in a step than the buffer holds
    assert run_until(model, tmp_path / "run.nc", 200, save_every=5e-4)
    with Journal.reopen(journal_path(tmp_path / "run.nc")) as journal:
        assert len(journal.content.chunks) > 5


def test_without_a_journal_it_begins(model, tmp_path):
    result = taut.simulate(model, output=tmp_path / "run.nc", resume=True, duration=0.1)
    assert result.status == "completed" and len(result.time) == 11


def test_only_the_same_run_is_resumed(model, eager, tmp_path):
    run_until(model, tmp_path / "run.nc", 5)
    with pytest.raises(ResultError, match="was made with tolerance = 1e-06, not 1e-05"):
        taut.simulate(model, output=tmp_path / "run.nc", resume=True, tolerance=1e-5)
    other = taut.build(taut.library.load(MACHINE, ["platform.mass=0.6"]))
    with pytest.raises(ResultError, match="journal of another machine"):
        taut.simulate(other, output=tmp_path / "run.nc", resume=True)
    assert taut.simulate(model, output=tmp_path / "run.nc", resume=True).status == "completed"


def test_without_output_there_is_nothing_to_resume(model):
    with pytest.raises(ResultError, match="without an output file"):
        taut.simulate(model, resume=True)


def test_full_disk(model, eager, tmp_path, monkeypatch):
    written = iter(range(8))

    def fsync(handle, sync=os.fsync):
        if next(written, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(UnsavedError, match=r"(?s)No space left.*is kept in .*run\.nc\.journal.*--resume"):
        taut.simulate(model, output=tmp_path / "run.nc")
    monkeypatch.undo()
    assert not (tmp_path / "run.nc").exists()
    assert taut.open_result(journal_path(tmp_path / "run.nc")).status == "interrupted"


def test_left_overs_of_a_killed_run_are_removed(model, tmp_path):
    left = tmp_path / ".run.nc.0123abcd.part"
    left.write_bytes(b"half")
    taut.simulate(model, output=tmp_path / "run.nc", duration=0.1)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run.nc"]


def test_a_journal_of_a_method_with_other_arrays_is_refused(model, eager, tmp_path, monkeypatch):
    assert run_until(model, tmp_path / "run.nc", 2, duration=0.2)
    monkeypatch.setattr(Radau, "state_arrays", ("clock", "renamed"))
    with pytest.raises(ResultError, match="another version of taut"):
        taut.simulate(model, output=tmp_path / "run.nc", resume=True, duration=0.2)
