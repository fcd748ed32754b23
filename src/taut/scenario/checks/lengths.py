"""Winches whose length is commanded, and the controller that does so."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.control.cable_length import ControllerCableLength
from taut.scenario.control.command import SignalCommand
from taut.scenario.errors import Problem, suggest
from taut.scenario.signals.curves import curve_of, has_command

FIXED = "fixed"


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
    """A commanded length goes on without jumps of value and rate, and nothing is laid over it."""
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
    yield from _unknown(scenario, f"{path}.body", controller.body, list(scenario.all_bodies()), "body")
    cables = {cable.name: cable for cable in scenario.cables}
    for name, command in controller.commands.items():
        key = f"{path}.commands.{name}"
        yield from _unknown(scenario, key, name, list(cables), "cable")
        if name in cables:
            yield from _cable(scenario, key, cables[name], command, controller)
    measured = {f"{path}.tensions.{name}": (key, "cable", ("tension_exit", "tension_anchor"))
                for name, key in controller.tensions.items()}  # fmt: skip
    measured |= {f"{path}.exits.{name}": (key, "body", ("position",)) for name, key in controller.exits.items()}
    if controller.position is not None:
        measured[f"{path}.position"] = (controller.position, "body", ("position",))
    for key, (name, owner, what) in measured.items():
        yield from _unknown(scenario, key, name, list(scenario.measurements), "measurement")
        found = scenario.measurements.get(name)
        whole = owner == "cable" or (found is not None and found.component is None)
        if found is not None and (found.owner() != owner or found.quantity() not in what or not whole):
            yield scenario.problem(key, f"must be the {' or '.join(what)} of a {owner}", value=name)


def _cable(scenario: Any, key: str, cable: Any, command: str, controller: ControllerCableLength) -> Iterator[Problem]:
    """A cable from a known exit to the body that is led, with a winch of its own that follows the command."""
    winch = scenario.drivers.get(cable.winch)
    follows = winch is not None and winch.kind == "winch" and command in (winch.length, winch.payout)
    if command in scenario.commands() and not follows:
        remedy = f"give the cable a winch with length: {command} or payout: {command}"
        yield scenario.problem(key, "is not what the cable's winch follows", value=command, remedy=remedy)
    if cable.winch is not None and sum(other.winch == cable.winch for other in scenario.cables) > 1:
        yield scenario.problem(key, "its winch drives other cables too", value=command, remedy="one winch for each")
    if cable.body != controller.body:
        yield scenario.problem(key, f"is anchored to {cable.body}, not to {controller.body}", value=command)
    if cable.pulley is not None:
        yield scenario.problem(key, "has a pulley: its exit is no point", value=command)
    if getattr(cable, "via", ()):
        remedy = "leave via out, or lead the body by cable-tension"
        yield scenario.problem(key, "runs over guides: it is not the straight line that the controller takes it for",
                               value=command, remedy=remedy)  # fmt: skip
    driver = scenario.drivers.get(cable.driver)
    moves = cable.exit_body not in (None, "world") or (driver is not None and driver.kind != FIXED)
    if moves and cable.name not in controller.exits:
        remedy = "measure its place: exits, with the position of the body that carries it"
        yield scenario.problem(key, "has an exit that moves", value=command, remedy=remedy)


def _unknown(scenario: Any, path: str, name: str, known: list[str], what: str) -> Iterator[Problem]:
    if name not in known:
        remedy = suggest(name, known) or f"the scenario has no {what}"
        yield scenario.problem(path, f"there is no {what} of this name", value=name, remedy=remedy)
