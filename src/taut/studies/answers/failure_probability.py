"""How probable it is that a measure is beyond a limit, with an interval, and how many runs would tell it better.

Of n independent runs k are beyond. Clopper and Pearson's interval contains p with at least 95 % [ClopperPearson1934]:
    low = B(0.025; k, n - k + 1),  high = B(0.975; k + 1, n - k)                                                    (1)
with B the quantile of the beta distribution. Runs that gave no number may be either: they count as beyond for the high
end, and as not beyond for the low one. A relative error e of p needs about
    n = 1.96^2 (1 - p) / (p e^2)                                                                                    (2)
runs; without any failure, p < h is shown by n = ln 0.05 / ln(1 - h).
"""

import math
import operator
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.studies.answers.statistics import LEVEL, SAMPLED, design_kind, good_runs, measure_columns
from taut.studies.records import StudyRecord
from taut.studies.running import MISSING

CONDITION = re.compile(r"\s*([^<>=\s]+)\s*(<=|>=|<|>)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*")
OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
PRECISION = 0.1  # relative error of the probability for which the number of runs needed is given


@dataclass(frozen=True)
class FailureProbability:
    """A probability of failure with its interval of confidence."""

    condition: str
    runs: int
    failures: int
    unknown: int  # runs that gave no number, or whose audit failed
    probability: float
    interval: tuple[float, float]
    # runs needed for a relative error of 10 %; without failures: for a tenth of the present upper limit
    runs_needed: int

    def as_dict(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        return {"condition": self.condition, "runs": self.runs, "failures": self.failures, "unknown": self.unknown,
                "probability": self.probability, "interval": list(self.interval),
                "runs_needed": self.runs_needed}  # fmt: skip


def check_condition(record: StudyRecord, condition: str) -> None:
    """Refuse a condition that the runs of a study will not answer, before the first of them.

    Raises:
        ScenarioError: as ``failure_probability``.
    """
    name, _, _ = read_condition(record.design.kind, condition)
    # a measure by cable has a number for each: worst.C1, ...
    if not any(name.startswith(f"{key}.") if own.by else name == key for key, own in record.measure.items()):
        known = [f"{key}.{own.by}" if own.by else key for key, own in record.measure.items()]
        raise _refusal("is no measure", name, suggest(name, known))


def failure_probability(dataset: xr.Dataset, condition: str) -> FailureProbability:
    """The probability of a condition such as ``worst > 12000``, which counts as failure.

    Raises:
        ScenarioError: no such measure, or a design whose runs tell no probabilities.
    """
    name, sign, limit = read_condition(design_kind(dataset), condition)
    columns = measure_columns(dataset)
    if name not in columns:
        raise _refusal("is no measure", name, suggest(name, list(columns)))
    values, is_done = columns[name], dataset["status"].values != MISSING
    is_known = is_done & good_runs(dataset) & np.isfinite(values)
    k = int(np.sum(OPERATORS[sign](values[is_known], limit)))
    return probability_of(condition, int(is_done.sum()), k, int(np.sum(is_done & ~is_known)))


def read_condition(design: str, condition: str) -> tuple[str, str, float]:
    """Measure, comparison and limit of a condition."""
    if design not in SAMPLED:
        raise _refusal(f"runs of a design of kind {design} tell no probabilities", condition, "use design: random")
    found = CONDITION.fullmatch(condition)
    if not found:
        raise _refusal("must be a measure, < or >, and a number", condition, "for example 'worst > 12000'")
    return found[1], found[2], float(found[3])


def probability_of(condition: str, n: int, k: int, unknown: int) -> FailureProbability:
    """Probability and its interval from counts, Eqs. (1) and (2)."""
    from scipy.stats import beta

    if n == 0:
        raise _refusal("no runs are done", condition)
    tail, most = 0.5 * (1.0 - LEVEL), k + unknown
    low = float(beta.ppf(tail, k, n - k + 1)) if k else 0.0
    high = float(beta.ppf(1.0 - tail, most + 1, n - most)) if most < n else 1.0
    p = k / max(n - unknown, 1)
    if k:
        needed = math.ceil(1.96**2 * (1.0 - p) / (p * PRECISION**2))
    else:
        needed = math.ceil(math.log(0.05) / math.log1p(-high / 10.0)) if high < 1.0 else n
    return FailureProbability(condition, n, k, unknown, p, (low, high), needed)


def _refusal(message: str, value: str, remedy: str = "") -> ScenarioError:
    return ScenarioError([Problem(message, "failure-probability", value, remedy)])
