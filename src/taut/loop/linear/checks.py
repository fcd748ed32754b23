"""The linear model at rest against independent computations: differences of the full machine, and small motions."""

from typing import Any

import numpy as np

from taut.analyses.modes import modes
from taut.analyses.statics import statics
from taut.build import build
from taut.loop.linear.differences import FullMachine
from taut.loop.linear.inputs import find_inputs, standing, with_inputs
from taut.loop.linear.linearize import linearize, places
from taut.loop.linear.outputs import output_matrix
from taut.loop.linear.rest import reduce, state_space
from taut.loop.specs import find_observations

NOTHING = 1e-9  # least scale of a row in the comparison, absolute
# least scale of a row relative to the largest one: smaller rows are rounding in differences of stiff machines
SMALL = 1e-6


def against_differences(scenario: Any) -> dict[str, float]:
    """Largest difference of every matrix from slopes of the full machine, against the largest entry of its row."""
    asked, names = with_inputs(scenario, None, 0.0)
    chosen = find_observations(asked, None if asked.measurements else places(asked))
    model = standing(build(asked), 0.0)
    data = statics(model).data
    data.acceleration[:] = 0.0
    free, parts, inputs = reduce(model, data, find_inputs(model, names))
    A, B, motions = state_space(parts, inputs)
    _, _, slopes = output_matrix(model, data, chosen, inputs, motions)
    found = (A, B, slopes[:, : len(A)], slopes[:, len(A) :])
    full = FullMachine(model, data, free, inputs, chosen).matrices()
    return {name: by_row(a, b) for name, a, b in zip("ABCD", found, full, strict=True)}


def by_row(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference, against the largest entry of its row."""
    rows = np.abs(expected).max(axis=1, initial=0.0)
    size = np.maximum(rows, max(SMALL * rows.max(initial=0.0), NOTHING))
    return float((np.abs(found - expected).max(axis=1, initial=0.0) / size).max(initial=0.0))


def against_modes(scenario: Any) -> float:
    """Largest relative distance of what ``taut modes`` lists from the nearest pole of the linear model."""
    poles = linearize(scenario).poles
    found = modes(build(scenario.model_copy(update={"controllers": {}})))
    expected = np.concatenate([found.eigenvalues, found.decays])
    return max((float(np.abs(poles - value).min() / abs(value)) for value in expected), default=0.0)
