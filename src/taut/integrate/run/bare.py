"""A bare run: integration and sampling into memory, timed; no channels, no audit, no files."""

import time
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from taut.integrate.samples.raw import Samples, new_samples
from taut.integrate.settings import Settings, run_settings
from taut.integrate.simulate import Run
from taut.integrate.status import DONE, MORE
from taut.model import Model

LOG_LENGTH = 200_000


@dataclass(frozen=True)
class BareRun:
    """Samples, counts and seconds of a bare run."""

    samples: Samples
    statistics: dict[str, int]
    seconds: float
    code: int
    processor_seconds: float  # processor time of this process [s]: other work on the machine does not count
    time: float  # time at which the run ended: at the first event, if there is one [s]
    event: int  # the event at which the run ended; -1 if none came


def integrate(model: Model, *, is_polished: bool = False, **settings: Unpack[Settings]) -> BareRun:
    """Integrate and sample, to the end or the first event; settings as of ``simulate``.

    ``is_polished`` shows the error of radau's steps alone, of ``largest_step`` from the first on: each is iterated to
    rounding, as those kept for the audit are.
    """
    run = Run(model, run_settings(model, settings), None)
    # inf sentinel: the buffer is never full at the last sample
    samples = new_samples(model, np.append(run.times, np.inf), LOG_LENGTH)
    method, code = run.method, DONE
    clock = method.work.clock[0]
    begin, working = time.perf_counter(), time.process_time()
    for start, end, _ in run.segments():
        method.begin_segment(start, end, is_restart=True)
        if is_polished:
            clock.step = clock.largest_step
        code = MORE
        while code == MORE:
            # time from which the next step is kept for the audit, and iterated further: never (inf), as there is no
            # audit here, or, for a polished run, always (-inf)
            clock.witness = -np.inf if is_polished else np.inf
            code = method.advance(samples, LOG_LENGTH)
        if code != DONE:
            break
    seconds, working = time.perf_counter() - begin, time.process_time() - working
    taken, logged = method.take_counts()
    cut = {name: getattr(samples, name)[: logged if name == "log" else taken] for name in Samples._fields}
    return BareRun(Samples(**cut), method.statistics(), seconds, code, working, method.time, method.event)
