"""A model for another run: other settings, signals up to another time, its texts; nothing else is built again."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from taut.build.freeze.paces import pace_table
from taut.build.freeze.signal_tables import signal_tables
from taut.build.reduction.reduction import Reduction, build_reduced, load_reduction
from taut.model.inputs import force_signals
from taut.model.model import Model, frozen
from taut.model.remembered import kept
from taut.results.errors import ResultError


def with_run(model: Model, changes: dict[str, Any]) -> Model:
    """The machine of a model for a run with other settings; its signals reach to the end of that run."""
    run = model.plan.run
    changes = {key: value for key, value in changes.items() if getattr(run, key) != value}
    if not changes:
        return model
    run = run.model_copy(update=changes)
    scenario = model.scenario.model_copy(update={"run": run}) if model.scenario is not None else None
    full = with_run(model.full, changes) if model.full is not None else None
    found = replace(model, plan=replace(model.plan, run=run), scenario=scenario, full=full)
    return with_signals(found, run.duration) if "duration" in changes else found


def with_signals(model: Model, end: float) -> Model:
    """The machine of a model with its signals as tables up to another time [s]."""
    if not model.curves or any(curve is None for curve in model.curves):
        return model
    terms = [curve.terms(end) for curve in model.curves]
    signals, rows, pieces = signal_tables(terms)
    tables = model.tables._asdict()
    paces = pace_table(terms, force_signals(tables))
    made = {"signals": signals, "terms": rows, "pieces": pieces, "paces": paces}
    breakpoints = {t for curve in model.curves for t in curve.breakpoints(end)}
    return replace(model, tables=model.tables._replace(**{name: frozen(part) for name, part in made.items()}),
                   breakpoints=tuple(sorted(breakpoints)))  # fmt: skip


def with_reduction(model: Model, rom: Reduction | str | Path) -> Model:
    """The model built anew with its cables reduced.

    Raises:
        ResultError: the file is no reduction, or one of another machine.
    """
    if model.scenario is None:
        raise ResultError("", "a model without a scenario cannot be reduced")
    source = "" if isinstance(rom, Reduction) else str(rom)
    return build_reduced(model.scenario, rom if isinstance(rom, Reduction) else load_reduction(rom), source)


def machine_texts(model: Model) -> tuple[str, str]:
    """The scenario as YAML, with the settings of its run; and what the machine is made of, for views."""
    if model.scenario is None:
        return "", ""
    known = kept(model)  # a model never changes, so its texts are made once and kept
    if "texts" not in known:
        from taut.scenario.io.writing import dumps
        from taut.scenario.structure import structure_text

        known["texts"] = dumps(model.scenario), structure_text(model.scenario)
    return known["texts"]
