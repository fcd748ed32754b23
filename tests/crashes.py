"""Runs whose process ends before they do."""

import pytest

import taut


class Crash(Exception):
    """Exception that stands for the end of the process."""


def crash_after(count):
    """A progress report whose given call is the last."""
    calls = iter(range(count))

    def progress(time, end):
        if next(calls, None) is None:
            raise Crash

    return progress


def crash_behind(last):
    """A progress report that ends the run behind a time."""

    def progress(time, end):
        if time > last:
            raise Crash

    return progress


def resumed(model, output, progress, **settings):
    """The result of a run that is ended by its progress report, and then resumed."""
    with pytest.raises(Crash):
        taut.simulate(model, output=output, progress=progress, **settings)
    return taut.simulate(model, output=output, resume=True, **settings)
