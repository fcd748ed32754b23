"""What a run is asked for: the scenario's settings, and the changes made in the call."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from operator import attrgetter
from typing import Any, Literal, TypedDict

import numpy as np
from pydantic import BaseModel, ValidationError

from taut.build.again import with_run
from taut.integrate.methods import Methods
from taut.model import Model
from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.io.source import Source
from taut.scenario.io.translate import problems_from
from taut.scenario.records.run import (
    LEAST_TOLERANCE,
    MOST_TOLERANCE,
    Explicit,
    GeneralizedAlpha,
    MoreauJean,
    NonsmoothAlpha,
    Run,
)

NUMBERS = ("duration", "save_every", "tolerance", "error_growth")
ALL_INTEGRATORS = Methods({
    "radau": "taut.integrate.radau.method:Radau",
    "generalized-alpha": "taut.integrate.alpha.method:GeneralizedAlpha",
    "explicit": "taut.integrate.explicit.method:Explicit",
    "nonsmooth-alpha": "taut.integrate.nonsmooth.alpha_method:NonsmoothAlpha",
    "moreau-jean": "taut.integrate.nonsmooth.moreau_jean:MoreauJean",
})  # fmt: skip
# key of a run's settings -> method, for methods that have settings of their own
RECORDS = {key: name for name in ALL_INTEGRATORS if (key := name.replace("-", "_")) in Run.model_fields}
NONSMOOTH = ("nonsmooth-alpha", "moreau-jean")  # methods for non-smooth runs; the first is the default
MOST_STEPS = 1e8  # most steps of a run with a fixed step; a larger number is taken for a typing error


class Settings(TypedDict, total=False):
    """What a call may change of a run; what is left out, or None, is as the scenario says."""

    duration: float | None  # end time [s]
    save_every: float | None  # interval between saved samples [s]
    tolerance: float | None  # allowed error of any point of any body, relative to the size of the machine
    error_growth: float | None  # factor by which the motion amplifies an early error
    integrator: Literal["radau", "generalized-alpha", "explicit", "nonsmooth-alpha", "moreau-jean"] | str | None
    # smooth: slack and contact are located as events; nonsmooth: passed inside steps
    unilateral: Literal["smooth", "nonsmooth"] | str | None
    step: float | None  # fixed step [s], for all methods but radau
    largest_step: float | None  # largest step [s]
    # settings of generalized-alpha; below: those of the other methods
    generalized_alpha: GeneralizedAlpha | dict[str, Any] | None
    explicit: Explicit | dict[str, Any] | None
    nonsmooth_alpha: NonsmoothAlpha | dict[str, Any] | None
    moreau_jean: MoreauJean | dict[str, Any] | None


@dataclass(frozen=True)
class RunSettings:
    """Settings of one run."""

    duration: float = 1.0  # end time [s]
    save_every: float = 0.01  # interval between saved samples [s]
    tolerance: float = 1e-6
    integrator: str = "radau"
    unilateral: str = "smooth"
    step: float | None = None  # fixed step [s]; None: chosen by the method
    largest_step: float | None = None  # largest step [s]
    generalized_alpha: GeneralizedAlpha = GeneralizedAlpha()
    explicit: Explicit = Explicit()
    nonsmooth_alpha: NonsmoothAlpha = NonsmoothAlpha()
    moreau_jean: MoreauJean = MoreauJean()
    error_growth: float = 1.0  # factor by which the motion amplifies an early error

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain data for JSON."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {key: value.model_dump() if isinstance(value, BaseModel) else value for key, value in found.items()}

    def method_options(self) -> dict[str, Any]:
        """Keyword arguments of the chosen method beside model, state and tolerance."""
        found: dict[str, Any] = {"largest_step": self.largest_step or np.inf}
        if ALL_INTEGRATORS.takes_fixed_step(self.integrator):
            found["step"] = self.step
        own = [getattr(self, key).model_dump() for key, name in RECORDS.items() if name == self.integrator]
        return found | (own[0] if own else {})

    def save_times(self) -> np.ndarray:
        """Times of the samples after the start [s]; the end is always one of them."""
        count = int(np.floor(self.duration / self.save_every * (1 + 1e-12)))
        times = np.arange(1, count + 1) * self.save_every
        if count == 0 or times[-1] < self.duration * (1 - 1e-12):
            return np.append(times, self.duration)
        times[-1] = self.duration
        return times


def run_settings(model: Model, changes: Mapping[str, Any]) -> RunSettings:
    """The scenario's settings with the changes asked for; None changes nothing.

    Raises:
        ScenarioError: a setting that no run can have, with what is allowed.
    """
    said = model.plan.run
    known = RunSettings.__dataclass_fields__
    usual = RunSettings(**{key: getattr(said, key) for key in known if hasattr(said, key)})
    # a misspelt key would otherwise silently change nothing
    for key in changes:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            raise ScenarioError([Problem("is no setting of a run", key, remedy=hint)])
    wanted = {key: value for key, value in changes.items() if value is not None}
    # a method's own settings may be changed in part: merge them into the record
    wanted |= {key: _changed(usual, key, wanted[key]) for key in RECORDS if key in wanted}
    asked = replace(usual, **wanted)
    numbers = (*NUMBERS, *(key for key in ("step", "largest_step") if getattr(asked, key) is not None))
    for key in numbers:
        value = getattr(asked, key)
        # bool is refused explicitly, because it is an int in Python
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
            raise _error(key, value, "must be a positive finite number")
    if asked.error_growth < 1.0:
        raise _error("error_growth", asked.error_growth, "must be 1 or more")
    if not LEAST_TOLERANCE <= asked.tolerance <= MOST_TOLERANCE:
        raise _error("tolerance", asked.tolerance, f"must be from {LEAST_TOLERANCE:g} to {MOST_TOLERANCE:g}")
    return replace(asked, integrator=_chosen(asked), **{key: float(getattr(asked, key)) for key in numbers})


def _chosen(asked: RunSettings) -> str:
    """The method: as named, or the default non-smooth one if slack and contact are not to be located."""
    if asked.unilateral not in ("smooth", "nonsmooth"):
        raise _error("unilateral", asked.unilateral, "must be smooth or nonsmooth")
    is_other = asked.unilateral == "nonsmooth" and asked.integrator not in NONSMOOTH
    return NONSMOOTH[0] if is_other else asked.integrator


def _changed(usual: RunSettings, key: str, change: Any) -> BaseModel:
    """A method's settings with some of them changed."""
    before = getattr(usual, key)
    if isinstance(change, type(before)):
        return change
    if not isinstance(change, dict):
        raise _error(key, change, "must be a mapping of settings", f"known: {', '.join(type(before).model_fields)}")
    data = {**before.model_dump(), **change}
    try:
        return type(before).model_validate(data)
    except ValidationError as error:
        found = problems_from(error.errors(), type(before), data, Source())
        raise ScenarioError([replace(problem, path=f"run.{key}.{problem.path}") for problem in found]) from None


