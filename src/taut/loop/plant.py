"""A machine under somebody else's control: commands in, observations out, at a fixed period.

On ``Stepper``: commands are set at t = k period and held until the next, so that a plant moves exactly as ``simulate``
does with a controller of that period. Controllers of the scenario that set the plant's commands are left out.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from taut.build import build
from taut.control.measuring.measure import Measurements
from taut.integrate.state import State
from taut.integrate.stepper import Stepper
from taut.loop.changes import Draw, changed_model, check_ranges, drawn
from taut.loop.given import is_number, mapping, numbers, positive_time, whole
from taut.loop.specs import command_specs, find_commands, find_observations, observation_specs, refuse
from taut.model import Model
from taut.model.commands import RATE, SINCE
from taut.scenario.control.measurements import REMEMBERING
from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.scenario import Scenario

NOT_FINITE = "a command must be a finite number"


@dataclass(frozen=True)
class Snapshot:
    """Where a plant stands: it can be kept, pickled, and restored by this plant or another of the same scenario."""

    state: State
    count: int  # number of periods since the start
    changes: dict[str, Any]  # numbers of the machine that differ from the scenario's
    seed: int | None  # seed of the measurement noise


class Plant:
    """A machine that is commanded and observed at a fixed period.

    Args:
        source: a scenario, a file, the name of a library scenario, or a model.
        period: time between commands [s].
        observations: names in their order, see ``taut.loop.specs``; None for the measurements of the scenario.
        commands: names in their order; None for all commands of the scenario.
        randomise: keys of the scenario with ranges that are drawn from at every reset with a seed.
        noise: whether observations have the noise, bias and resolution of their sensors.
        settings: those of a run: ``integrator``, ``step``, ``tolerance``, ...; else as the scenario says.
    """

    def __init__(  # noqa: PLR0913 (keywords)
        self,
        source: Any,
        *,
        period: float = 0.01,
        observations: Sequence[str] | None = None,
        commands: Sequence[str] | None = None,
        randomise: Mapping[str, Draw] | None = None,
        noise: bool = False,
        **settings: Any,
    ) -> None:
        """Build the machine and stand at its start."""
        self.period, self._randomise = positive_time(period, "period"), mapping(randomise or {}, "randomise")
        check_ranges(self._randomise)
        self.noise, self._settings = noise, settings
        self.scenario = without_controllers(scenario_of(source), commands)
        self.commands = find_commands(self.scenario, commands)
        self.observations = find_observations(self.scenario, observations)
        if noise:
            check_sensors(self.observations)
        self.command_specs = command_specs(self.scenario, self.commands)
        self.changes: dict[str, Any] = {}
        self._seed: int | None = None
        self._made: dict[str, Any] = {}  # changes with which the present machine was built
        self._model = build(self.scenario)
        self._take_model(self._model)
        seen = self.scenario.model_copy(update={"measurements": self.observations})
        self.observation_specs = observation_specs(seen, list(self.observations), self._measurements.names)

    def twin(self) -> "Plant":
        """Another plant of the same machine, at its start; the model is shared, not built again."""
        other = copy(self)
        other.changes, other._made = {}, {}
        other._take_model(self._model)
        return other

    def _take_model(self, model: Model) -> None:
        """A stepper of a model, at its start."""
        self.stepper = Stepper(model, **self._settings)
        self._start = self.stepper.state
        self._count = 0
        specs = self.stepper._moving.controls.specs
        self._ramps = tuple(name for name in self.commands if specs[name].acts == "ramp")
        self._measurements = Measurements(self._seeing(), self.stepper._moving.data)

    def _seeing(self) -> Model:
        """The model, with this plant's observations as its measurements."""
        model = self.stepper.model
        return replace(model, plan=replace(model.plan, measurements=self.observations))

    @property
    def time(self) -> float:
        """Present time of the motion [s]."""
        return self.stepper.time

    @property
    def is_random(self) -> bool:
        """Whether a seed changes anything."""
        return self.noise or bool(self._randomise)

    def reset(self, *, seed: int | None = None, changes: Mapping[str, Any] | None = None) -> np.ndarray:
        """Back to the start; returns the first observations.

        Args:
            seed: of the noise and of what is randomised; None keeps the last machine.
            changes: numbers of this episode by key, such as {"bodies.load.mass": 60}; they win over what is drawn.
        """
        asked = dict(self.changes)
        if seed is not None:
            asked = drawn(self._randomise, np.random.default_rng(whole(seed, "seed")))
        self._build({**asked, **mapping(changes or {}, "changes")})
        self._seed = self._seed if seed is None else int(seed)
        self.stepper.reset(self._start)
        self._count = 0
        return self.observe()

    def _build(self, changes: dict[str, Any]) -> None:
        """The machine with the changes of an episode, unless it is at hand; one that is refused leaves all as it is."""
        if changes != self._made:
            self._take_model(changed_model(self._model, changes) if changes else self._model)
            self._made = dict(changes)
        self.changes = dict(changes)

    def command(self, values: Any) -> None:
        """Let commands act from now on: an array in the order of ``commands``, or a mapping of some of them."""
        given = self._given(values) if isinstance(values, Mapping) else self._listed(values)
        for name, value in given:
            self.stepper.set(name, value, period=self.period)

    def _given(self, values: Mapping[str, Any]) -> list[tuple[str, float]]:
        """Commands by name, all checked before the first is set."""
        for name, value in values.items():
            if name not in self.commands:
                raise refuse("is no command of this plant", str(name), self.commands)
            if not is_number(value):
                raise ScenarioError([Problem(NOT_FINITE, name, value=value)])
        return list(values.items())

    def _listed(self, values: Any) -> list[tuple[str, float]]:
        """All commands in their order."""
        found = numbers(values, "commands", (len(self.commands),), "their order is that of plant.commands")
        if not np.isfinite(found).all():
            k = int(np.argmin(np.isfinite(found)))
            raise ScenarioError([Problem(NOT_FINITE, self.commands[k], value=float(found[k]))])
        return list(zip(self.commands, found.tolist(), strict=True))

    def step(self, values: Any = None) -> np.ndarray:
        """Set commands, go on for one period, and return the observations there; those not given stay as they are.

        Raises:
            ScenarioError: a command that does not exist or is no finite number, or an array of another shape.
            StepError: the motion cannot go on.
        """
        if values is not None:
            self.command(values)
        self._end_ramps()
        self._count += 1
        self.stepper.advance_to(self._count * self.period)
        return self.observe()

    def _end_ramps(self) -> None:
        """Let commands that ramp stay where they were to be after the last period, until they are commanded anew."""
        controls = self.stepper._moving.controls
        for name in self._ramps:
            since, rate = controls.rows[name][SINCE], controls.rows[name][RATE]
            if rate != 0.0 and since < self.time:
                self.stepper.set(name, controls.asked[name], period=self.period)

    def observe(self, out: np.ndarray | None = None) -> np.ndarray:
        """All observations now, in the order of ``observation_specs``; into ``out`` if it is given."""
        method, see = self.stepper._moving.method, self._measurements
        see.model = self.stepper.model  # the stepper's model may have signals that reach further than at the start
        state = method.state() if see.needs_forces else method.placed()
        if self.noise:
            see.seed = self._seed if self._seed is not None else self.stepper.model.plan.run.seed
        values = see.take(state, self._count) if self.noise else see.exact(state)
        if out is None:
            return values
        if not isinstance(out, np.ndarray) or out.shape != values.shape:
            message = f"must be an array of shape {values.shape}, not {getattr(out, 'shape', type(out).__name__)}"
            raise ScenarioError([Problem(message, "out")])
        out[...] = values
        return out

    def snapshot(self) -> Snapshot:
        """Present state of the plant, as a value that can be kept."""
        return Snapshot(self.stepper.state, self._count, dict(self.changes), self._seed)

    def restore(self, snapshot: Snapshot) -> np.ndarray:
        """Go on from a snapshot; returns the observations there."""
        if not isinstance(snapshot, Snapshot):
            raise ScenarioError([Problem("must be what plant.snapshot() gave", "snapshot", value=snapshot)])
        self._build(snapshot.changes)
        self._seed = snapshot.seed
        self.stepper.reset(snapshot.state)
        self._count = snapshot.count
        return self.observe()


