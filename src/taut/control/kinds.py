"""From the controllers of a scenario to objects that are called at every sample."""

from collections.abc import Callable, Mapping
from typing import Any

from taut.control.computed_torque import ComputedTorque
from taut.control.drum_servo import DrumServo
from taut.control.energy import Energy
from taut.control.feedforward import Feedforward
from taut.control.leading.cable_length import CableLength
from taut.control.leading.cable_tension import CableTension
from taut.control.leading.straight_lengths import StraightLengths, is_straight
from taut.control.lqr import Lqr
from taut.control.pid import Pid
from taut.control.python_function import PythonFunction, UserFunction, function_from
from taut.control.quadcopter import QuadcopterHold
from taut.model import Model
from taut.scenario.errors import Problem, ScenarioError, suggest

Control = Callable[[float, Mapping[str, Any]], dict[str, float]]

# controllers by kind, from (model that the controller believes in, name, record). A new kind takes a record in
# ``scenario.control.controllers``, a check of the measurements it names in ``scenario.checks.control``, and a line here
BUILT_IN: dict[str, Callable[[Model, str, Any], Control]] = {
    "pid": lambda model, _, spec: Pid(model.plan, spec),
    "drum": lambda model, _, spec: DrumServo(model.plan, spec),
    "feedforward": lambda model, _, spec: Feedforward(model.plan, spec),
    "computed-torque": lambda model, _, spec: ComputedTorque(model, spec),
    "lqr": lambda model, _, spec: Lqr(model, spec),
    "energy": lambda model, _, spec: Energy(model, spec),
    "quadcopter": QuadcopterHold,
    "cable-length": lambda model, name, spec: lengths_by(model, name, spec)(model, name, spec),
    "cable-tension": CableTension,
}


def make_controllers(model: Model, functions: Mapping[str, UserFunction]) -> dict[str, Control]:
    """Every controller of the model, by name.

    Raises:
        ScenarioError: a function without a controller, or a controller without its function.
    """
    specs = model.plan.controllers
    for name in functions:
        if name not in specs or specs[name].kind != "python":
            known = [key for key, spec in specs.items() if spec.kind == "python"]
            remedy = suggest(name, known) or "give the scenario a controller of kind python with this name"
            raise ScenarioError([Problem("the scenario has no Python controller of this name", name, remedy=remedy)])
    return {name: make_controller(model, name, spec, functions.get(name)) for name, spec in specs.items()}


def make_controller(model: Model, name: str, spec: Any, function: UserFunction | None) -> Control:
    """One controller."""
    if spec.kind != "python":
        return BUILT_IN[spec.kind](model.plan.believed.get(name, model), name, spec)
    if function is None and spec.code is None:
        remedy = f"name its file, or hand it in: taut.simulate(model, controllers={{{name!r}: function}})"
        raise model.plan.error(f"controllers.{name}", "its Python function is missing", remedy=remedy)
    outputs = spec.outputs() if spec.outputs() is not None else tuple(model.plan.commands)
    return PythonFunction(name, function or function_from(name, spec.code, spec.function), outputs)


def lengths_by(model: Model, name: str, spec: Any) -> type[StraightLengths] | type[CableLength]:
    """What computes the commands of winches: compiled code for straight cables from points, else Python for any."""
    return StraightLengths if is_straight(model, name, spec) else CableLength
