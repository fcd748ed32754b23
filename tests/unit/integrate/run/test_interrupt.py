"""Ctrl-C ends a run where it can be resumed."""

import signal
import threading

import pytest

import taut
from short_calls import shorten_calls
from taut.integrate.run.interrupt import Interrupt
from taut.verify.trust.resume import largest_difference


@pytest.fixture
def usual_handler():
    """Restore the usual handling of Ctrl-C, which a process that was started in the background ignores."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("usual_handler")
def test_the_first_is_noted_the_second_ends():
    with Interrupt() as interrupt:
        signal.raise_signal(signal.SIGINT)
        assert interrupt.is_asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_afterwards_all_is_as_before():
    before = signal.getsignal(signal.SIGINT)
    with Interrupt():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_another_thread_leaves_signals_alone():
    asked = []
    thread = threading.Thread(target=lambda: asked.append(Interrupt().__enter__().is_asked))
    thread.start()
    thread.join()
    assert asked == [False]


def test_an_interrupted_run_is_saved_and_resumed(tmp_path, monkeypatch):
    shorten_calls(monkeypatch, 8)
    model = taut.build(taut.library.load("mamidi-pick-and-place"))
    whole = taut.simulate(model)

    def progress(time, end):
        if time > 2.5:
            signal.raise_signal(signal.SIGINT)

    part = taut.simulate(model, output=tmp_path / "run.nc", progress=progress)
    assert part.status == "interrupted" and 2.5 <= part.time[-1] < 6.0
    assert taut.open_result(tmp_path / "run.nc").status == "interrupted"
    assert largest_difference(taut.simulate(model, output=tmp_path / "run.nc", resume=True), whole) == 0.0
