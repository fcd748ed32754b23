"""Controllers, measurements and commands: references to existing things, one controller for each command."""

from collections.abc import Iterable, Iterator
from typing import Any

from taut.scenario.control.command import SignalCommand
from taut.scenario.control.controllers import (
    ControllerComputedTorque,
    ControllerDrum,
    ControllerEnergy,
    ControllerLqr,
    ControllerPid,
    ControllerQuadcopter,
)
from taut.scenario.errors import Problem, suggest
from taut.scenario.signals.curves import curve_of, has_command

from .lengths import find_length_problems, is_smooth
from .rope_measures import find_drum_problems, find_rope_measures
from .tensions import find_tension_problems
from .watched import find_watch_problems

MOST_SAMPLES = 5_000_000


def find_control_problems(scenario: Any) -> Iterator[Problem]:
    """Yield references to things that are not there, commands set twice, and motions that would jump."""
    bodies, cables = list(scenario.all_bodies()), [cable.name for cable in scenario.cables]
    for name, measurement in scenario.measurements.items():
        path = f"measurements.{name}"
        yield from _unknown(scenario, f"{path}.body", measurement.body, bodies, "body")
        yield from _unknown(scenario, f"{path}.joint", measurement.joint, bodies, "body")
        yield from _unknown(scenario, f"{path}.cable", measurement.cable, cables, "cable")
        yield from _ritz(scenario, f"{path}.what", measurement)
        yield from find_rope_measures(scenario, path, measurement)
        yield from _own_samples(scenario, f"{path}.period", measurement.period)
    masters: dict[str, str] = {}
    for name, controller in scenario.controllers.items():
        yield from _references(scenario, f"controllers.{name}", controller)
        yield from _samples(scenario, f"controllers.{name}", controller)
        for command in controller.outputs() if controller.outputs() is not None else scenario.commands():
            if command in masters:
                remedy = "list the commands of each controller"
                message = f"the command {command} is set by {masters[command]} already"
                yield scenario.problem(f"controllers.{name}", message, remedy=remedy)
            masters[command] = name
    yield from _motions(scenario)
    yield from find_length_problems(scenario)
    yield from find_drum_problems(scenario)
    yield from find_tension_problems(scenario)
    yield from find_watch_problems(scenario)


def _ritz(scenario: Any, path: str, measurement: Any) -> Iterator[Problem]:
    kinds = {cable.name: cable.kind for cable in scenario.cables}
    if kinds.get(measurement.cable) == "ritz" and measurement.quantity() == "tension_exit":
        remedy = "measure tension_anchor"
        yield scenario.problem(path, "a ritz cable is measured at its anchor", value="tension_exit", remedy=remedy)


def _references(scenario: Any, path: str, controller: Any) -> Iterator[Problem]:
    for command in controller.outputs() or ():
        at = f"{path}.command" if hasattr(controller, "command") else path
        yield from _unknown(scenario, at, command, scenario.commands(), "command")
    if isinstance(controller, ControllerPid):
        for key in ("measure", "rate"):
            yield from _unknown(scenario, f"{path}.{key}", getattr(controller, key), scenario.measurements)
    if isinstance(controller, ControllerDrum):
        for key in ("angle", "speed"):
            yield from _unknown(scenario, f"{path}.{key}", getattr(controller, key), scenario.measurements)
    if isinstance(controller, ControllerQuadcopter):
        yield from _quadcopter(scenario, path, controller)
    if isinstance(controller, ControllerComputedTorque | ControllerLqr | ControllerEnergy):
        for key in ("position", "velocity"):
            name = getattr(controller, key)
            yield from _unknown(scenario, f"{path}.{key}", name, scenario.measurements)
            measured = scenario.measurements.get(name)
            if measured is not None and (measured.owner(), measured.quantity()) != ("machine", key):
                yield scenario.problem(f"{path}.{key}", f"must be the {key} of the machine", value=name,
                                       remedy=f"measure it with {{what: {key}}} alone")  # fmt: skip
        yield from _joints(scenario, path, controller)


