"""The controller that leads a body by the tensions of its ropes: whether its body, drums and measurements fit."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.control.cable_tension import ControllerCableTension
from taut.scenario.errors import Problem, suggest

MEASURED = {"position": "position", "velocity": "velocity", "orientation": "orientation", "spin": "angular_velocity"}


def find_tension_problems(scenario: Any) -> Iterator[Problem]:
    """Yield what such a controller cannot lead, or is not told."""
    for name, controller in scenario.controllers.items():
        if isinstance(controller, ControllerCableTension):
            path = f"controllers.{name}"
            yield from _body(scenario, path, controller)
            yield from _cables(scenario, path, controller)
            yield from _measurements(scenario, path, controller)


def _body(scenario: Any, path: str, controller: ControllerCableTension) -> Iterator[Problem]:
    bodies = scenario.all_bodies()
    if controller.body not in bodies:
        remedy = suggest(controller.body, list(bodies)) or "the scenario has no body"
        yield scenario.problem(f"{path}.body", "there is no body of this name", value=controller.body, remedy=remedy)
        return
    joint = bodies[controller.body].joint
    if scenario.planar or (joint is not None and joint.kind != "free"):
        remedy = "use kind: cable-length, or computed-torque for joints"
        yield scenario.problem(f"{path}.body", "must be free in space", value=controller.body, remedy=remedy)


def _cables(scenario: Any, path: str, controller: ControllerCableTension) -> Iterator[Problem]:
    cables = {cable.name: cable for cable in scenario.cables}
    for name, command in controller.commands.items():
        key = f"{path}.commands.{name}"
        if name not in cables:
            remedy = suggest(name, list(cables)) or "the scenario has no cable"
            yield scenario.problem(key, "there is no cable of this name", value=name, remedy=remedy)
            continue
        cable = cables[name]
        drum = getattr(scenario.drivers.get(cable.winch or ""), "drum", None)
        if cable.kind not in ("spring", "ideal"):
            remedy = "use kind: spring, or lead it by its lengths"
            yield scenario.problem(key, "has mass: its pull does not follow from the pose alone", value=cable.kind,
                                   remedy=remedy)  # fmt: skip
        elif drum is None or drum.torque != command:
            remedy = f"give the cable a winch with a drum and torque: {command}"
            yield scenario.problem(key, "is not the torque of the cable's drum", value=command, remedy=remedy)
        elif controller.body not in (cable.body, *(guide.body for guide in cable.via)):
            yield scenario.problem(key, f"does not touch {controller.body}", value=command)


def _measurements(scenario: Any, path: str, controller: ControllerCableTension) -> Iterator[Problem]:
    for key, what in MEASURED.items():
        name = getattr(controller, key)
        found = scenario.measurements.get(name)
        if found is None:
            remedy = suggest(name, list(scenario.measurements)) or "the scenario has no measurement"
            yield scenario.problem(f"{path}.{key}", "there is no measurement of this name", value=name, remedy=remedy)
        elif (found.body, found.quantity()) != (controller.body, what) or found.component is not None:
            remedy = f"measure it with {{body: {controller.body}, what: {what}}}"
            yield scenario.problem(
                f"{path}.{key}", f"must be the {what} of {controller.body}", value=name, remedy=remedy
            )
