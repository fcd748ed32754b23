"""The machine of a run, made of that of another run of the study: only the numbers that differ are exchanged.

A worker builds the first machine of a study once. Where all that varies is numbers of bodies, of cables or of the run,
the machines of other runs are that model with other numbers (``build.numbers``); everything else is built anew. That
both are the same is tried at the first run of every worker: scenario and tables must be equal.
"""

from collections.abc import Mapping
from typing import Any

from taut.build import build
from taut.build.numbers import is_same, parts_of, with_numbers
from taut.model import Model
from taut.scenario.errors import ScenarioError
from taut.scenario.io.source import join_path, split_path
from taut.scenario.scenario import Scenario
from taut.studies.recipe import Recipe

SETTINGS = "run"  # group of the scenario with settings of the run, on which no part of the machine depends


class Ready:
    """A built machine of a study, and what is known of those made of it."""

    def __init__(self, recipe: Recipe, values: Mapping[str, Any]) -> None:
        """Build the machine of a run.

        Raises:
            ScenarioError: the values are refused.
        """
        self.recipe, self.values = recipe, dict(values)
        self.model = build(recipe.scenario(values))
        # whether changing numbers in a built machine gives the same as building anew; None: not tried yet
        self.is_exchanged: bool | None = None

    def machine(self, values: Mapping[str, Any]) -> Model:
        """The machine of another run.

        Raises:
            ScenarioError: the values are refused.
        """
        if values == self.values:
            return self.model
        changes = self._changes(values)
        if changes is None or self.is_exchanged is False:
            return build(self.recipe.scenario(values))
        try:
            found = with_numbers(self.model, changes, structure="any")
        except ScenarioError:
            # build anew for the error message, which then has the line of the study and the values of the run
            return build(self.recipe.scenario(values))
        if self.is_exchanged is None:
            anew = build(self.recipe.scenario(values))
            self.is_exchanged = found.scenario == anew.scenario and is_same(found, anew)
            return anew
        return found

    def _changes(self, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """The numbers that may differ, by address; None if something else differs too."""
        if set(values) != set(self.values):
            return None
        # always pass the same addresses, so that the parts that depend on them are looked up once
        keys = [key for key in values if key in self.recipe.varied or values[key] != self.values[key]]
        changes = {join_path(steps): values[key] for key in keys
                   for steps in self.recipe.places.get(key, (split_path(key),))}  # fmt: skip
        machine = [address for address in changes if split_path(address)[0] != SETTINGS]
        return changes if not machine or self._is_covered(machine) else None

    def _is_covered(self, addresses: list[str]) -> bool:
        """Whether tables can be changed for these numbers: each stands in the file and acts on known parts alone."""
        scenario = self.model.scenario
        # a `robot` record is expanded to cables, whose numbers are not written in the file
        return isinstance(scenario, Scenario) and scenario.robot is None and parts_of(self.model, addresses) is not None


_LAST: dict[str, Ready] = {}  # machine of the study that this process computed last, by digest


def machine_of(digest: str, recipe: Recipe, values: Mapping[str, Any]) -> Model:
    """The machine of a run; ``digest`` identifies the study.

    Raises:
        ScenarioError: the values are refused.
    """
    ready = _LAST.get(digest)
    if ready is None:
        ready = Ready(recipe, values)
        _LAST.clear()
        _LAST[digest] = ready
    return ready.machine(values)
