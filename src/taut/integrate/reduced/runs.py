"""Runs of a reduced machine; where it leaves its training, the full one may take over from the last trusted state."""

from typing import Any

import numpy as np

from taut.dynamics.residual import least_mass_step, place
from taut.integrate.reduced.expansion import expand_samples
from taut.integrate.reduced.trust import first_outside
from taut.integrate.run.interrupt import Interrupt
from taut.integrate.run.recorder import Arrays, joined
from taut.integrate.samples.raw import channels
from taut.integrate.start.start_state import close_loops
from taut.model import new_factor
from taut.results.errors import ResultError
from taut.results.result import Result

CLOSED = 1e-11  # allowed closure error of the state that the full model takes over [m]
TAKEN_OVER = "the full model takes over at t = {:.6g} s, the last moment before the reduced one leaves its training"


def run_with_fallback(full: Any, reduced: Any, progress: Any) -> Result:
    """Run the reduced machine while it is trusted, and the full one from there on.

    Args:
        full: a run of the full machine that has not begun.
        reduced: a run of the reduced machine that has not begun; it keeps no file.
        progress: told simulated time and end time.
    """
    if full.controls.is_any:
        remedy = "run it with the reduced or with the full model alone"
        raise ResultError("", "a run with controllers cannot be taken over", remedy)
    with Interrupt() as reduced.interrupt:
        reduced.is_left_outside = True
        reduced.begin(resume=False)
        reduced.go(progress)
    arrays = joined(reduced.recorder.kept)
    outside = first_outside(arrays["time"], arrays["rom_trust"])
    if outside is None:
        return reduced.finish()
    last = int(np.searchsorted(arrays["time"], outside)) - 1
    if last < 1:
        # outside the training range from the start: run the full model alone
        full.begin(resume=False)
    else:
        take_over(full, reduced, cut(arrays, last + 1))
    with Interrupt() as full.interrupt:
        return full.to_end(progress)


def cut(arrays: Arrays, count: int) -> Arrays:
    """The first samples, and the steps until the last of them."""
    end = arrays["time"][count - 1]
    steps = int(np.searchsorted(arrays["step_time"], end, side="right"))
    return {name: part[: steps if name.startswith("step_") else count] for name, part in arrays.items()}


def take_over(full: Any, reduced: Any, arrays: Arrays) -> None:
    """Let the full run carry on from the last of the reduced machine's samples."""
    model, data = full.model, full.data
    samples = expand_samples(model, reduced.model, arrays)
    time = float(arrays["time"][-1])
    steps = {name: part for name, part in arrays.items() if name.startswith("step_")}
    trusted = {name: arrays[name] for name in ("rom_trust", "rom_residual") if name in arrays}
    found = channels(model, full.reader, samples, len(arrays["time"]))
    # the samples before the change are part of the result
    full.recorder.add({"time": arrays["time"], **found, **trusted, **steps})
    full.taken = len(arrays["time"]) - 1
    data.q[:], data.v[:], data.time[0] = samples.q[-1], samples.v[-1], time
    if len(data.modes) == len(reduced.data.modes):
        data.modes[:] = reduced.method.work.at.modes
    # the expansion meets the closures to the accuracy of the reduction only: close positions, then rates
    close_loops(model, data, CLOSED, is_solved=True)
    step = np.zeros(model.column_count)
    least_mass_step(model.tables, data, new_factor(model), True, step)
    data.v[:] += step
    place(model.tables, data)
    # start the full model's method anew; its time and its works continue those of the reduced run
    full.moving.set_off()
    clock = full.method.work.clock[0]
    clock.time, clock.works[0], clock.works[1] = time, *samples.work[-1]
    full.warnings = [*full.warnings, TAKEN_OVER.format(time)]
    full.passed_events.append({"name": "rom", "time": time, "what": TAKEN_OVER.format(time)})
