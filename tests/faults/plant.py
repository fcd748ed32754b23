"""Run a machine with one planted fault, and ask its audit."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.run.recorder import joined
from taut.integrate.settings import run_settings
from taut.integrate.simulate import Run, model_for
from taut.model import Model
from taut.results.result import Result

from . import plants_kernels
from .kinds import BUILD, DURATIONS, KERNELS, RESULTS, SCENARIO, SETTINGS, TABLES, Fault
from .machines import MACHINES

STARTS = ("start_coordinates", "start_velocities", "start_states")
MOST_SECONDS = 90.0  # processor time that a faulted run may take [s]; its steps may have collapsed


@dataclass(frozen=True)
class Outcome:
    """What the audit said."""

    fault: Fault | None
    machine: str
    verdict: str
    lines: tuple[str, ...]  # lines of the audit that failed
    reason: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the audit fails."""
        return self.verdict != "pass"


def load(machine: str, overrides: list[str] | None = None) -> Model:
    """A machine of the library, or one of ``machines.py``."""
    return build(MACHINES[machine]() if machine in MACHINES else library.load(machine, overrides))


def faulted(model: Model, plant: Any) -> Model:
    """The model with changed copies of its tables."""
    tables = {name: table.copy() for name, table in model.tables._asdict().items() if isinstance(table, np.ndarray)}
    tables |= {name: getattr(model, name).copy() for name in STARTS}
    before = {name: table.copy() for name, table in tables.items()}
    plant(tables, model)
    if all(np.array_equal(before[name], table) for name, table in tables.items()):
        raise ValueError("the fault changes nothing")
    for table in tables.values():
        # read-only as those of every model: numba would compile the entries again for writable tables
        table.setflags(write=False)
    starts = {name: tables.pop(name) for name in STARTS}
    return replace(model, tables=model.tables._replace(**tables), **starts)


def run(
    model: Model, duration: float | None, plant: Any = None, *, of_arrays: Any = None, is_built: bool = False,
    **settings: Any,
) -> Result:  # fmt: skip
    """Run a model with a fault in its tables, judged by the true one unless it is built so, or in its arrays."""
    asked = run_settings(model, settings | ({"duration": duration} if duration else {}))
    # a model is made anew for some settings: the fault comes after that
    true = model_for(model, asked)
    wrong = faulted(true, plant) if plant is not None else true
    run = Run(wrong, asked, None)
    run.judged = wrong if is_built else true
    run.begin(resume=False)
    run.go(limited(MOST_SECONDS))
    if of_arrays is not None:
        arrays = joined(run.recorder.kept)
        of_arrays(arrays)
        run.recorder.kept = [arrays]
    return run.finish()


def limited(seconds: float) -> Callable[[float, float], None]:
    """What a run tells its progress to; it ends a run that would never end, which is found as one that breaks."""
    last = time.process_time() + seconds

    def progress(now: float, end: float) -> None:
        if time.process_time() > last:
            raise TimeoutError(f"stopped at t = {now:.4g} s of {end:.4g} s after {seconds:.0f} s")

    return progress


def outcome(fault: Fault | None, machine: str) -> Outcome:
    """The audit of a machine with a fault, or without any."""
    duration = DURATIONS.get(machine) if fault is None or fault.duration is None else fault.duration
    try:
        result = planted(fault, machine, duration)
    except (TypeError, AttributeError, NameError):
        # the plant itself is wrong, as after a change of what it replaces
        raise
    except Exception as error:  # noqa: BLE001 - a run that breaks is found as well
        return Outcome(fault, machine, "broken", (), f"{type(error).__name__}: {error}")
    audit = result.audit
    failed = tuple(name for name, line in audit.items() if isinstance(line, dict) and line.get("verdict") == "fail")
    return Outcome(fault, machine, audit["verdict"], failed, "; ".join(audit["reasons"])[:200])


def planted(fault: Fault | None, machine: str, duration: float | None) -> Result:
    """The result of a machine with a fault."""
    if fault is None:
        return run(load(machine), duration)
    if fault.way == TABLES:
        return run(load(machine), duration, fault.plant)
    if fault.way == BUILD:
        return run(load(machine), duration, fault.plant, is_built=True)
    if fault.way == RESULTS:
        return run(load(machine), duration, of_arrays=fault.plant)
    if fault.way == SCENARIO:
        return run(load(machine, [fault.plant]), duration)
    if fault.way == SETTINGS:
        model = load(machine)
        return run(model, duration, tolerance=model.scenario.run.tolerance * fault.plant)
    assert fault.way == KERNELS and os.environ.get("NUMBA_DISABLE_JIT") == "1"
    model = load(machine)
    with plants_kernels.planted(getattr(plants_kernels, fault.plant)):
        return run(model, duration)
