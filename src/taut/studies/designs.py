"""Designs: which value every parameter has in every run.

A sampled design is a table of points u in the unit cube, one column per parameter, which the parameter's quantile
function turns into values. Rows depend on the seed and their own number only: a design with more runs begins with the
same rows (Sobol's sequence and random numbers; not latin hypercubes, which divide the range by the number of runs).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.scenario.errors import Problem, ScenarioError
from taut.studies.records import Choice, Fixed, LogNormal, Normal, Range, StudyRecord, Tied, Triangular, Varied

MOST_LEVELS = 10_000_000


@dataclass(frozen=True)
class Column:
    """The values of one key over the runs: numbers, or places in a list of levels."""

    numbers: np.ndarray | None = None
    levels: tuple[Any, ...] = ()
    codes: np.ndarray | None = None
    is_whole: bool = False
    is_fixed: bool = False

    def value(self, run: int) -> Any:
        """Value of a varied key in one run."""
        if self.numbers is not None:
            return int(self.numbers[run]) if self.is_whole else float(self.numbers[run])
        return self.levels[0 if self.codes is None else int(self.codes[run])]

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers."""
        return self.numbers is not None or all(_is_number(level) for level in self.levels)

    def as_numbers(self, count: int) -> np.ndarray:
        """The values as numbers; of levels that are none, their places in the list."""
        if self.numbers is not None:
            return self.numbers
        codes = np.zeros(count, int) if self.codes is None else self.codes
        return np.array([float(x) for x in self.levels])[codes] if self.is_numeric else codes.astype(float)


@dataclass(frozen=True)
class Table:
    """A design: a column for every key of the study."""

    columns: dict[str, Column]
    count: int
    unit: np.ndarray | None = None  # points in the unit cube, shape [count, parameters], of a sampled design
    parameters: tuple[str, ...] = ()  # keys that vary by themselves, in the order of the columns of ``unit``

    def values(self, run: int) -> dict[str, Any]:
        """By key, the values of a run."""
        return {key: column.value(run) for key, column in self.columns.items()}

    @property
    def varied(self) -> dict[str, Column]:
        """The columns that are not the same in every run."""
        return {key: column for key, column in self.columns.items() if not column.is_fixed}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def design_table(study: StudyRecord, rows: list[dict[str, Any]] | None = None) -> Table:
    """The design of a study.

    Args:
        study: the record.
        rows: of a list, the values by key.

    Raises:
        ScenarioError: nothing varies, levels without count, ties to nothing, correlations that contradict each other.
    """
    fixed = {
        key: Column(levels=(way.value,), is_fixed=True) for key, way in study.vary.items() if isinstance(way, Fixed)
    }
    free = {key: way for key, way in study.vary.items() if not isinstance(way, Fixed | Tied)}
    if study.design.kind == "list":
        table = _listed(free, rows or [])
    elif not free:
        raise refusal("nothing varies: the design is empty", "vary", "give at least one key several values")
    elif study.design.kind == "grid":
        table = _grid(free, study)
    else:
        table = _sampled(free, study)
    columns = tied_columns(study, {**fixed, **table.columns}, table.count)
    return Table(columns, table.count, table.unit, table.parameters)


def tied_columns(study: StudyRecord, columns: dict[str, Column], count: int) -> dict[str, Column]:
    """The columns with those that follow others, in the order of the study."""
    for key, way in study.vary.items():
        if isinstance(way, Tied):
            columns[key] = _tied(key, way, columns, count)
    return {key: columns[key] for key in (*(k for k in study.vary if k in columns), *columns)}


def refusal(message: str, path: str, remedy: str = "") -> ScenarioError:
    """An error of the study; file and line are added where the study is read."""
    return ScenarioError([Problem(message, path, remedy=remedy)])


def _grid(free: Mapping[str, Varied], study: StudyRecord) -> Table:
    """All combinations, the last key fastest."""
    if study.correlate:
        raise refusal("has no meaning in a grid", "correlate", "choose a design that samples, for example sobol")
    # a search needs the ends of the ranges only, which are checked as corners
    usual = 2 if study.goals else None
    levels = {key: _levels(key, way, usual) for key, way in free.items()}
    shape = [len(own) for own in levels.values()]
    count = int(np.prod(shape, dtype=object))
    if count > MOST_LEVELS:
        raise refusal(f"has {count} runs, at most {MOST_LEVELS} are made", "design", "take fewer levels, or sample")
    places = np.unravel_index(np.arange(count), shape)
    columns = {}
    for (key, own), codes in zip(levels.items(), places, strict=True):
        is_numbers = isinstance(own, np.ndarray)
        whole = getattr(free[key], "whole", False)
        columns[key] = Column(own[codes], is_whole=whole) if is_numbers else Column(levels=own, codes=codes)
    return Table(columns, count, None, tuple(free))


def _levels(key: str, way: Varied, usual: int | None) -> Any:
    """Levels in a grid: an array of numbers, or a tuple of values."""
    if isinstance(way, Choice):
        return way.values
    count = getattr(way, "count", None) or usual
    if count is None:
        raise refusal("needs a count in a grid: the number of levels", f"vary.{key}", "for example count: 5")
    if isinstance(way, Range):
        u = np.linspace(0.0, 1.0, count) if count > 1 else np.array([0.5])
        return np.unique(quantile(way, u)) if way.whole else quantile(way, u)
    # levels at the middles of strata of equal probability
    return quantile(way, (np.arange(count) + 0.5) / count)