def check_method(model: Model, settings: RunSettings, known: list[str]) -> None:
    """Refuse an unknown method, and settings that it does not accept."""
    check_integrator(settings.integrator, known)
    step = settings.step
    if step is not None and not ALL_INTEGRATORS.takes_fixed_step(settings.integrator):
        remedy = f"leave run.step out, or choose {' or '.join(ALL_INTEGRATORS.with_fixed_step())}"
        raise _said(model, settings, "step", f"{settings.integrator} chooses its steps by the tolerance", remedy)
    if step is not None and settings.duration / step > MOST_STEPS:
        raise _said(model, settings, "step", f"too small: {settings.duration / step:.0e} steps")
    is_real_time = settings.integrator == "generalized-alpha" and settings.generalized_alpha.real_time
    if is_real_time and step is None:
        raise _said(model, settings, "generalized_alpha.real_time", "needs a fixed step", "set run.step [s]")


def _said(model: Model, settings: RunSettings, key: str, message: str, remedy: str = "") -> ScenarioError:
    """The error of one setting, with file and line if the scenario says it."""
    value, plan = attrgetter(key)(settings), model.plan
    if attrgetter(key)(plan.run) == value:
        return plan.error(f"run.{key}", message, value=value, remedy=remedy)
    return _error(key, value, message, remedy)


def check_integrator(name: str, known: list[str]) -> None:
    """Refuse an unknown method."""
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(known)}"
        raise _error("integrator", name, "is no method of integration", hint)


def model_for(model: Model, settings: RunSettings) -> Model:
    """The model with these settings in its scenario, so that a result can be run again."""
    return with_run(model, {field.name: getattr(settings, field.name) for field in fields(settings)})


def _error(key: str, value: Any, message: str, remedy: str = "") -> ScenarioError:
    return ScenarioError([Problem(message, f"run.{key}", value, remedy)])
