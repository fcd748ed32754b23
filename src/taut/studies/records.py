"""What a user writes into a study: the scenario, what varies and how, and what is measured."""

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, StrictInt, Tag, model_validator

from taut.scenario.base import Flag, Number, Positive, Record, fault, note
from taut.scenario.errors import suggest
from taut.studies.measures import Measure

MOST_RUNS = 10_000_000
LEAST_SHARE = 1e-6  # least share of a normal distribution that limits may leave: beyond it rounding shows
Runs = Annotated[StrictInt, Field(ge=1, le=MOST_RUNS)]
Levels = Annotated[StrictInt, Field(ge=1, le=100_000)]
Pair = tuple[Number, Number]


class Varied(Record):
    """Base of the ways in which a number varies."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)


class Fixed(Varied):
    """The same value in every run."""

    value: Any = note("the value, whatever the key takes")


class Choice(Varied):
    """Some values: all of them in a grid, one at random otherwise."""

    values: tuple[Any, ...] = note("the values; also signals, controllers and lists")

    @model_validator(mode="after")
    def _check(self) -> "Choice":
        if not self.values:
            raise fault("has no values", remedy="list at least one")
        return self


class Range(Varied):
    """Numbers between two limits, evenly spread."""

    low: Number = Field(alias="from", description="smallest value")
    high: Number = Field(alias="to", description="largest value")
    count: Levels | None = note("number of levels in a grid, limits included", None)
    scale: Literal["linear", "log"] = note("how numbers are spread", "linear")
    whole: Flag = note("whole numbers only", False)

    @model_validator(mode="after")
    def _check(self) -> "Range":
        if self.high < self.low:
            raise fault(f"must not be less than from = {self.low:g}", at="to")
        if self.scale == "log" and self.low <= 0.0:
            raise fault("must be greater than 0 for scale: log", at="from")
        return self


class Normal(Varied):
    """Normally distributed numbers."""

    normal: Pair = note("mean and standard deviation")
    within: Pair | None = note("limits; the distribution is cut there", None)
    count: Levels | None = note("number of levels in a grid, of equal probability", None)

    @model_validator(mode="after")
    def _check(self) -> "Normal":
        _check_spread(self.normal[1], "normal")
        if self.within is not None and self.within[1] <= self.within[0]:
            raise fault("must be [lowest, highest]", at="within")
        if self.within is not None and self._share() < LEAST_SHARE:
            raise fault(f"must hold at least {LEAST_SHARE:g} of the distribution", at="within",
                        remedy="a range {from: ..., to: ...} spreads numbers evenly")  # fmt: skip
        return self

    def _share(self) -> float:
        """Share of the whole distribution that lies within the limits."""
        assert self.within is not None
        low, high = ((limit - self.normal[0]) / self.normal[1] / 2**0.5 for limit in self.within)
        return 0.5 * (math.erf(high) - math.erf(low))


class LogNormal(Varied):
    """Numbers whose logarithm is normal."""

    lognormal: Pair = note("mean and standard deviation of the number itself")
    count: Levels | None = note("number of levels in a grid, of equal probability", None)

    @model_validator(mode="after")
    def _check(self) -> "LogNormal":
        _check_spread(self.lognormal[1], "lognormal")
        if self.lognormal[0] <= 0.0:
            raise fault("must have a positive mean", at="lognormal")
        return self


class Triangular(Varied):
    """Numbers of a triangular distribution."""

    triangular: tuple[Number, Number, Number] = note("lowest, most likely and highest number")
    count: Levels | None = note("number of levels in a grid, of equal probability", None)

    @model_validator(mode="after")
    def _check(self) -> "Triangular":
        low, mode, high = self.triangular
        if not low <= mode <= high or low == high:
            raise fault("must be [lowest, most likely, highest]", at="triangular")
        return self


class Tied(Varied):
    """A value that follows another key of the study."""

    tied: str = note("key of the study that it follows")
    factor: Number = note("times that key's number", 1.0)
    offset: Number = note("plus this", 0.0)
    values: tuple[Any, ...] | None = note("instead: one value for each value of that key", None)


def _check_spread(deviation: float, key: str) -> None:
    if deviation <= 0.0:
        raise fault("must be [mean, standard deviation] with a positive deviation", at=key)


KINDS = {"value": Fixed, "from": Range, "to": Range, "normal": Normal, "lognormal": LogNormal,
         "triangular": Triangular, "tied": Tied, "values": Choice}  # fmt: skip
WORDS = "from, normal, lognormal, triangular, values, value or tied"


def _kind(entry: Any) -> str:
    if isinstance(entry, Record):
        return type(entry).__name__
    # the entry was checked before by `_spelled`: one of these keys is there
    return next(KINDS[key].__name__ for key in ("tied", *KINDS) if key in entry)


def spelled(entry: Any) -> Any:
    """A way to vary in full: a plain value is fixed, a list is a choice.

    Raises:
        PydanticCustomError: a mapping that is none of the ways.
    """
    if isinstance(entry, list | tuple):
        return {"values": tuple(entry)}
    if isinstance(entry, Mapping):
        if not set(entry) & set(KINDS):
            guess = suggest(str(next(iter(entry), "")), list(KINDS))
            hint = (
                guess if guess.startswith("did") else "a record that is the same in every run is written {value: ...}"
            )
            raise fault(f"must be a value, a list of values, or a mapping with {WORDS}", remedy=hint)
        return entry
    return entry if isinstance(entry, Record) else {"value": entry}


Way = Annotated[
    Annotated[Fixed, Tag("Fixed")]
    | Annotated[Choice, Tag("Choice")]
    | Annotated[Range, Tag("Range")]
    | Annotated[Normal, Tag("Normal")]
    | Annotated[LogNormal, Tag("LogNormal")]
    | Annotated[Triangular, Tag("Triangular")]
    | Annotated[Tied, Tag("Tied")],
    Discriminator(_kind),
]


class Design(Record):
    """Which runs are made."""

    kind: Literal["grid", "random", "latin-hypercube", "sobol", "list", "saltelli", "morris"] = note(
        "grid: all combinations; list: rows of a CSV file; saltelli and morris: for sensitivities", "grid"
    )
    count: Runs | None = note("number of runs; of base points for saltelli, of trajectories for morris", None)
    seed: Annotated[StrictInt, Field(ge=0, le=2**31 - 1)] = note("seed of the design, and of the noise in runs", 0)
    file: str | None = note("CSV file of a list; its header names keys", None)

    @model_validator(mode="after")
    def _check(self) -> "Design":
        if self.kind == "list" and self.file is None:
            raise fault("is required for a list: the CSV file with one run per row", at="file")
        if self.kind not in ("grid", "list") and self.count is None:
            raise fault(f"is required for {self.kind}: the number of runs", at="count")
        if self.kind in ("grid", "list") and self.count is not None:
            raise fault(f"has no meaning for a {self.kind}", at="count", remedy="levels have counts of their own")
        return self


class Correlation(Record):
    """Two normal parameters that vary together."""

    between: tuple[str, str] = note("two keys that vary normally")
    coefficient: Annotated[float, Field(gt=-1, lt=1)] = note("correlation coefficient")

    @model_validator(mode="after")
    def _check(self) -> "Correlation":
        if self.between[0] == self.between[1]:
            raise fault("must be two different keys", at="between")
        return self


class Goal(Record):
    """A goal of `taut optimize`."""

    minimize: str | None = note("measure to make small", None)
    maximize: str | None = note("measure to make large", None)

    @model_validator(mode="after")
    def _check(self) -> "Goal":
        if (self.minimize is None) == (self.maximize is None):
            raise fault("must have minimize or maximize, one of them")
        return self


class Limit(Record):
    """A limit that an optimum must keep to."""

    measure: str = note("name of a measure")
    most: Number | None = note("largest value allowed", None)
    least: Number | None = note("smallest value allowed", None)

    @model_validator(mode="after")
    def _check(self) -> "Limit":
        if self.most is None and self.least is None:
            raise fault("must have most or least, or both")
        if self.most is not None and self.least is not None and self.most < self.least:
            raise fault(f"must not be less than least = {self.least:g}", at="most")
        return self


class StudyRecord(Record):
    """One study."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)

    version: Literal[1] = Field(1, alias="taut-study", description="version of the format")
    name: str = note("name of the study", "")
    base: str = note("scenario that is varied: a file, or a name of the library")
    vary: dict[str, Way] = note("by key of the scenario, what it is in each run", {})
    correlate: tuple[Correlation, ...] = note("normal parameters that vary together", ())
    design: Design = note("which runs are made", Design())
    measure: dict[str, Measure] = note("by name, what is kept of each run", {})
    keep: Literal["measures", "results"] = note("results: every run's result file, beside the study", "measures")
    time_limit: Positive = note("longest computing time of one run [s]", 600.0)
    goals: tuple[Goal, ...] = note("for `taut optimize`: one goal, or two for a Pareto front", ())
    limits: tuple[Limit, ...] = note("for `taut optimize`: what must hold", ())

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        data = dict(data)
        if isinstance(data.get("design"), str):
            data["design"] = {"kind": data["design"]}
        if isinstance(data.get("vary"), Mapping):
            data["vary"] = {key: _spelled_at(key, entry) for key, entry in data["vary"].items()}
        if isinstance(data.get("measure"), Mapping):
            data["measure"] = {key: _long_measure(entry) for key, entry in data["measure"].items()}
        return data


def _spelled_at(key: str, entry: Any) -> Any:
    try:
        return spelled(entry)
    except Exception as error:
        context = getattr(error, "context", None) or {}
        raise fault(context["message"], at=f"vary.{key}", remedy=context["remedy"]) from None


def _long_measure(entry: Any) -> Any:
    """The full form of a measure, as `audit` and `status` may stand alone."""
    return {"of": entry} if isinstance(entry, str) else entry
