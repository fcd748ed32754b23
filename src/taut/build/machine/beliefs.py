"""Machines as controllers take them for: some numbers of a scenario are other than the true ones (``assumed``)."""

from taut.scenario.errors import ScenarioError
from taut.scenario.io.reading import make_scenario
from taut.scenario.io.writing import to_plain
from taut.scenario.scenario import Scenario


def believed_scenarios(scenario: Scenario) -> dict[str, Scenario]:
    """The scenario that every controller with assumptions believes in, by the controller's name.

    Raises:
        ScenarioError: no machine can be as it is assumed.
    """
    assumed: dict[str, list[str]] = {}
    for name, spec in scenario.controllers.items():
        assumed[name] = list(getattr(spec, "assumed", ()))
    return {name: _believed(scenario, name, settings) for name, settings in assumed.items() if settings}


def _believed(scenario: Scenario, name: str, assumed: list[str]) -> Scenario:
    data = to_plain(scenario)
    for record in data["controllers"].values():
        record.pop("assumed", None)  # an assumed machine has no assumptions of its own: these belong to the controllers
    try:
        return make_scenario(data, overrides=assumed)
    except ScenarioError as error:
        key = f"controllers.{name}.assumed"
        problems = [scenario.problem(key, f"{problem.path}: {problem.message}") for problem in error.problems]
        raise ScenarioError(problems) from None
