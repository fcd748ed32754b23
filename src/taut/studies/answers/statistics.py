"""What the runs of a study say together: means, quantiles and their intervals, effects of parameters, failures.

Runs that broke off or failed their audit are left out and counted. Intervals hold 95 %: of the mean by Student's t, of
a quantile by order statistics, which need no distribution [Conover1999, sec. 3.2]. Both assume independent runs (a
random design); for latin hypercubes and Sobol's sequence they are usually too wide. A grid has no probabilities, and
runs of designs for sensitivities depend on one another, which would make intervals too narrow: theirs are empty.
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.studies.measures import VERDICTS
from taut.studies.running import COMPLETED, MISSING, STATUSES, STOPPED

LEVEL = 0.95
QUANTILES = (0.05, 0.5, 0.95)
SAMPLED = ("random", "latin-hypercube", "sobol")  # designs whose runs tell probabilities
BINS = 10


@dataclass(frozen=True)
class Statistics:
    """One measure over the good runs."""

    count: int
    mean: float
    interval: tuple[float, float]  # confidence interval of the mean; NaN in a grid, which is no sample
    deviation: float
    # by probability: the quantile, and both ends of its confidence interval
    quantiles: dict[float, tuple[float, float, float]]
    least: tuple[float, int]  # smallest value, and the number of its run
    most: tuple[float, int]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that do not exist are None."""
        quantiles = {f"{share:g}": [_plain(x) for x in own] for share, own in self.quantiles.items()}
        return {"count": self.count, "mean": _plain(self.mean), "interval": [_plain(x) for x in self.interval],
                "deviation": _plain(self.deviation), "quantiles": quantiles,
                "min": {"value": _plain(self.least[0]), "run": self.least[1]},
                "max": {"value": _plain(self.most[0]), "run": self.most[1]}}  # fmt: skip


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def good_runs(dataset: xr.Dataset) -> np.ndarray:
    """Whether each run came to its end and its audit did not fail."""
    status = dataset["status"].values
    return ((status == COMPLETED) | (status == STOPPED)) & (dataset["audit"].values != VERDICTS["fail"])


def counts(dataset: xr.Dataset) -> dict[str, int]:
    """How many runs ended how."""
    status, audit = dataset["status"].values, dataset["audit"].values
    found = {name: int(np.sum(status == code)) for code, name in enumerate(STATUSES)}
    found["audit failed"] = int(np.sum((audit == VERDICTS["fail"]) & (status != MISSING)))
    return {"runs": len(status), "good": int(good_runs(dataset).sum()), **found}


def measure_columns(dataset: xr.Dataset) -> dict[str, np.ndarray]:
    """By name, the numbers of every measure [runs]; one per cable, body or axis where it has them: `worst.C1`."""
    fixed = {"status", "audit", "seconds", "cause"}
    found = {}
    for name in dataset.data_vars:
        variable = dataset[name]
        if name in fixed or variable.dims[0] != "run":
            continue
        if variable.ndim == 1:
            found[str(name)] = variable.values
        else:
            labels = dataset[variable.dims[1]].values
            found |= {f"{name}.{label}": variable.values[:, k] for k, label in enumerate(labels)}
    return found


def design_kind(dataset: xr.Dataset) -> str:
    """How the runs were chosen."""
    return json.loads(dataset.attrs["study"])["study"].get("design", {}).get("kind", "grid")


def statistics(dataset: xr.Dataset) -> dict[str, Statistics]:
    """Statistics of every measure."""
    good, is_sampled = good_runs(dataset), design_kind(dataset) in SAMPLED
    found = {}
    for name, values in measure_columns(dataset).items():
        runs = np.flatnonzero(good & np.isfinite(values))
        if len(runs):
            found[name] = of_values(values[runs], runs, is_sampled=is_sampled)
    return found


def of_values(values: np.ndarray, runs: np.ndarray, *, is_sampled: bool) -> Statistics:
    """Statistics of the values of a measure in some runs."""
    n, mean = len(values), float(np.mean(values))
    deviation = float(np.std(values, ddof=1)) if n > 1 else np.nan
    low, high = int(np.argmin(values)), int(np.argmax(values))
    interval = mean_interval(mean, deviation, n) if is_sampled else (np.nan, np.nan)
    quantiles = {share: quantile_interval(values, share, is_sampled=is_sampled) for share in QUANTILES}
    return Statistics(n, mean, interval, deviation, quantiles, (float(values[low]), int(runs[low])),
                      (float(values[high]), int(runs[high])))  # fmt: skip


def mean_interval(mean: float, deviation: float, n: int) -> tuple[float, float]:
    """Student's interval of a mean."""
    from scipy.stats import t

    if n < 2:
        return np.nan, np.nan
    half = float(t.ppf(0.5 + 0.5 * LEVEL, n - 1)) * deviation / n**0.5
    return mean - half, mean + half


def quantile_interval(values: np.ndarray, share: float, *, is_sampled: bool) -> tuple[float, float, float]:
    """A quantile and its interval by order statistics; ends that the numbers cannot tell are infinite."""
    from scipy.stats import binom

    ordered = np.sort(values)
    value, n = float(np.quantile(ordered, share)), len(ordered)
    if not is_sampled:
        return value, np.nan, np.nan
    # order statistics: the number of values below the quantile is binomially distributed
    low = int(binom.ppf(0.5 - 0.5 * LEVEL, n, share))
    high = int(binom.ppf(0.5 + 0.5 * LEVEL, n, share)) + 1
    return (value, float(ordered[low - 1]) if low >= 1 else -np.inf, float(ordered[high - 1]) if high <= n else np.inf)


def main_effect(x: np.ndarray, y: np.ndarray, bins: int = BINS) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean of y, and the half-width of its interval, over levels of x; many levels become bins of as many runs each."""
    levels = np.unique(x)
    groups = [x == level for level in levels]
    if len(levels) > BINS:
        edges = np.quantile(x, np.linspace(0.0, 1.0, bins + 1))
        places = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, bins - 1)
        groups = [places == k for k in range(bins) if np.any(places == k)]
        levels = np.array([float(np.mean(x[group])) for group in groups])
    means = np.array([float(np.mean(y[group])) for group in groups])
    halves = np.array([_half(y[group]) for group in groups])
    return levels, means, halves


def _half(values: np.ndarray) -> float:
    if len(values) < 2:
        return 0.0
    low, high = mean_interval(0.0, float(np.std(values, ddof=1)), len(values))
    return 0.5 * (high - low)