def scenario_of(source: Any) -> Any:
    """The scenario of what a plant is made from."""
    if isinstance(source, str | Path):
        from taut.library.loading import load

        return load(source)
    scenario = source.scenario if isinstance(source, Model) else source
    if scenario is None:
        raise ScenarioError([Problem("a model without a scenario has no commands", remedy="use taut.Stepper")])
    if not isinstance(scenario, Scenario):
        message = "must be a scenario, a file, the name of a library scenario, or a model"
        raise ScenarioError([Problem(message, "source", value=source)])
    return scenario


def check_sensors(observations: Mapping[str, Any]) -> None:
    """Refuse sensors that remember: a plant is observed at single moments, in any order."""
    for name, spec in observations.items():
        for key in (key for key in REMEMBERING if getattr(spec, key)):
            message, remedy = "is for controllers of a scenario: a plant observes the moment", "leave it out, or noise"
            raise ScenarioError([Problem(message, f"{name}.{key}", value=getattr(spec, key), remedy=remedy)])


def without_controllers(scenario: Any, commands: Sequence[str] | None) -> Any:
    """The scenario less the controllers that set one of the commands; None: any command."""
    taken = set(scenario.commands() if commands is None else commands)
    kept = {name: spec for name, spec in scenario.controllers.items()
            if spec.outputs() is not None and not taken & set(spec.outputs())}  # fmt: skip
    return scenario if len(kept) == len(scenario.controllers) else scenario.model_copy(update={"controllers": kept})
