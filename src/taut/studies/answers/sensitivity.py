"""Sensitivities by SALib: which parameters matter.

Sobol's indices say which share of a measure's variance a parameter explains, alone (S1) and with all its interactions
(ST) [Saltelli2010]; Morris's mu* is the mean size of the change over a parameter's range, sigma how much that change
itself varies [Morris1991]. Both need designs of their own: ``saltelli`` and ``morris``. Groups of runs of which one
gave no number are left out as a whole, which keeps the estimates unbiased if failures do not depend on the result.
"""

import json
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.scenario.errors import Problem, ScenarioError
from taut.studies.answers.statistics import design_kind, good_runs, measure_columns
from taut.studies.study import study_from

LEVELS = 4  # number of levels of each parameter in Morris's grid
LOW = 0.005  # probability below the lowest level of Morris's grid, and above its highest
RESAMPLES = 1000
SEED = 0  # seed of the resampling, fixed so that the same data give the same intervals
METHODS = {"sobol": "saltelli", "morris": "morris"}  # design of the runs that each method needs


@dataclass(frozen=True)
class Sensitivity:
    """Sensitivities of one measure."""

    measure: str
    method: str  # sobol or morris
    parameters: tuple[str, ...]
    # indices by name: S1, S1_conf, ST, ST_conf (sobol) or mu, mu_star, mu_star_conf, sigma (morris) [parameter]
    columns: dict[str, np.ndarray]
    groups: int  # number of groups of runs that are used
    left_out: int  # number of groups left out because a run of theirs failed

    def as_dict(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        rows = {
            name: {key: float(own[k]) for key, own in self.columns.items()} for k, name in enumerate(self.parameters)
        }
        return {"measure": self.measure, "method": self.method, "groups": self.groups, "left_out": self.left_out,
                "parameters": rows}  # fmt: skip


def problem_of(width: int) -> dict[str, Any]:
    """The varied numbers as a problem of SALib, each between 0 and 1."""
    return {"num_vars": width, "names": [f"x{k}" for k in range(width)], "bounds": [[0.0, 1.0]] * width}


def sensitivity_points(kind: str, count: int, width: int, seed: int) -> np.ndarray:
    """Points of the designs of SALib in the unit cube."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == "saltelli":
            from SALib.sample import sobol

            return sobol.sample(problem_of(width), count, calc_second_order=False, seed=seed)
        from SALib.sample import morris

        points = morris.sample(problem_of(width), count, num_levels=LEVELS, seed=seed)
    # keep off 0 and 1, where a normal distribution has infinite values
    return LOW + (1.0 - 2.0 * LOW) * points


def sensitivities(dataset: xr.Dataset) -> list[Sensitivity]:
    """Sensitivities of every measure of a study whose design is saltelli or morris.

    Raises:
        ScenarioError: the study has another design.
    """
    kind = design_kind(dataset)
    if kind not in METHODS.values():
        remedy = "`taut sweep STUDY --sensitivity sobol` makes the runs that it needs"
        raise ScenarioError([Problem("sensitivities need a design of their own", "design", kind, remedy)])
    table = study_from(json.loads(dataset.attrs["study"])).table
    assert table.unit is not None
    good = good_runs(dataset)
    return [of_measure(name, np.where(good, values, np.nan), table.parameters, kind, table.unit)
            for name, values in measure_columns(dataset).items()]  # fmt: skip


def of_measure(measure: str, values: np.ndarray, names: tuple[str, ...], kind: str, unit: np.ndarray) -> Sensitivity:
    """Sensitivities of one measure, from its values at the points of a design in the unit cube."""
    width = len(names)
    rows = width + 2 if kind == "saltelli" else width + 1
    groups = values.reshape(-1, rows)
    is_whole = np.isfinite(groups).all(axis=1)
    kept = groups[is_whole].ravel()
    left_out = int(np.sum(~is_whole))
    if is_whole.sum() < 2:
        raise ScenarioError([Problem("too many runs failed for sensitivities", measure)])
    if np.ptp(kept) == 0.0:
        # a constant measure depends on no parameter: all its indices are zero
        zeros = np.zeros(width)
        keys = ("S1", "S1_conf", "ST", "ST_conf") if kind == "saltelli" else ("mu", "mu_star", "mu_star_conf", "sigma")
        return Sensitivity(measure, _method(kind), names, dict.fromkeys(keys, zeros), int(is_whole.sum()), left_out)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == "saltelli":
            from SALib.analyze import sobol

            found = sobol.analyze(problem_of(width), kept, calc_second_order=False, num_resamples=RESAMPLES, seed=SEED)
            columns = {key: np.asarray(found[key], float) for key in ("S1", "S1_conf", "ST", "ST_conf")}
        else:
            from SALib.analyze import morris

            u = unit.reshape(-1, rows, width)[is_whole].reshape(-1, width)
            found = morris.analyze(
                problem_of(width),
                (u - LOW) / (1.0 - 2.0 * LOW),
                kept,
                num_levels=LEVELS,
                num_resamples=RESAMPLES,
                seed=SEED,
            )
            columns = {key: np.asarray(found[key], float) for key in ("mu", "mu_star", "mu_star_conf", "sigma")}
    return Sensitivity(measure, _method(kind), names, columns, int(is_whole.sum()), left_out)


def _method(kind: str) -> str:
    return next(name for name, own in METHODS.items() if own == kind)
