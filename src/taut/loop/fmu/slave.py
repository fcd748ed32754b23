"""What an FMU does in both versions of FMI: a plant whose commands and observations are the FMU's variables."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from taut.integrate.stepper import StepError
from taut.loop.plant import Plant
from taut.scenario import load
from taut.scenario.errors import ScenarioError

# noise at instants that are no multiples of the period: numbers of its samples from here on, and their resolution [s]
BETWEEN, INSTANT = 2**32, 1e-9
SAME = 1e-9  # a communication point counts as a multiple of the period if it is off by at most this share of it


class Machine:
    """The plant of one FMU instance."""

    def __init__(self, folder: str | Path) -> None:
        """Read scenario and settings beside the FMU's script."""
        folder = Path(folder)
        self.settings = json.loads((folder / "machine.json").read_text(encoding="utf-8"))
        options = {key: self.settings[key] for key in ("observations", "commands", "period", "noise")}
        self.plant = Plant(load(folder / "scenario.yaml"), **options, **self.settings["run"])
        specs = self.plant.scenario.commands()
        self.commands = {name: specs[name].initial if specs[name].acts in ("value", "ramp") else 0.0
                         for name in self.plant.commands}  # fmt: skip
        self.parameters: dict[str, float] = dict(self.settings["parameters"])
        self._given = dict(self.parameters)
        self.seen: list[float] = self.plant.observe().tolist()

    def begin(self) -> None:
        """Build the machine with its parameters, if they have changed."""
        changes = {key: value for key, value in self.parameters.items() if value != self._given[key]}
        self.seen = self.plant.reset(changes=changes).tolist()

    def step(self, time: float, step: float) -> str:
        """Go on from a communication point to the next [s]; returns what went wrong."""
        plant, end = self.plant, time + step
        count = round(end / plant.period)
        if abs(end - count * plant.period) < SAME * plant.period:
            end = count * plant.period
        else:
            # between two periods noise is that of the instant, not of a period
            count = BETWEEN + round(end / INSTANT)
        # commands ramp, and are limited in rate, over the step that the importing tool takes
        period = plant.period if abs(step - plant.period) < SAME * plant.period else step
        try:
            for name, value in self.commands.items():
                plant.stepper.set(name, value, period=period)
            plant.stepper.advance_to(end)
        except (StepError, ScenarioError) as error:
            return str(error)
        plant._count = count
        self.seen = plant.observe().tolist()
        return ""

    def keep(self) -> dict[str, Any]:
        """The plant's present state, to be restored later."""
        return {"snapshot": self.plant.snapshot(), "commands": dict(self.commands), "parameters": dict(self.parameters)}

    def restore(self, kept: dict[str, Any]) -> None:
        """Set the plant back to a saved state."""
        self.commands, self.parameters = dict(kept["commands"]), dict(kept["parameters"])
        self.seen = self.plant.restore(kept["snapshot"]).tolist()


def variables(machine: Machine) -> Sequence[tuple[str, str, str, float, Any, Any]]:
    """Name, causality, unit, start value, getter and setter of every variable."""
    found = []
    for spec in machine.plant.command_specs:
        found.append((spec.name, "input", spec.unit, machine.commands[spec.name],
                      *_entry(lambda: machine.commands, spec.name)))  # fmt: skip
    for k, spec in enumerate(machine.plant.observation_specs):
        found.append((spec.name, "output", spec.unit, machine.seen[k], lambda k=k: machine.seen[k], None))
    for key, value in machine.parameters.items():
        found.append((key, "parameter", "", value, *_entry(lambda: machine.parameters, key)))
    return found


def _entry(table: Any, name: str) -> tuple[Any, Any]:
    """Getter and setter of an entry."""

    def put(value: float) -> None:
        table()[name] = float(value)

    return lambda: table()[name], put
