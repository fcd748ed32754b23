"""What a run is asked for: the scenario's settings, and the changes made in the call."""

from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from taut.build import build
from taut.model import Model
from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.run import LEAST_TOLERANCE, MOST_TOLERANCE

NUMBERS = ("duration", "save_every", "tolerance")


@dataclass(frozen=True)
class RunSettings:
    """Settings of one run."""

    duration: float = 1.0  # [s]
    save_every: float = 0.01  # [s]
    tolerance: float = 1e-6
    integrator: str = "radau"

    def save_times(self) -> np.ndarray:
        """Times of the samples after the start [s]; the end is always one of them."""
        count = int(np.floor(self.duration / self.save_every * (1 + 1e-12)))
        times = np.arange(1, count + 1) * self.save_every
        if count == 0 or times[-1] < self.duration * (1 - 1e-12):
            return np.append(times, self.duration)
        times[-1] = self.duration
        return times


def run_settings(model: Model, changes: dict[str, Any]) -> RunSettings:
    """The scenario's settings with the changes asked for; None changes nothing.

    Raises:
        ScenarioError: a setting that no run can have, with what is allowed.
    """
    said = model.scenario.run if model.scenario is not None else None
    known = RunSettings.__dataclass_fields__
    usual = RunSettings(**{key: getattr(said, key) for key in known if hasattr(said, key)})
    for key in changes:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            raise ScenarioError([Problem("is no setting of a run", key, remedy=hint)])
    asked = replace(usual, **{key: value for key, value in changes.items() if value is not None})
    for key in NUMBERS:
        value = getattr(asked, key)
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
            raise _error(key, value, "must be a positive finite number")
    if not LEAST_TOLERANCE <= asked.tolerance <= MOST_TOLERANCE:
        raise _error("tolerance", asked.tolerance, f"must be from {LEAST_TOLERANCE:g} to {MOST_TOLERANCE:g}")
    return replace(asked, **{key: float(getattr(asked, key)) for key in NUMBERS})


def check_integrator(name: str, known: list[str]) -> None:
    """Refuse a method that there is not."""
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(known)}"
        raise _error("integrator", name, "is no method of integration", hint)


def model_for(model: Model, settings: RunSettings) -> Model:
    """The model whose scenario says these settings, so that a result runs again as it ran; built again if need be."""
    scenario = model.scenario
    if scenario is None:
        return model
    changes = {key: value for key, value in asdict(settings).items() if hasattr(scenario.run, key)}
    if all(getattr(scenario.run, key) == value for key, value in changes.items()):
        return model
    asked = scenario.model_copy(update={"run": scenario.run.model_copy(update=changes)})
    # signals are tables up to the end of the run
    return build(asked) if settings.duration != scenario.run.duration else replace(model, scenario=asked)


def _error(key: str, value: Any, message: str, remedy: str = "") -> ScenarioError:
    return ScenarioError([Problem(message, f"run.{key}", value, remedy)])