def _sampled(free: Mapping[str, Varied], study: StudyRecord) -> Table:
    u = unit_points(study.design.kind, study.design.count or 1, len(free), study.design.seed)
    moved = _correlated(u, list(free), free, study)
    columns = {}
    for k, (key, way) in enumerate(free.items()):
        if isinstance(way, Choice):
            codes = np.minimum((moved[:, k] * len(way.values)).astype(int), len(way.values) - 1)
            columns[key] = Column(levels=way.values, codes=codes)
        else:
            columns[key] = Column(quantile(way, moved[:, k]), is_whole=getattr(way, "whole", False))
    return Table(columns, len(u), u, tuple(free))


def unit_points(kind: str, count: int, width: int, seed: int) -> np.ndarray:
    """Points in the unit cube, shape [n, width]."""
    from scipy.stats import qmc

    if kind == "random":
        return np.random.Generator(np.random.Philox(seed)).random((count, width))
    if kind == "latin-hypercube":
        return qmc.LatinHypercube(width, rng=np.random.default_rng(seed)).random(count)
    if kind == "sobol":
        # draw a whole power of two and cut: scipy warns of other counts, but the count is the user's choice
        sequence = qmc.Sobol(width, rng=np.random.default_rng(seed))
        return sequence.random_base2(int(np.ceil(np.log2(max(count, 1)))))[:count]
    from taut.studies.answers.sensitivity import sensitivity_points

    return sensitivity_points(kind, count, width, seed)


def _correlated(u: np.ndarray, keys: list[str], free: Mapping[str, Varied], study: StudyRecord) -> np.ndarray:
    """Points whose normal scores have the correlations asked for."""
    if not study.correlate:
        return u
    if study.design.kind in ("saltelli", "morris"):
        raise refusal("has no meaning for sensitivities, which ask for each parameter alone", "correlate")
    from scipy.special import ndtr, ndtri

    matrix, told = np.eye(len(keys)), []
    for n, pair in enumerate(study.correlate):
        if set(pair.between) in told:
            raise refusal("is said twice", f"correlate[{n}].between", "give every pair once")
        told.append(set(pair.between))
        for key in pair.between:
            if not isinstance(free.get(key), Normal):
                raise refusal(f"{key} does not vary normally", f"correlate[{n}].between", "{normal: [mean, deviation]}")
        i, j = (keys.index(key) for key in pair.between)
        matrix[i, j] = matrix[j, i] = pair.coefficient
    try:
        L = np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise refusal("no numbers can have all these correlations at once", "correlate") from None
    return ndtr(ndtri(np.clip(u, 1e-16, 1.0 - 1e-16)) @ L.T)


def quantile(way: Varied, u: np.ndarray) -> np.ndarray:
    """The value below which a share u of the distribution lies."""
    from scipy.special import ndtr, ndtri

    u = np.clip(u, 0.0, 1.0)
    if isinstance(way, Range):
        if way.scale == "log":
            values = way.low * (way.high / way.low) ** u
        else:
            low, high = (way.low - 0.5, way.high + 0.5) if way.whole and way.count is None else (way.low, way.high)
            values = low + (high - low) * u
        return np.clip(np.round(values), way.low, way.high) if way.whole else np.clip(values, way.low, way.high)
    if isinstance(way, Triangular):
        low, mode, high = way.triangular
        cut = (mode - low) / (high - low)
        rising = low + np.sqrt(u * (high - low) * (mode - low))
        return np.where(u < cut, rising, high - np.sqrt((1.0 - u) * (high - low) * (high - mode)))
    # keep off 0 and 1, where normal distributions have infinite values
    u = np.clip(u, 1e-16, 1.0 - 1e-16)
    if isinstance(way, LogNormal):
        mean, deviation = way.lognormal
        variance = np.log1p((deviation / mean) ** 2)
        return np.exp(np.log(mean) - 0.5 * variance + np.sqrt(variance) * ndtri(u))
    assert isinstance(way, Normal)
    mean, deviation = way.normal
    if way.within is not None:
        first, last = (ndtr((limit - mean) / deviation) for limit in way.within)
        return np.clip(mean + deviation * ndtri(first + (last - first) * u), *way.within)
    return mean + deviation * ndtri(u)


def _listed(free: Mapping[str, Varied], rows: list[dict[str, Any]]) -> Table:
    if free:
        raise refusal("varies by itself, but the runs are listed", f"vary.{next(iter(free))}", "keep fixed values only")
    if not rows:
        raise refusal("the list has no rows: the design is empty", "design.file")
    columns = {}
    for key in rows[0]:
        values = [row[key] for row in rows]
        levels = tuple({repr(value): value for value in values}.values())
        places = {repr(value): k for k, value in enumerate(levels)}
        codes = np.array([places[repr(value)] for value in values])
        is_floats = all(isinstance(value, float) for value in values)
        columns[key] = Column(np.array(values, float)) if is_floats else Column(levels=levels, codes=codes)
    return Table(columns, len(rows), None, tuple(columns))


def _tied(key: str, way: Tied, columns: dict[str, Column], count: int) -> Column:
    from taut.scenario.errors import suggest

    if way.tied not in columns:
        raise refusal(f"{way.tied!r} is no key of the study", f"vary.{key}.tied", suggest(way.tied, list(columns)))
    master = columns[way.tied]
    if way.values is not None:
        if master.numbers is not None or len(way.values) != len(master.levels):
            raise refusal(f"must have one value for each value of {way.tied}", f"vary.{key}.values")
        return Column(levels=way.values, codes=master.codes, is_fixed=master.is_fixed)
    if not master.is_numeric:
        raise refusal(f"{way.tied} is no number", f"vary.{key}.tied", "give values: one for each of its values")
    numbers = way.factor * master.as_numbers(count) + way.offset
    is_same = way.factor == 1.0 and way.offset == 0.0
    whole = master.is_whole or (master.numbers is None and all(isinstance(x, int) for x in master.levels))
    return Column(numbers, is_fixed=master.is_fixed, is_whole=is_same and whole)
