"""Warnings: what is allowed but is probably a mistake."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scenario.drivers.driver import DriverTrajectory
from taut.scenario.signals.records import SignalExpression, SignalRopeLength, SignalShaped, SignalSum

from .geometry import cable_distances, percent
from .implausible import axial_stiffness, find_implausible
from .leading import find_leading
from .signals import all_signals
from .slips import find_slips

THICK = 0.2  # elements with a larger radius, relative to their length, are reported as too thick
FAST = 1e-6  # motion slower than this counts as rest [m/s]
OF_CABLE = re.compile(r"^cable [^:]+: ")
BESIDE = 1e-7  # distance from a jump at which its two sides are evaluated [s]


def find_warnings(scenario: Any) -> list[str]:
    """Return one sentence for everything that looks odd."""
    finders = (
        _inertias,
        _strains,
        _thick_elements,
        _driver_starts,
        _driver_speeds,
        _speed_jumps,
        _smooth_ground,
        _unused,
        find_slips,
        _late_failures,
    )
    return once([*(text for finder in finders for text in finder(scenario)), *find_implausible(scenario),
            *find_leading(scenario)])  # fmt: skip


def once(texts: list[str]) -> list[str]:
    """What is said of many cables in the same words is said of the first."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(OF_CABLE.sub("cable: ", text), []).append(text)
    return [same[0] if len(same) == 1 else f"{same[0]} (and {len(same) - 1} more)" for same in groups.values()]


def _inertias(scenario: Any) -> Iterator[str]:
    for name, body in scenario.all_bodies().items():
        values = np.linalg.eigvalsh(body.mass_properties()[2])
        if values[2] > (values[0] + values[1]) * (1 + 1e-6):
            text = ", ".join(f"{value:g}" for value in values)
            yield f"body {name}: principal inertias {text} kg m^2 belong to no real body"


def _strains(scenario: Any) -> Iterator[str]:
    for cable, distance in zip(scenario.cables, cable_distances(scenario), strict=True):
        if cable.length is not None and distance > 1.02 * cable.length:
            strain = distance / cable.length - 1
            stiffness = axial_stiffness(cable, distance)
            pull = f", that is a pull of {strain * stiffness:.3g} N" if stiffness is not None else ""
            yield f"cable {cable.name}: starts stretched by {percent(strain)}{pull}"


def _thick_elements(scenario: Any) -> Iterator[str]:
    for cable, distance in zip(scenario.cables, cable_distances(scenario), strict=True):
        element = (cable.length or distance) / cable.piece_count()
        if cable.kind == "mrfe" and cable.radius > THICK * element:
            yield (f"cable {cable.name}: its radius {cable.radius:g} m is more than a fifth of an element's length, "
                   f"{element:.3g} m: take fewer elements")  # fmt: skip


def _smooth_ground(scenario: Any) -> Iterator[str]:
    ground = scenario.ground
    if ground is not None and ground.law == "rigid" and ground.friction is None:
        yield ("ground: a rigid ground has no friction unless friction is given, and stops nothing that slides; "
               "friction: 0 says that none is wanted")  # fmt: skip


def _driver_speeds(scenario: Any) -> Iterator[str]:
    for name, driver in scenario.drivers.items():
        if isinstance(driver, DriverTrajectory) and any(cable.driver == name for cable in scenario.cables):
            speed = np.linalg.norm([scenario.signal(spec).evaluate(0.0)[1] for spec in driver.signals()])
            if speed > FAST and not _is_moving(scenario):
                yield f"driver {name}: starts with a speed of {speed:.3g} m/s while the machine rests: a jerk at t = 0"


def _speed_jumps(scenario: Any) -> Iterator[str]:
    """A prescribed position whose rate jumps needs an infinite force, and work that no balance counts."""
    for path, spec in all_signals(scenario):
        owner, _, key = path.removeprefix("drivers.").partition(".")
        is_driven = path.startswith("drivers.") and scenario.drivers[owner].kind not in ("force", "quadcopter")
        is_driven = is_driven and "force" not in key and "torque" not in key
        if not is_driven and not path.endswith(".joint.motion") and ".excitation." not in path:
            continue
        # a winch may be given its rate itself: then the value must not jump; otherwise its first derivative
        order = 0 if is_driven and key == "rate" else 1
        curve = scenario.signal(spec)
        for t in curve.breakpoints(scenario.run.duration):
            before, after = (float(curve.evaluate(t + side)[order]) for side in (-BESIDE, BESIDE))
            if abs(after - before) > max(FAST, 1e-3 * abs(before)):
                yield f"{path}: its rate jumps from {before:.3g} to {after:.3g} per second at t = {t:g} s: a shock"
                break


def _is_moving(scenario: Any) -> bool:
    """Whether the scenario gives any body a velocity at the start."""
    rates = [(body.velocity, body.angular_velocity, body.joint.velocity)
             for body in scenario.all_bodies().values()]  # fmt: skip
    return any(np.any(rate) for of_body in rates for rate in of_body if rate is not None)


def _driver_starts(scenario: Any) -> Iterator[str]:
    for cable in scenario.cables:
        driver = scenario.drivers.get(cable.driver)
        if isinstance(driver, DriverTrajectory) and not driver.is_offset():
            start = [scenario.signal(spec).evaluate(0.0)[0] for spec in driver.signals()]
            if np.abs(np.subtract(start, cable.exit)).max() > 1e-9:
                yield f"cable {cable.name}: driver {cable.driver} starts at {start}, not at the exit {list(cable.exit)}"


def _unused(scenario: Any) -> Iterator[str]:
    used = {name for cable in scenario.cables for name in (cable.driver, cable.winch, cable.exit_body, cable.body)}
    yield from (f"driver {name} moves nothing" for name in scenario.drivers if name not in used)
    words = {word for _, spec in all_signals(scenario) for word in _words(spec)}
    yield from (f"signal {name} is not used" for name in scenario.signals if name not in words)
    masters = [controller.outputs() for controller in scenario.controllers.values()]
    if None not in masters:
        set_by = {name for names in masters for name in names or ()}
        yield from (f"command {name} has no controller" for name in scenario.commands() if name not in set_by)


def _late_failures(scenario: Any) -> Iterator[str]:
    end = scenario.run.duration
    for failure in scenario.failures:
        if isinstance(failure.at, int | float) and failure.at > end:
            yield f"failure {failure.name}: its time {failure.at:g} s is after the end of the run, {end:g} s"


def _words(spec: Any) -> Iterator[str]:
    if isinstance(spec, SignalSum):
        yield from (word for term in spec.terms for word in _words(term))
    if isinstance(spec, SignalShaped):
        yield from _words(spec.signal)
    if isinstance(spec, SignalRopeLength):
        yield from (word for part in (*spec.path, *(spec.turn or ())) for word in _words(part))
    text = spec.expression if isinstance(spec, SignalExpression) else spec
    if isinstance(text, str):
        yield from re.findall(r"[A-Za-z_]\w*", text)