def _quadcopter(scenario: Any, path: str, controller: ControllerQuadcopter) -> Iterator[Problem]:
    quadcopters = [name for name, driver in scenario.drivers.items() if driver.kind == "quadcopter"]
    yield from _unknown(scenario, f"{path}.driver", controller.driver, quadcopters, "quadcopter")
    if getattr(scenario.drivers.get(controller.driver), "attitude", "free") == "held":
        remedy = f"remove attitude from drivers.{controller.driver}"
        yield scenario.problem(f"{path}.driver", "its attitude is held: it cannot tilt", value=controller.driver,
                               remedy=remedy)  # fmt: skip
    wanted = {"position": "position", "velocity": "velocity", "orientation": "orientation", "spin": "angular_velocity"}
    for key, what in wanted.items():
        name = getattr(controller, key)
        yield from _unknown(scenario, f"{path}.{key}", name, scenario.measurements)
        measured = scenario.measurements.get(name)
        if measured is not None and (measured.owner(), measured.quantity()) != ("body", what):
            yield scenario.problem(f"{path}.{key}", f"must be the {what} of a body", value=name)


def _joints(scenario: Any, path: str, controller: Any) -> Iterator[Problem]:
    bodies = scenario.all_bodies()
    if isinstance(controller, ControllerEnergy):
        driven = {controller.joint: (controller.command, f"{path}.joint")}
    else:
        driven = {name: (entry.command, f"{path}.joints.{name}") for name, entry in controller.joints.items()}
    for name, (command, key) in driven.items():
        yield from _unknown(scenario, key, name, bodies, "body")
        joint = bodies[name].joint if name in bodies else None
        if joint is not None and (joint.kind not in ("revolute", "prismatic") or joint.force != command):
            remedy = f"give {name} a revolute or prismatic joint with force: {command}"
            yield scenario.problem(key, "its command must be the joint's force", remedy=remedy)
    others = {f"{path}.tolerances": getattr(controller, "tolerances", {})}
    others |= {f"{path}.joints.{name}.swing": getattr(entry, "swing", {})
               for name, entry in getattr(controller, "joints", {}).items()}  # fmt: skip
    for key, names in others.items():
        for name in names:
            yield from _unknown(scenario, f"{key}.{name}", name, bodies, "body")
            if name in bodies and not _is_single(bodies[name]):
                single = [other for other, body in bodies.items() if _is_single(body)]
                remedy = f"bodies that have one: {', '.join(single)}" if single else ""
                message = "must have a joint with one free coordinate"
                yield scenario.problem(f"{key}.{name}", message, value=name, remedy=remedy)


def _is_single(body: Any) -> bool:
    """Whether a body hangs on a joint with one coordinate that is not given."""
    return body.joint.size() == 1 and body.joint.motion is None


def _samples(scenario: Any, path: str, controller: Any) -> Iterator[Problem]:
    count = scenario.run.duration / controller.period
    if count > MOST_SAMPLES:
        message = f"too small: {count:.3g} samples, at most {MOST_SAMPLES}"
        yield scenario.problem(f"{path}.period", message, value=controller.period)
    for key, spec in controller.signals().items():
        yield from _known_ahead(scenario, f"{path}.{key}", spec)


def _own_samples(scenario: Any, path: str, period: float | None) -> Iterator[Problem]:
    if period is not None and scenario.run.duration / period > MOST_SAMPLES:
        message = f"too small: {scenario.run.duration / period:.3g} samples, at most {MOST_SAMPLES}"
        yield scenario.problem(path, message, value=period)


def _known_ahead(scenario: Any, path: str, spec: Any) -> Iterator[Problem]:
    """A reference must not be a command, which is known in the run only."""
    if has_command(curve_of(spec, scenario.signals)):
        yield scenario.problem(path, "must be known before the run: a command is not", value=spec)


def _motions(scenario: Any) -> Iterator[Problem]:
    """A prescribed motion needs a course without jumps of value and rate."""
    for name, body in scenario.all_bodies().items():
        for motion in body.joint.motions() if body.joint.motion is not None else ():
            spec = scenario.signals.get(motion) if isinstance(motion, str) else motion
            if isinstance(spec, SignalCommand) and not is_smooth(spec):
                path = f"{scenario.body_path(name)}.joint.motion"
                remedy = "let the command have acts: acceleration, or acts: rate and a lag"
                yield scenario.problem(path, "would jump at every sample", value=motion, remedy=remedy)


def _unknown(
    scenario: Any, path: str, name: str | None, known: Iterable[str], what: str = "measurement"
) -> Iterator[Problem]:
    known = list(known)
    if name is not None and name not in known:
        remedy = suggest(name, known) or f"the scenario has no {what}"
        yield scenario.problem(path, f"there is no {what} of this name", value=name, remedy=remedy)
