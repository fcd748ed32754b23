"""Signals: every expression understood, no circles, finite and smooth enough over the run."""

from collections.abc import Iterator
from typing import Any

from .curves import curve_of
from .errors import Problem
from .expression import SignalError
from .signals import SignalExpression, SignalSum


def find_signal_problems(scenario: Any) -> Iterator[Problem]:
    """Yield signals that cannot be turned into polynomial pieces over the run; faulty named signals only, if any."""
    named = [problem for path, spec in _named(scenario) for problem in _problems(scenario, path, spec)]
    yield from named
    if not named:
        yield from (problem for path, spec in _in_place(scenario) for problem in _problems(scenario, path, spec))


def _problems(scenario: Any, path: str, spec: Any) -> Iterator[Problem]:
    users = (path.partition(".")[2],) if path.startswith("signals.") else ()
    try:
        curve = curve_of(spec, scenario.signals, users)
        if isinstance(spec, str | SignalExpression | SignalSum):
            curve.terms(scenario.run.duration)
    except SignalError as error:
        value = spec.expression if isinstance(spec, SignalExpression) else spec
        shown = {"value": value} if isinstance(value, str) else {}
        yield scenario.problem(path, error.message, remedy=error.remedy, **shown)


def all_signals(scenario: Any) -> Iterator[tuple[str, Any]]:
    """Yield path and signal of everything in the scenario that is a signal."""
    yield from _named(scenario)
    yield from _in_place(scenario)


def _named(scenario: Any) -> Iterator[tuple[str, Any]]:
    yield from ((f"signals.{name}", spec) for name, spec in scenario.signals.items())


def _in_place(scenario: Any) -> Iterator[tuple[str, Any]]:
    for name, body in scenario.all_bodies().items():
        path = f"{scenario.body_path(name)}.joint.force"
        force = body.joint.force
        entries = enumerate(force) if isinstance(force, tuple) else ()
        yield from ((f"{path}[{i}]", spec) for i, spec in entries)
        if force is not None and not isinstance(force, tuple):
            yield path, force
    for name, driver in scenario.drivers.items():
        for key in ("position", "offset"):
            for i, spec in enumerate(getattr(driver, key, None) or ()):
                yield f"drivers.{name}.{key}[{i}]", spec
    for key in ("position", "offset", "rotation"):
        for i, spec in enumerate(getattr(scenario.motion, key, None) or ()):
            yield f"motion.{key}[{i}]", spec
    for i, force in enumerate(scenario.forces):
        for key in ("force", "torque"):
            yield from ((f"forces[{i}].{key}[{k}]", spec) for k, spec in enumerate(getattr(force, key)))
