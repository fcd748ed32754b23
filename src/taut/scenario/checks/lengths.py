"""Winches whose length is commanded, and the controller that does so."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.control.cable_length import ControllerCableLength
from taut.scenario.control.command import SignalCommand
from taut.scenario.drivers.driver import CARRIERS, DriverForce
from taut.scenario.errors import Problem, suggest
from taut.scenario.signals.curves import curve_of, has_command


def find_length_problems(scenario: Any) -> Iterator[Problem]:
    """Yield commands that no winch can follow, and cables that no controller can lead."""
    for name, driver in scenario.drivers.items():
        if driver.kind == "winch":
            yield from _winch(scenario, f"drivers.{name}", driver)
    for i, failure in enumerate(scenario.failures):
        winch = scenario.drivers.get(failure.target) if failure.kind == "loss" else None
        if winch is not None and winch.kind == "winch" and any(_commanded(scenario, winch)):
            remedy = "let its controller stop it"
            yield scenario.problem(f"failures[{i}].target", "is a winch whose length is commanded",
                                   value=failure.target, remedy=remedy)  # fmt: skip
    for name, controller in scenario.controllers.items():
        if isinstance(controller, ControllerCableLength):
            yield from _controller(scenario, f"controllers.{name}", controller)


def is_smooth(command: SignalCommand) -> bool:
    """Whether value and rate of a command go on without jumps."""
    return command.acts == "acceleration" or (command.acts == "rate" and command.lag is not None)


def _commanded(scenario: Any, winch: Any) -> Iterator[str]:
    """Yield the keys of a winch whose signal is known in the run only."""
    for key in ("length", "payout", "rate"):
        spec = getattr(winch, key)
        if spec is not None and has_command(curve_of(spec, scenario.signals)):
            yield key


def _winch(scenario: Any, path: str, winch: Any) -> Iterator[Problem]:
    """A commanded length has no jumps of value and rate, and no other signal is added to it."""
    for key in _commanded(scenario, winch):
        spec = getattr(winch, key)
        if key == "rate":
            remedy = "give it as length or payout, with acts: rate and a lag"
            yield scenario.problem(f"{path}.rate", "cannot be commanded", value=spec, remedy=remedy)
            continue
        if winch.start == "blend":
            remedy = "write start: raw, and let the controller begin gently"
            yield scenario.problem(f"{path}.start", "a commanded winch cannot be blended in", value="blend",
                                   remedy=remedy)  # fmt: skip
        command = scenario.commands().get(spec) if isinstance(spec, str) else None
        if command is not None and not is_smooth(command):
            remedy = "let the command have acts: acceleration, or acts: rate and a lag"
            yield scenario.problem(f"{path}.{key}", "would jump at every sample", value=spec, remedy=remedy)


def _controller(scenario: Any, path: str, controller: ControllerCableLength) -> Iterator[Problem]:
    bodies = scenario.all_bodies()
    yield from _unknown(scenario, f"{path}.body", controller.body, list(bodies), "body")
    cables = {cable.name: cable for cable in scenario.cables}
    for name, command in controller.commands.items():
        key = f"{path}.commands.{name}"
        yield from _unknown(scenario, key, name, list(cables), "cable")
        if name in cables and controller.body in bodies:
            yield from _cable(scenario, key, cables[name], command, controller)
    for name in controller.carriers:
        yield from _unknown(scenario, f"{path}.carriers.{name}", name, list(bodies), "body")
        if name == controller.body:
            message, remedy = "is the body that is led: it is where it is wanted", "leave it out"
            yield scenario.problem(f"{path}.carriers.{name}", message, remedy=remedy)
    for key, name, owner, what in _measured(path, controller):
        yield from _unknown(scenario, key, name, list(scenario.measurements), "measurement")
        found = scenario.measurements.get(name)
        if found is None:
            continue
        whole = owner[0] == "cable" or found.component is None
        if found.owner() != owner[0] or found.quantity() not in what or not whole:
            yield scenario.problem(key, f"must be the {' or '.join(what)} of a {owner[0]}", value=name)
        elif owner[1] is not None and (getattr(found, owner[0]) != owner[1] or any(found.point)):
            yield scenario.problem(key, f"is not that of {owner[1]}", value=name)


def _measured(path: str, controller: ControllerCableLength) -> Iterator[tuple[str, str, tuple[str, str | None], Any]]:
    """Key, name, owner (with its name, where it matters) and quantity of every measurement it reads."""
    for name, key in controller.tensions.items():
        yield f"{path}.tensions.{name}", key, ("cable", None), ("tension_exit", "tension_anchor")
    for name, key in controller.exits.items():
        yield f"{path}.exits.{name}", key, ("body", None), ("position",)
    for name, key in controller.angles.items():
        yield f"{path}.angles.{name}", key, ("cable", name), ("drum_angle", "encoder_angle")
    for name, key in controller.speeds.items():
        yield f"{path}.speeds.{name}", key, ("cable", name), ("drum_speed",)
    for body, carrier in controller.carriers.items():
        for what in ("position", "velocity", "orientation", "angular_velocity"):
            if getattr(carrier, what) is not None:
                yield f"{path}.carriers.{body}.{what}", getattr(carrier, what), ("body", body), (what,)
    if controller.position is not None:
        yield f"{path}.position", controller.position, ("body", None), ("position",)


def _cable(scenario: Any, key: str, cable: Any, command: str, controller: ControllerCableLength) -> Iterator[Problem]:
    """A cable that meets the body that is led, with a winch of its own that follows the command."""
    winch = scenario.drivers.get(cable.winch)
    how = _how(winch, command)
    if command in scenario.commands() and how is None:
        remedy = f"give the cable a winch with length or payout: {command}, or a drum whose torque is {command}"
        yield scenario.problem(key, "is not what the cable's winch follows", value=command, remedy=remedy)
    if how == "torque":
        for part, what in (("angles", "drum_angle"), ("speeds", "drum_speed")):
            if cable.name not in getattr(controller, part):
                remedy = f"give {part}: {{{cable.name}: a measurement of its {what}}}"
                yield scenario.problem(key, f"is a torque, and the drum's {what} is not measured", value=command,
                                       remedy=remedy)  # fmt: skip
    if how == "angle" and not is_smooth(scenario.commands()[command]):
        remedy = "let the command have acts: acceleration, or acts: rate and a lag"
        yield scenario.problem(key, "the angle of its motor would jump at every sample", value=command, remedy=remedy)
    if cable.winch is not None and sum(other.winch == cable.winch for other in scenario.cables) > 1:
        yield scenario.problem(key, "its winch drives other cables too", value=command, remedy="one winch for each")
    yield from _guides(scenario, key, cable, command, controller)


def _guides(scenario: Any, key: str, cable: Any, command: str, controller: ControllerCableLength) -> Iterator[Problem]:
    """Exit and guides on the body that is led, in the world, or on bodies that are measured."""
    driver = scenario.drivers.get(cable.driver)
    carrier = cable.exit_body or (cable.driver if isinstance(driver, CARRIERS) else "world")
    met = (carrier, *(guide.body for guide in getattr(cable, "via", ())), cable.body)
    if controller.body not in met:
        yield scenario.problem(key, f"does not meet {controller.body}: it is anchored to {cable.body}", value=command)
    if isinstance(driver, DriverForce) and cable.name not in controller.exits:
        remedy = "let a body carry the exit"
        message = "has an exit that a force moves, which nothing measures"
        yield scenario.problem(key, message, value=command, remedy=remedy)
    asked = met[1:] if cable.name in controller.exits else met
    for body in dict.fromkeys(name for name in asked if name not in ("world", controller.body, *controller.carriers)):
        if body in scenario.all_bodies() and not _is_fixed(scenario, body):
            what = "an exit" if body == carrier else "a guide"
            remedy = f"measure where {body} is: carriers: {{{body}: {{position: a measurement}}}}"
            yield scenario.problem(key, f"has {what} that moves, on {body}", value=command, remedy=remedy)


def _how(winch: Any, command: str) -> str | None:
    """What a command is for a winch: length, angle or torque; none if it does not follow it."""
    if winch is None or winch.kind != "winch":
        return None
    if command in (winch.length, winch.payout):
        return "length"
    if winch.drum is None:
        return None
    motor = winch.drum.motor
    if motor is not None and motor.angle == command:
        return "angle"
    return "torque" if command in (winch.drum.torque, motor.torque if motor is not None else None) else None


def _is_fixed(scenario: Any, body: str) -> bool:
    """Whether a body stands in the world, by itself or on others that do."""
    bodies = scenario.all_bodies()
    while body != "world":
        if bodies[body].joint.kind != "fixed":
            return False
        body = bodies[body].joint.parent
    return True


def _unknown(scenario: Any, path: str, name: str, known: list[str], what: str) -> Iterator[Problem]:
    if name not in known:
        remedy = suggest(name, known) or f"the scenario has no {what}"
        yield scenario.problem(path, f"there is no {what} of this name", value=name, remedy=remedy)
