"""Signals: every expression understood, no circles, finite and smooth enough over the run."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.errors import Problem
from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.expression import SignalError
from taut.scenario.signals.records import SignalExpression, SignalRopeLength, SignalShaped, SignalSum


def find_signal_problems(scenario: Any) -> Iterator[Problem]:
    """Yield signals that cannot be turned into polynomial pieces over the run.

    If a named signal is faulty, or the path of the robot, it is the only one that is told: others are made from it.
    """
    first = (*_named(scenario), *_of_robot(scenario))
    sources = [problem for path, spec in first for problem in _problems(scenario, path, spec)]
    yield from sources
    if not sources:
        yield from (problem for path, spec in _in_place(scenario) for problem in _problems(scenario, path, spec))


def _problems(scenario: Any, path: str, spec: Any) -> Iterator[Problem]:
    users = (path.partition(".")[2],) if path.startswith("signals.") else ()
    try:
        curve = curve_of(spec, scenario.signals, users)
        if isinstance(spec, str | SignalExpression | SignalSum | SignalShaped | SignalRopeLength):
            curve.terms(scenario.run.duration)
    except SignalError as error:
        value = spec.expression if isinstance(spec, SignalExpression) else spec
        shown = {"value": value} if isinstance(value, str) else {}
        yield scenario.problem(path, error.message, remedy=error.remedy, **shown)


def all_signals(scenario: Any) -> Iterator[tuple[str, Any]]:
    """Yield path and signal of everything in the scenario that is a signal."""
    yield from _named(scenario)
    yield from _in_place(scenario)


def has_same_signals(scenario: Any, other: Any) -> bool:
    """Return whether two scenarios have the same signals at the same places, over the same time."""
    return scenario.run.duration == other.run.duration and list(all_signals(scenario)) == list(all_signals(other))


def _entries(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Path and signal of one signal, or of those in a list that are given."""
    if isinstance(value, tuple):
        yield from ((f"{path}[{i}]", spec) for i, spec in enumerate(value) if spec is not None)
    elif value is not None:
        yield path, value


def _named(scenario: Any) -> Iterator[tuple[str, Any]]:
    yield from ((f"signals.{name}", spec) for name, spec in scenario.signals.items())


def _of_robot(scenario: Any) -> Iterator[tuple[str, Any]]:
    if scenario.robot is not None:
        yield from _entries("robot.path", scenario.robot.path)
        yield from _entries("robot.turn", scenario.robot.turn)


def _in_place(scenario: Any) -> Iterator[tuple[str, Any]]:
    for name, body in scenario.all_bodies().items():
        if name in scenario.drivers or name.rsplit(" ", 1)[0] in scenario.drivers:
            continue  # the body is made from a driver, whose signals are listed with the driver
        for key in ("force", "motion"):
            yield from _entries(f"{scenario.body_path(name)}.joint.{key}", getattr(body.joint, key))
    for name, driver in scenario.drivers.items():
        for key in driver.signal_keys():
            yield from _entries(f"drivers.{name}.{key}", getattr(driver, key))
        if driver.kind == "winch" and driver.drum is not None:
            yield from _of_drum(f"drivers.{name}.drum", driver.drum)
    for i, cable in enumerate(scenario.cables):
        yield from ((f"cables[{i}].{key}", spec) for key, spec in cable.signals().items())
    yield from _of_vectors("motion", scenario.motion, ("position", "offset", "rotation"))
    for i, force in enumerate(scenario.forces):
        yield from _of_vectors(f"forces[{i}]", force, ("force", "torque"))
    for name, controller in scenario.controllers.items():
        yield from ((f"controllers.{name}.{key}", spec) for key, spec in controller.signals().items())


def _of_vectors(path: str, record: Any, keys: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Signals of the components of the named keys, where the record has them."""
    for key in keys:
        yield from ((f"{path}.{key}[{i}]", spec) for i, spec in enumerate(getattr(record, key, None) or ()))


def _of_drum(path: str, drum: Any) -> Iterator[tuple[str, Any]]:
    yield f"{path}.torque", drum.torque
    for key in drum.motor.given() if drum.motor is not None else ():
        yield f"{path}.motor.{key}", getattr(drum.motor, key)
