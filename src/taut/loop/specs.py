"""What goes into and comes out of a plant: names, units and limits, in a fixed order.

An observation is a measurement of the scenario, or any quantity by its dotted name, made into a measurement here:
    body.what          load.position, platform.angular_velocity
    cable.what         C1.tension_exit
    joint.body.what    joint.trolley.velocity
    machine.what       machine.position
each with a component at its end if only one is meant, such as load.position.x.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.loop.given import listed
from taut.scenario.control.measurements import QUANTITIES, Measurement
from taut.scenario.control.units import command_units, measurement_units
from taut.scenario.errors import Problem, ScenarioError, suggest

COMPONENTS = ("x", "y", "z", "w", "0", "1", "2", "3", "4", "5", "6")


@dataclass(frozen=True)
class Spec:
    """One number that is observed or commanded."""

    name: str
    unit: str  # SI unit; empty where it is not known, as for an expression
    low: float = -np.inf
    high: float = np.inf


def refuse(message: str, name: str, known: Sequence[str] = (), remedy: str = "") -> ScenarioError:
    """An error about a name, with the one that was probably meant."""
    return ScenarioError([Problem(message, name, remedy=suggest(name, list(known)) if known else remedy)])


def find_commands(scenario: Any, names: Sequence[str] | None) -> tuple[str, ...]:
    """The commands that are meant: those named, in that order, or all of the scenario."""
    known = scenario.commands()
    if names is None:
        return tuple(known)
    for name in listed(names, "commands"):
        if name not in known:
            raise refuse("is no command", name, list(known), "give the scenario a signal of kind command")
    return tuple(names)


def command_specs(scenario: Any, names: Sequence[str]) -> tuple[Spec, ...]:
    """Name, unit and limits of every command."""
    units, known = command_units(scenario), scenario.commands()
    return tuple(Spec(name, units[name], *(known[name].limits or (-np.inf, np.inf))) for name in names)


def find_observations(scenario: Any, names: Sequence[str] | None) -> dict[str, Measurement]:
    """The measurements meant: those of the scenario, or those named, some of them made from their names."""
    if names is None:
        return dict(scenario.measurements)
    asked = listed(names, "observations")
    return {name: scenario.measurements.get(name) or measurement_of(scenario, name) for name in asked}


def measurement_of(scenario: Any, name: str) -> Measurement:
    """A measurement from a dotted name."""
    owner, rest = split_owner(scenario, name)
    if owner is None:
        known = [*scenario.measurements, *(f"{body}.position" for body in scenario.all_bodies()),
                 *(f"{cable.name}.tension_exit" for cable in scenario.cables)]  # fmt: skip
        raise refuse("is no measurement, and no quantity of a body, joint or cable", name, known)
    key, value = owner
    what, _, component = rest.partition(".")
    allowed = QUANTITIES[key]
    if what not in allowed:
        raise refuse(f"a {key} has no such quantity: {what!r}", name, [f"{name[: -len(rest)]}{w}" for w in allowed])
    if component and component not in COMPONENTS:
        raise refuse(f"has no component {component!r}", name, remedy="x, y, z, w, or a number from 0")
    part = int(component) if component.isdigit() else component or None
    return Measurement(what=what, component=part, **({key: value} if value else {}))  # type: ignore[arg-type]


def split_owner(scenario: Any, name: str) -> tuple[tuple[str, str] | None, str]:
    """Whose quantity a dotted name means, as key and name, and the rest of it; the longest name counts."""
    bodies, cables = scenario.all_bodies(), [cable.name for cable in scenario.cables]
    owners = {"machine": ("machine", "")}
    owners |= {cable: ("cable", cable) for cable in cables} | {body: ("body", body) for body in bodies}
    owners |= {f"joint.{body}": ("joint", body) for body in bodies}
    for prefix in sorted(owners, key=len, reverse=True):
        if name.startswith(f"{prefix}."):
            return owners[prefix], name[len(prefix) + 1 :]
    return None, ""


def observation_specs(scenario: Any, names: Sequence[str], labels: Sequence[str]) -> tuple[Spec, ...]:
    """Name and unit of every number; the labels of a measurement's numbers begin with its name."""
    units = measurement_units(scenario)

    def unit(label: str) -> str:
        owners = [name for name in names if label == name or label.startswith(f"{name}.")]
        return units[max(owners, key=len)]

    return tuple(Spec(label, unit(label)) for label in labels)
