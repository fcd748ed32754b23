"""A linear model of a machine: inputs are commands, outputs are measurements.

At rest it is made of the matrices of small motions (``rest``); elsewhere of differences of the full machine
(``differences``), and ``drift`` says how the machine moves there.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.analyses.statics import statics
from taut.build import build
from taut.loop.linear.inputs import find_inputs, standing, with_inputs
from taut.loop.linear.model import LinearModel
from taut.loop.linear.outputs import output_matrix
from taut.loop.linear.rest import reduce, state_space
from taut.loop.plant import scenario_of
from taut.loop.specs import find_observations, observation_specs, refuse
from taut.model import Data, Model

STUCK = "friction holds {} at rest: it does not move in this model (set its coulomb friction and stiction to zero)"


def linearize(
    source: Any,
    *,
    at: str | float = "rest",
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    period: float | None = None,
) -> LinearModel:
    """Linearise a machine.

    Args:
        source: a scenario, a file, the name of a library scenario, or a model.
        at: ``rest``, the equilibrium with the signals as at the start; a time [s], where the run is then;
            or ``pose``, the start of the scenario as it is placed.
        inputs: commands, other named signals, or coordinates (a generalised force on each); None for all commands,
            or for the actuated joints of a machine without.
        outputs: see ``taut.loop.specs``; None for the measurements, or for the places of all bodies if there are none.
        period: of a discrete model with inputs held over it [s]; None for a continuous one.

    Raises:
        ScenarioError: unknown names; a machine without an equilibrium.
    """
    scenario = scenario_of(source)
    is_rest, time = operating_point(at)
    asked, names = with_inputs(scenario, inputs, time)
    chosen = find_observations(asked, outputs if outputs is not None or asked.measurements else places(asked))
    model = build(asked)
    if is_rest:
        found = at_rest(model, names, chosen)
    else:
        from taut.loop.linear.differences import away_from_rest

        found = away_from_rest(scenario, model, names, chosen, at)
    from taut.loop.linear.discrete import with_period

    return found if period is None else with_period(found, period)


def operating_point(at: str | float) -> tuple[bool, float]:
    """Whether rest is meant, and at which time [s]."""
    if isinstance(at, str) and at in ("rest", "pose"):
        return at == "rest", 0.0
    try:
        time = float(at)
    except (TypeError, ValueError):
        time = np.nan
    if not 0.0 <= time < np.inf:
        raise refuse("must be rest, pose or a time [s]", f"at = {at}", remedy="for example --at 2.5")
    return False, time


def places(scenario: Any) -> list[str]:
    """Positions of all bodies."""
    return [f"{name}.position" for name in scenario.all_bodies()]


def at_rest(model: Model, names: Sequence[str], chosen: dict[str, Any]) -> LinearModel:
    """The linear model at the machine's equilibrium."""
    model = standing(model, 0.0)
    data = statics(model).data
    data.acceleration[:] = 0.0
    free, parts, inputs = reduce(model, data, find_inputs(model, names))
    A, B, motions = state_space(parts, inputs)
    see, still, slopes = output_matrix(model, data, chosen, inputs, motions)
    size = len(A)
    seen = model.scenario.model_copy(update={"measurements": chosen})
    specs = observation_specs(seen, list(chosen), see.names)
    states, units = state_names(model, free, inputs)
    return LinearModel(
        A=A, B=B, C=slopes[:, :size], D=slopes[:, size:], states=states, state_units=units,
        inputs=tuple(one.name for one in inputs), input_units=tuple(one.unit for one in inputs),
        outputs=tuple(spec.name for spec in specs), output_units=tuple(spec.unit for spec in specs),
        drift=np.zeros(size), output=still, name=model.plan.name, notes=notes(model, data),
    )  # fmt: skip


def state_names(model: Model, free: np.ndarray, inputs: list[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and units of the states."""
    columns = [model.names.columns[c] for c in free]
    base = ["rad" if model.tables.columns["is_rotation"][c] else "m" for c in free]
    inner = [f"internal {k + 1}" for k in range(model.state_count)]
    names = [*columns, *(f"{name}.rate" for name in columns), *inner]
    units = [*base, *(f"{unit}/s" for unit in base), *("m or rad" for _ in inner)]
    for chosen in inputs:
        names += chosen.state_names()
        units += chosen.state_units()
    return tuple(names), tuple(units)


def notes(model: Model, data: Data) -> tuple[str, ...]:
    """Notes on the linear model's validity for its user."""
    stick = model.tables.columns["stick"]
    if not len(data.modes):
        return ()
    stuck = np.flatnonzero((stick >= 0) & (data.modes[stick] > 0))
    return tuple(STUCK.format(model.names.columns[c]) for c in stuck)
