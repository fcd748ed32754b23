"""How the scenario of a run is made from the base: what a worker needs of a study."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.io.overrides import put
from taut.scenario.io.reading import make_scenario
from taut.scenario.io.source import Path as Steps
from taut.scenario.io.source import Source, split_path
from taut.scenario.scenario import Scenario


@dataclass(frozen=True)
class Recipe:
    """The base scenario, and where the values of a run go."""

    data: Any = field(repr=False)  # mapping of the scenario, before defaults are merged
    places: dict[str, tuple[Steps, ...]]  # entries of the scenario that each key of the study sets
    varied: tuple[str, ...]  # keys that differ between runs, for messages
    source: Source = field(default_factory=Source, repr=False)  # where the study was read from, for messages
    base_source: Source = field(default_factory=Source, repr=False)

    def scenario(self, values: Mapping[str, Any]) -> Scenario:
        """The scenario with these values.

        Raises:
            ScenarioError: the values, or the base itself, are refused; the text names them.
        """
        data = copy.deepcopy(self.data)
        source = replace(self.base_source, overrides=set(), origins={})
        origin: dict[Steps, str] = {}
        try:
            for key, value in values.items():
                for steps in self.places.get(key, (split_path(key),)):
                    path = put(data, steps, copy.deepcopy(value), f"{key}={value}")
                    source.overrides.add(path)
                    origin[path] = key
            return make_scenario(data, source)
        except ScenarioError as error:
            raise ScenarioError([self._explained(problem, origin, values) for problem in error.problems]) from None

    def explained(self, error: ScenarioError, values: Mapping[str, Any]) -> ScenarioError:
        """An error of the run with these values, naming the lines of the study."""
        origin = {steps: key for key in values for steps in self.places.get(key, (split_path(key),))}
        return ScenarioError([self._explained(problem, origin, values) for problem in error.problems])

    def _explained(self, problem: Problem, origin: dict[Steps, str], values: Mapping[str, Any]) -> Problem:
        """A problem with the values of the run; of a key that the study sets, also with the line of the study."""
        varied = [f"{name} = {short(value)}" for name, value in values.items() if name in self.varied]
        corner = f" (where {', '.join(varied)})" if varied else ""
        text = problem.message if problem.message.endswith(corner) else problem.message + corner
        if problem.source != "--set":
            return replace(problem, message=text)
        steps = split_path(problem.path)
        key = next((own for path, own in origin.items() if steps[: len(path)] == path), problem.path.partition("=")[0])
        file, line = self.source.where(("vary", key))
        value = values.get(key, problem.value)
        return replace(problem, message=text, path=f"vary.{key}", value=value, source=file, line=line)


def short(value: Any) -> str:
    """A value shortened for a message."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
