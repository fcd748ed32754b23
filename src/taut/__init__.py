"""taut: dynamics of machines that hang on cables.

Public names are imported on first use, so that ``import taut`` and the light commands stay quick.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taut import library, robots
    from taut.analyses.forward_dynamics import forward_dynamics
    from taut.analyses.inverse_dynamics import Actuation, inverse_dynamics
    from taut.analyses.inverse_result import inverse_motion
    from taut.analyses.modes import modes
    from taut.analyses.reduction import reduce
    from taut.analyses.statics import statics
    from taut.build.build import build
    from taut.build.numbers import with_numbers
    from taut.build.reduction.reduction import Reduction as Reduction
    from taut.build.reduction.reduction import load_reduction as load_reduction
    from taut.integrate.batch.batch import simulate_batch
    from taut.integrate.describe import describe
    from taut.integrate.simulate import simulate
    from taut.integrate.start.start_state import Start as Start
    from taut.integrate.start.start_state import start_state
    from taut.integrate.state import State as State
    from taut.integrate.stepper import StepError as StepError
    from taut.integrate.stepper import Stepper
    from taut.library.loading import load
    from taut.model import Data, Factor, Model, new_data, new_factor
    from taut.results.errors import ResultError
    from taut.results.result import Result, open_result
    from taut.scenario.builder import Machine
    from taut.scenario.errors import ScenarioError
    from taut.scenario.scenario import Scenario
    from taut.studies.store import open_study
    from taut.studies.study import study
    from taut.studies.sweep import sweep
    from taut.verify.cases import verify

__version__ = "0.2.0"

PLACES = {
    "Actuation": "taut.analyses.inverse_dynamics",
    "Data": "taut.model",
    "Factor": "taut.model",
    "Machine": "taut.scenario.builder",
    "Model": "taut.model",
    "Reduction": "taut.build.reduction.reduction",
    "Result": "taut.results.result",
    "ResultError": "taut.results.errors",
    "Scenario": "taut.scenario.scenario",
    "ScenarioError": "taut.scenario.errors",
    "Start": "taut.integrate.start.start_state",
    "State": "taut.integrate.state",
    "StepError": "taut.integrate.stepper",
    "Stepper": "taut.integrate.stepper",
    "build": "taut.build.build",
    "describe": "taut.integrate.describe",
    "forward_dynamics": "taut.analyses.forward_dynamics",
    "inverse_dynamics": "taut.analyses.inverse_dynamics",
    "inverse_motion": "taut.analyses.inverse_result",
    "load": "taut.library.loading",
    "load_reduction": "taut.build.reduction.reduction",
    "modes": "taut.analyses.modes",
    "new_data": "taut.model",
    "new_factor": "taut.model",
    "open_result": "taut.results.result",
    "open_study": "taut.studies.store",
    "reduce": "taut.analyses.reduction",
    "simulate": "taut.integrate.simulate",
    "simulate_batch": "taut.integrate.batch.batch",
    "start_state": "taut.integrate.start.start_state",
    "statics": "taut.analyses.statics",
    "study": "taut.studies.study",
    "sweep": "taut.studies.sweep",
    "verify": "taut.verify.cases",
    "with_numbers": "taut.build.numbers",
}

__all__ = [
    "Actuation",
    "Data",
    "Factor",
    "Machine",
    "Model",
    "Result",
    "ResultError",
    "Scenario",
    "ScenarioError",
    "StepError",
    "Stepper",
    "build",
    "describe",
    "forward_dynamics",
    "inverse_dynamics",
    "inverse_motion",
    "library",
    "load",
    "modes",
    "new_data",
    "new_factor",
    "open_result",
    "open_study",
    "reduce",
    "robots",
    "simulate",
    "simulate_batch",
    "start_state",
    "statics",
    "study",
    "sweep",
    "verify",
    "with_numbers",
]


class Package(ModuleType):
    """taut itself: importing a room does not hide the function of its name, as ``build`` and ``verify``."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in PLACES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = Package


def __getattr__(name: str) -> Any:
    if name in ("library", "robots"):
        return import_module(f"taut.{name}")
    if name in PLACES:
        value = getattr(import_module(PLACES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'taut' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
