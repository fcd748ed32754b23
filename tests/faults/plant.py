"""Run a machine with one planted fault, and ask its audit."""

import os
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.recorder import joined
from taut.integrate.settings import run_settings
from taut.integrate.simulate import Run, model_for
from taut.model import Model
from taut.results.result import Result

from . import plants_kernels
from .kinds import BUILD, DURATIONS, KERNELS, RESULTS, SCENARIO, SETTINGS, TABLES, Fault

STARTS = ("start_coordinates", "start_velocities", "start_states")


@dataclass(frozen=True)
class Outcome:
    """What the audit said."""

    fault: Fault | None
    machine: str
    verdict: str
    lines: tuple[str, ...]  # that failed
    reason: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the audit fails."""
        return self.verdict != "pass"


def load(machine: str, overrides: list[str] | None = None) -> Model:
    """A machine of the library."""
    return build(library.load(machine, overrides))


def faulted(model: Model, plant: Any) -> Model:
    """The model with changed copies of its tables."""
    tables = {name: table.copy() for name, table in model.tables._asdict().items() if isinstance(table, np.ndarray)}
    tables |= {name: getattr(model, name).copy() for name in STARTS}
    before = {name: table.copy() for name, table in tables.items()}
    plant(tables, model)
    if all(np.array_equal(before[name], table) for name, table in tables.items()):
        raise ValueError("the fault changes nothing")
    starts = {name: tables.pop(name) for name in STARTS}
    return replace(model, tables=model.tables._replace(**tables), **starts)


def run(
    model: Model, duration: float | None, judged: Model | None = None, plant: Any = None, **settings: Any
) -> Result:
    """Run a model, judged by another; the plant changes the arrays of its result."""
    asked = run_settings(model, settings | ({"duration": duration} if duration else {}))
    run = Run(model_for(model, asked), asked, None)
    run.judged = model_for(judged, asked) if judged is not None else run.model
    run.begin(resume=False)
    run.go(lambda time, end: None)
    if plant is not None:
        arrays = joined(run.recorder.kept)
        plant(arrays)
        run.recorder.kept = [arrays]
    return run.finish()


def outcome(fault: Fault | None, machine: str) -> Outcome:
    """The audit of a machine with a fault, or without any."""
    duration = DURATIONS.get(machine) if fault is None or fault.duration is None else fault.duration
    try:
        result = planted(fault, machine, duration)
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
        model = load(machine)
        return run(faulted(model, fault.plant), duration, model)
    if fault.way == BUILD:
        return run(faulted(load(machine), fault.plant), duration)
    if fault.way == RESULTS:
        return run(load(machine), duration, plant=fault.plant)
    if fault.way == SCENARIO:
        return run(load(machine, [fault.plant]), duration)
    if fault.way == SETTINGS:
        model = load(machine)
        return run(model, duration, tolerance=model.scenario.run.tolerance * fault.plant)
    assert fault.way == KERNELS and os.environ.get("NUMBA_DISABLE_JIT") == "1"
    model = load(machine)
    with plants_kernels.planted(getattr(plants_kernels, fault.plant)):
        return run(model, duration)
