"""Many runs of machines of one structure: other numbers, or other states to begin from."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Unpack

import numpy as np
import xarray as xr

from taut.control.python_function import UserFunction
from taut.integrate.batch.dataset import batch_dataset
from taut.integrate.batch.runs import Asked, Ended, run_one
from taut.integrate.run.compiled import begin_to_compile
from taut.integrate.settings import ALL_INTEGRATORS, Settings, check_method, run_settings
from taut.integrate.state import State
from taut.kernels.threads import core_count
from taut.model import Model
from taut.results.channels import BY_NAME, channel_of
from taut.scenario.errors import Problem, ScenarioError, suggest

BY_STEP = "step"  # dimension of channels with an entry per step


def simulate_batch(
    model: Model,
    changes: Sequence[Mapping[str, Any]] | None = None,
    states: Sequence[State | None] | None = None,
    *,
    workers: int | None = None,
    keep: Sequence[str] | None = None,
    save_times: Sequence[float] | np.ndarray | None = None,
    audit: bool = True,
    controllers: Callable[[int], Mapping[str, UserFunction]] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Unpack[Settings],
) -> xr.Dataset:
    """Run many machines of one structure, on several cores; each run is, bit for bit, what ``simulate`` gives.

    Args:
        model: the machine.
        changes: for each run, the numbers that are other than the model's, as for ``with_numbers``; empty for none.
        states: for each run, where it begins, as for ``simulate``; None for the model's start. With both, one of each.
        workers: threads; None for the cores of this machine.
        keep: names of the channels to keep; None for all but those by step, (), for none.
        save_times: times of the samples [s], as for ``simulate``.
        audit: whether the runs are audited.
        controllers: gives the functions of the Python controllers of a run, by its number: one set for each run.
        progress: told, after each run, how many have ended, and of how many.
        settings: of all runs, as for ``simulate``.

    Returns:
        One dataset with the dimension ``run``: for each the changed numbers, ``status``, ``audit`` (the verdict),
        ``cause`` (of a failure), ``seconds``, and the channels kept. A run that fails does not stop the others; its
        samples are NaN from where it ended.

    Raises:
        ScenarioError: the call asks for what no run can have. What one run cannot have fails that run alone.
    """
    asked = Asked(model, settings, save_times, audit, chooser(keep), controllers)
    ended = run_all(asked, changes, states, workers=workers, progress=progress)
    return batch_dataset(model, ended, list(changes) if changes else None)


def run_all(
    asked: Asked, changes: Any, states: Any, *, workers: int | None = None, progress: Any = None
) -> list[Ended]:
    """Run all machines of a batch; returns what is kept of each, in their order."""
    count, model = check_lengths(changes, states), asked.model
    usual = run_settings(model, asked.settings)
    check_method(model, usual, list(ALL_INTEGRATORS))
    begin_to_compile(model, usual.integrator)
    ended: list[Ended] = [Ended(k) for k in range(count)]
    gate, done = threading.Lock(), 0

    def one(k: int) -> None:
        nonlocal done
        ended[k] = run_one(asked, k, changes[k] if changes else None, states[k] if states else None)
        if progress is not None:
            with gate:
                done += 1
                progress(done, count)

    spread(one, count, workers or core_count())
    return ended


def spread(call: Callable[[int], None], count: int, workers: int) -> None:
    """Call with 0 to count - 1, several at a time."""
    if workers <= 1 or count <= 1:
        for k in range(count):
            call(k)
        return
    with ThreadPoolExecutor(min(workers, count)) as pool:
        for _ in pool.map(call, range(count)):
            pass


def check_lengths(changes: Any, states: Any) -> int:
    """Number of runs in a batch; lists of different lengths are refused."""
    counts = [len(given) for given in (changes, states) if given is not None]
    if not counts:
        raise ScenarioError([Problem("a batch needs changes or states, one for each run")])
    if len(set(counts)) > 1:
        raise ScenarioError([Problem(f"{counts[0]} changes and {counts[1]} states: give one of each per run")])
    return counts[0]


def chooser(keep: Sequence[str] | None) -> Callable[[str], bool]:
    """Function that tells by its name whether a channel is kept."""
    if keep is None:
        return lambda name: name in BY_NAME and BY_STEP not in BY_NAME[name].dims
    for name in keep:
        if channel_of(name) is None:
            raise ScenarioError([Problem("is no channel", name, remedy=suggest(name, list(BY_NAME)))])
    return frozenset(keep).__contains__
