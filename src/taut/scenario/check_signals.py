"""Signals: every expression understood, no circles, finite and smooth enough over the run."""

from collections.abc import Iterator
from typing import Any

from .curves import curve_of
from .errors import Problem
from .expression import SignalError
from .signals import SignalExpression, SignalShaped, SignalSum


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
        if isinstance(spec, str | SignalExpression | SignalSum | SignalShaped):
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
        yield from _of_joint(f"{scenario.body_path(name)}.joint", body.joint)
    for name, driver in scenario.drivers.items():
        yield from _of_vectors(f"drivers.{name}", driver, ("position", "offset"))
    yield from _of_vectors("motion", scenario.motion, ("position", "offset", "rotation"))
    for i, force in enumerate(scenario.forces):
        yield from _of_vectors(f"forces[{i}]", force, ("force", "torque"))
    for name, controller in scenario.controllers.items():
        yield from ((f"controllers.{name}.{key}", spec) for key, spec in controller.signals().items())


def _of_joint(path: str, joint: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(joint.force, tuple):
        yield from ((f"{path}.force[{i}]", spec) for i, spec in enumerate(joint.force))
    elif joint.force is not None:
        yield f"{path}.force", joint.force
    if joint.motion is not None:
        yield f"{path}.motion", joint.motion


def _of_vectors(path: str, record: Any, keys: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Signals of the components of the named keys, where the record has them."""
    for key in keys:
        yield from ((f"{path}.{key}[{i}]", spec) for i, spec in enumerate(getattr(record, key, None) or ()))
