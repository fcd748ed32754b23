"""A journal survives the end of its process, and of its bytes, at any point."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from taut.results.errors import JournalError
from taut.results.journal import Journal, journal_path, read_journal

HEADER = {"scenario": "name: ü\n", "save_times": [0.1, 1 / 3], "sizes": {"q": 3}}
COUNT = 4


def chunk(k):
    rng = np.random.default_rng(k)
    return {
        "time": rng.normal(size=3),
        "cable_tension": rng.normal(size=(3, 2, 2)),
        "step_size": rng.normal(size=k + 1),
    }


def checkpoint(k):
    return {"q": np.full(3, float(k)), "factor": np.array([1 + 2j * k]), "step": np.array(k)}


def write(path, count=COUNT):
    """A journal with so many chunks, and the sizes of the file after its header and after each chunk."""
    with Journal.create(path, HEADER) as journal:
        sizes = [path.stat().st_size]
        for k in range(count):
            journal.append(chunk(k), checkpoint(k))
            sizes.append(path.stat().st_size)
    return sizes


def check_prefix(content, count):
    """The content is the first so many chunks, bit by bit."""
    assert content.header == HEADER
    assert len(content.chunks) == count
    for k, found in enumerate(content.chunks):
        assert {name: array.tobytes() for name, array in found.items()} == {
            name: array.tobytes() for name, array in chunk(k).items()
        }
    if count == 0:
        assert content.checkpoint is None
    else:
        np.testing.assert_array_equal(content.checkpoint["q"], count - 1.0)
        assert content.checkpoint["factor"][0] == 1 + 2j * (count - 1) and content.checkpoint["step"] == count - 1


def test_journal_comes_back(tmp_path):
    write(tmp_path / "run.nc.journal")
    content = read_journal(tmp_path / "run.nc.journal")
    check_prefix(content, COUNT)
    assert not content.is_damaged and content.damage == ""
    joined = content.arrays()
    assert joined["time"].shape == (12,) and joined["step_size"].shape == (1 + 2 + 3 + 4,)


def test_cut_off_at_every_byte(tmp_path):
    path = tmp_path / "journal"
    sizes = write(path)
    data = path.read_bytes()
    for size in range(sizes[0], len(data)):
        path.write_bytes(data[:size])
        content = read_journal(path)
        check_prefix(content, sum(size >= whole for whole in sizes) - 1)
        assert content.is_damaged == (size not in sizes)


def test_every_damaged_byte_ends_the_reading_before_it(tmp_path):
    path = tmp_path / "journal"
    sizes = write(path)
    data = path.read_bytes()
    for position in range(sizes[0], len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 0xFF
        path.write_bytes(damaged)
        content = read_journal(path)
        assert content.is_damaged
        check_prefix(content, sum(position >= whole for whole in sizes) - 1)


def test_run_goes_on_after_a_cut_at_any_byte(tmp_path):
    path = tmp_path / "journal"
    sizes = write(path)
    data = path.read_bytes()
    for size in [*range(sizes[0], len(data), 13), *sizes, *(whole - 1 for whole in sizes[1:])]:
        path.write_bytes(data[:size])
        with Journal.reopen(path) as journal:
            for k in range(len(journal.content.chunks), COUNT):
                journal.append(chunk(k), checkpoint(k))
        assert path.read_bytes() == data


@pytest.mark.parametrize("tail", [bytes(100), b"TAUT", b"garbage" * 10])
def test_tail_of_garbage_is_cut_off(tmp_path, tail):
    path = tmp_path / "journal"
    write(path)
    data = path.read_bytes()
    path.write_bytes(data + tail)
    Journal.reopen(path).close()
    assert path.read_bytes() == data


def test_records_out_of_order_are_not_read(tmp_path):
    path = tmp_path / "journal"
    sizes = write(path)
    data = path.read_bytes()
    path.write_bytes(data[: sizes[1]] + data[sizes[2] :])
    check_prefix(read_journal(path), 1)


@pytest.mark.parametrize("size", [0, 1, 23, 24, 60])
def test_journal_without_header_is_refused(tmp_path, size):
    path = tmp_path / "journal"
    write(path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(JournalError, match="start the run again"):
        Journal.reopen(path)


def test_full_disk_keeps_what_was_there(tmp_path, full_disk):
    path = tmp_path / "journal"
    size = write(path, 2)[-1]
    with Journal.reopen(path) as journal:
        full_disk(size + 50)
        with pytest.raises(JournalError, match="cannot be continued: File too large"):
            journal.append(chunk(2), checkpoint(2))
        content = read_journal(path)
        check_prefix(content, 2)
        assert not content.is_damaged


def test_run_goes_on_once_there_is_space_again(tmp_path, monkeypatch):
    path = tmp_path / "journal"
    write(path, 2)
    with Journal.reopen(path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
            with pytest.raises(JournalError, match="No space left"):
                journal.append(chunk(2), checkpoint(2))
        journal.append(chunk(2), checkpoint(2))
    check_prefix(read_journal(path), 3)


def test_impossible_place_is_refused_before_the_run(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError):
        Journal.create(tmp_path / "file" / "run.nc.journal", HEADER)


def test_second_run_on_the_same_journal_is_refused(tmp_path):
    path = tmp_path / "journal"
    with Journal.create(path, HEADER):
        for begin in (Journal.reopen, lambda path: Journal.create(path, HEADER)):
            with pytest.raises(JournalError, match="in use by another run"):
                begin(path)
    Journal.reopen(path).close()


def test_journal_is_removed_when_the_result_is_saved(tmp_path):
    path = journal_path(tmp_path / "run.nc")
    assert path.name == "run.nc.journal"
    Journal.create(path, HEADER).remove()
    assert not path.exists()


WRITER = """
import sys
from taut.results.journal import Journal
from unit.results.test_journal import HEADER, chunk, checkpoint
journal = Journal.create(sys.argv[1], HEADER)
print("go", flush=True)
k = 0
while True:
    journal.append(chunk(k), checkpoint(k))
    k += 1
"""


@pytest.mark.parametrize("delay", [0.05, 0.17, 0.31])
def test_killed_run_goes_on(tmp_path, delay):
    path = tmp_path / "journal"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, env=environment) as run:
        assert run.stdout is not None and run.stdout.readline()
        time.sleep(delay)
        run.send_signal(signal.SIGKILL)
    with Journal.reopen(path) as journal:
        count = len(journal.content.chunks)
        check_prefix(journal.content, count)
        journal.append(chunk(count), checkpoint(count))
    check_prefix(read_journal(path), count + 1)
