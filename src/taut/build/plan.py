"""Settings of a run besides the machine: start, events, measurements, commands and controllers.

A model with its plan is complete: a run needs no scenario besides.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from taut.build.machine.equipment import equipment_of
from taut.scenario.errors import NO_VALUE, Problem, ScenarioError
from taut.scenario.given import Given, find_given
from taut.scenario.io.source import Source, join_path, split_path
from taut.scenario.records.run import Initial, Run
from taut.scenario.signals.curves import curve_of


@dataclass(frozen=True)
class Plan:
    """Records of a scenario that a run reads, and where they were written."""

    name: str = ""
    initial: Initial = Initial()
    run: Run = Run()
    given: Given = Given()  # start positions and velocities that the user has given
    events: tuple[Any, ...] = ()
    waiting: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # failures that wait for an event, by event
    # breaking load [N] and safety factor, by cable
    strengths: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    # smallest and largest tension allowed [N], by cable
    tension_limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    # place of the cut of each cable that may be cut, as a share of its length
    cuts: Mapping[str, float] = field(default_factory=dict)
    # drums are known by the name of a cable, with ".anchor" behind it for the drum at the cable's anchor
    # radius of a drum, by how much its coordinate changes for a radian [m], by drum
    drums: Mapping[str, float] = field(default_factory=dict)
    spools: Mapping[str, str] = field(default_factory=dict)  # name of the node of a drum, by drum
    gears: Mapping[str, float] = field(default_factory=dict)  # turns of the motor per turn of the drum, by cable
    # range of each joint: body, key, lowest and highest coordinate
    ranges: tuple[tuple[str, str, float, float], ...] = ()
    # key path of the record that a closure belongs to, by closure
    closure_keys: Mapping[str, str] = field(default_factory=dict)
    signals: Mapping[str, Any] = field(default_factory=dict)  # named signals, as they are written in the scenario
    commands: Mapping[str, Any] = field(default_factory=dict)
    measurements: Mapping[str, Any] = field(default_factory=dict)
    controllers: Mapping[str, Any] = field(default_factory=dict)
    # data of the hardware that a controller commands, by controller
    equipment: Mapping[str, Any] = field(default_factory=dict)
    # model of the machine that a controller assumes, by controller
    believed: Mapping[str, Any] = field(default_factory=dict)
    said: Any = field(default=None, repr=False, compare=False)  # the scenario itself
    source: Source = field(default_factory=Source)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about what is allowed but looks odd; searched for at the first access."""
        return tuple(self.said.warnings()) if self.said is not None else ()

    def curve(self, signal: Any) -> Any:
        """The curve of a signal as it stands in a record: ``evaluate(t)``."""
        return curve_of(signal, self.signals)

    def problem(self, key: str, message: str, *, value: Any = NO_VALUE, remedy: str = "") -> Problem:
        """A problem at a key path, with the file and line it came from."""
        source, line = self.source.where(key)
        return Problem(message, join_path(self.source.original(split_path(key))), value, remedy, source, line)

    def error(self, key: str, message: str, *, value: Any = NO_VALUE, remedy: str = "") -> ScenarioError:
        """An exception for one problem at a key path, ready to raise."""
        return ScenarioError([self.problem(key, message, value=value, remedy=remedy)])


def plan_of(scenario: Any, lengths: Mapping[str, float], spools: Mapping[str, str]) -> Plan:
    """The plan of a scenario, whose cables have these unstrained lengths at the start [m] and nodes of drums."""
    if scenario is None:
        return Plan()
    ranges = [(name, f"{scenario.body_path(name)}.joint.range", *body.joint.range)
              for name, body in scenario.all_bodies().items() if body.joint.range is not None]  # fmt: skip
    waiting: dict[str, tuple[str, ...]] = {}
    for failure in scenario.all_failures():
        if failure.when is not None:
            # a rope that breaks is cut by the user's failure if there is one
            same = (own.name for own in scenario.failures if (own.kind, own.target) == (failure.kind, failure.target))
            waiting[failure.when] = (*waiting.get(failure.when, ()), next(same, failure.name))
    return Plan(
        name=scenario.name,
        initial=scenario.initial,
        run=scenario.run,
        given=find_given(scenario),
        events=scenario.all_events(),
        waiting=waiting,
        strengths=strengths(scenario),
        tension_limits={cable.name: cable.tension_limits for cable in scenario.cables if cable.tension_limits},
        cuts={
            failure.target: scenario.cut_place(failure.target)
            for failure in scenario.all_failures()
            if failure.kind == "cut"
        },
        drums={name: drum.radius for name, drum in drums(scenario).items()},
        spools=dict(spools),
        gears={name: drum.gearbox.ratio if drum.gearbox else 1.0 for name, drum in drums(scenario).items()},
        ranges=tuple(ranges),
        closure_keys=closure_keys(scenario),
        signals=dict(scenario.signals),
        commands=scenario.commands(),
        measurements=dict(scenario.measurements),
        controllers=dict(scenario.controllers),
        equipment=equipment_of(scenario, dict(lengths)),
        said=scenario,
        source=scenario.source,
    )


def strengths(scenario: Any) -> dict[str, tuple[float, float]]:
    """Breaking load [N] and safety factor of the cables of which the first is known."""
    return {cable.name: (cable.strength, cable.safety_factor) for cable in scenario.cables
            if getattr(cable, "strength", None) is not None}  # fmt: skip


def drums(scenario: Any) -> dict[str, Any]:
    """Drum of every cable that is wound on one, by the cable's name."""
    found = {cable.name: getattr(scenario.drivers.get(cable.winch or ""), "drum", None) for cable in scenario.cables}
    found |= {f"{cable.name}.anchor": getattr(scenario.drivers.get(cable.anchor_winch or ""), "drum", None)
              for cable in scenario.cables if hasattr(cable, "anchor_winch")}  # fmt: skip
    return {name: drum for name, drum in found.items() if drum is not None}


def closure_keys(scenario: Any) -> dict[str, str]:
    """Key paths of closures and cables by name; a closure's own name may go on after a dot."""
    keys = {record.name: f"cables[{i}]" for i, record in enumerate(scenario.cables)}
    return keys | {record.name: f"closures[{i}]" for i, record in enumerate(scenario.closures)}
