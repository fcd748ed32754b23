"""From the controllers of a scenario to objects that are called at every sample."""

from collections.abc import Callable, Mapping
from typing import Any

from taut.build import build
from taut.control.cable_length import CableLength
from taut.control.computed_torque import ComputedTorque
from taut.control.energy import Energy
from taut.control.feedforward import Feedforward
from taut.control.lqr import Lqr
from taut.control.pid import Pid
from taut.control.python_function import PythonFunction, UserFunction, function_from
from taut.control.quadcopter import QuadcopterHold
from taut.model import Model
from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.scenario.reading import make_scenario
from taut.scenario.writing import to_plain

Law = Callable[[float, Mapping[str, Any]], dict[str, float]]

# a new kind is a record in ``scenario.controllers`` and a line here
BUILT_IN: dict[str, Callable[[Model, Any], Law]] = {
    "pid": lambda model, spec: Pid(model.scenario, spec),
    "feedforward": lambda model, spec: Feedforward(model.scenario, spec),
    "computed-torque": ComputedTorque,
    "lqr": Lqr,
    "energy": Energy,
    "quadcopter": lambda model, spec: QuadcopterHold(model.scenario, spec),
    "cable-length": CableLength,
}


def make_laws(model: Model, functions: Mapping[str, UserFunction]) -> dict[str, Law]:
    """Every controller of the model's scenario, by name.

    Raises:
        ScenarioError: a function without a controller, or a controller without its function.
    """
    specs = dict(model.scenario.controllers) if model.scenario is not None else {}
    for name in functions:
        if name not in specs or specs[name].kind != "python":
            known = [key for key, spec in specs.items() if spec.kind == "python"]
            remedy = suggest(name, known) or "give the scenario a controller of kind python with this name"
            raise ScenarioError([Problem("the scenario has no Python controller of this name", name, remedy=remedy)])
    return {name: make_law(model, name, spec, functions.get(name)) for name, spec in specs.items()}


def assumed_model(model: Model, name: str, spec: Any) -> Model:
    """The machine as a controller believes it to be: the same, unless it says what it assumes."""
    if not getattr(spec, "assumed", ()):
        return model
    scenario = model.scenario
    assert scenario is not None
    try:
        believed = build(make_scenario(to_plain(scenario), overrides=list(spec.assumed)))
    except ScenarioError as error:
        path = f"controllers.{name}.assumed"
        problems = [scenario.problem(path, f"{problem.path}: {problem.message}") for problem in error.problems]
        raise ScenarioError(problems) from None
    if believed.names.columns != model.names.columns:
        raise scenario.error(f"controllers.{name}.assumed", "must leave the machine its joints")
    return believed


def make_law(model: Model, name: str, spec: Any, function: UserFunction | None) -> Law:
    """One controller."""
    if spec.kind != "python":
        return BUILT_IN[spec.kind](assumed_model(model, name, spec), spec)
    if function is None and spec.code is None:
        remedy = f"name its file, or hand it in: taut.simulate(model, controllers={{{name!r}: function}})"
        raise model.scenario.error(f"controllers.{name}", "its Python function is missing", remedy=remedy)
    outputs = spec.outputs() if spec.outputs() is not None else tuple(model.scenario.commands())
    return PythonFunction(name, function or function_from(name, spec.code, spec.function), outputs)
