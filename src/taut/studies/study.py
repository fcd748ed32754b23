"""A study: the record that a user wrote, the scenario it varies, and the design."""

import csv
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from taut.library import find
from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.scenario.io.overrides import PATH, with_overrides
from taut.scenario.io.source import Path as Steps
from taut.scenario.io.source import Source, split_path
from taut.scenario.io.tables import MOST_BYTES, read_table
from taut.scenario.io.translate import problems_from
from taut.scenario.io.writing import dumps
from taut.scenario.io.yaml_text import plain_scalar, read_yaml
from taut.scenario.scenario import Scenario
from taut.studies.designs import Table, design_table
from taut.studies.recipe import Recipe
from taut.studies.records import StudyRecord
from taut.studies.run_seeds import has_noise, run_seed

SEED_KEY = "run.seed"
# groups of the scenario whose records have names as keys
NAMED = ("bodies", "drivers", "signals", "measurements", "controllers")
# names that the dataset of a study uses itself
RESERVED = {"run", "status", "audit", "seconds", "cause", "cable", "body", "xyz", "wxyz"}


@dataclass(frozen=True)
class Study:
    """A study: the scenario, what is varied and how, and the measures."""

    record: StudyRecord  # what the study says: keys that vary, design, measures
    # mapping of the scenario before defaults are merged, with the tables that it refers to
    data: Any = field(repr=False)
    source: Source = field(default_factory=Source, repr=False)  # where the study was read from, for messages
    base_source: Source = field(default_factory=Source, repr=False)  # where the base was read from, for messages
    # runs of a design that is a list: a mapping for every run
    rows: list[dict[str, Any]] | None = field(default=None, repr=False)

    @cached_property
    def table(self) -> Table:
        """The design."""
        try:
            return design_table(self.record, self.rows)
        except ScenarioError as error:
            raise ScenarioError([self.placed(problem) for problem in error.problems]) from None

    @cached_property
    def places(self) -> dict[str, tuple[Steps, ...]]:
        """Entries of the scenario that each key of the study sets; `*` stands for every entry."""
        keys = [*self.record.vary, *(key for key in self.table.columns if key not in self.record.vary)]
        return {key: tuple(self._expanded(key)) for key in keys}

    @cached_property
    def is_noisy(self) -> bool:
        """Whether every run gets a seed of its own: sensors are random, and the seed is not varied."""
        if SEED_KEY in self.places:
            return False
        return has_noise(self.data, {key: column.levels for key, column in self.table.columns.items()})

    @property
    def count(self) -> int:
        """Number of runs."""
        return self.table.count

    @property
    def title(self) -> str:
        """The study's title."""
        return self.record.name or f"study of {self.record.base}"

    def _expanded(self, key: str) -> list[Steps]:
        at = f"vary.{key}"
        if not PATH.fullmatch(key):
            raise ScenarioError([self.placed(Problem("is no key of a scenario", at, remedy="as run.duration"))])
        steps = split_path(key)
        # refuse unknown names: setting a key of one would add a record
        known = list((self.data.get(steps[0]) or {}) if steps[0] in NAMED else [])
        if steps[0] in NAMED and len(steps) > 2 and steps[1] not in (*known, "*"):
            text = f"{steps[0]} has no {steps[1]}"
            raise ScenarioError([self.placed(Problem(text, at, remedy=suggest(str(steps[1]), known)))])
        found: list[tuple[Steps, Any]] = [((), self.data)]
        for step in steps:
            if step != "*":
                found = [((*path, step), inside(here, step)) for path, here in found]
                continue
            found = [((*path, name), entry) for path, here in found for name, entry in _all_inside(here)]
        if not found:
            raise ScenarioError([self.placed(Problem("* stands for nothing there", at))])
        return [path for path, _ in found]

    def values(self, run: int) -> dict[str, Any]:
        """By key, the values of a run, its seed included."""
        values = self.table.values(run)
        return {**values, SEED_KEY: run_seed(self.record.design.seed, run)} if self.is_noisy else values

    @cached_property
    def recipe(self) -> Recipe:
        """How the scenario of a run is made."""
        return Recipe(self.data, self.places, tuple(self.table.varied), self.source, self.base_source)

    def scenario(self, values: Mapping[str, Any]) -> Scenario:
        """The scenario with these values."""
        return self.recipe.scenario(values)

    def placed(self, problem: Problem) -> Problem:
        """A problem of the study with file and line."""
        steps = split_path(problem.path)
        if problem.path.startswith("vary."):
            # keys of `vary` contain dots themselves, so the path is cut from its end until a key is found
            key = problem.path.removeprefix("vary.")
            while ("vary", key) not in self.source.lines and "." in key:
                key = key.rpartition(".")[0]
            steps = ("vary", key)
        file, line = self.source.where(steps)
        return replace(problem, source=problem.source or file, line=problem.line or line)

    def as_dict(self) -> dict[str, Any]:
        """Plain data from which ``study_from`` makes the study again."""
        record = self.record.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        return {"study": {"taut-study": 1, **record}, "base": self.data, "rows": self.rows}

    @cached_property
    def digest(self) -> str:
        """Hash that identifies the study: equal if all runs have the same numbers and measures."""
        plain = self.as_dict()
        for key in ("name", "time_limit", "keep", "goals", "limits"):
            plain["study"].pop(key, None)
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def inside(here: Any, step: str | int) -> Any:
    if isinstance(here, list):
        named = [entry for entry in here if isinstance(entry, Mapping) and entry.get("name") == step]
        return named[0] if named else here[step] if isinstance(step, int) and step < len(here) else None
    return here.get(step) if isinstance(here, Mapping) else None


def _all_inside(here: Any) -> list[tuple[Any, Any]]:
    if isinstance(here, Mapping):
        return list(here.items())
    return list(enumerate(here)) if isinstance(here, list) else []


def study(base: Any, vary: Mapping[str, Any] | None = None, measure: Mapping[str, Any] | None = None,
          **keys: Any) -> Study:  # fmt: skip
    """A study of a scenario.

    Args:
        base: a study file (with nothing else given); or what is varied: a Scenario, a file, or a name of the library.
        vary: by key of the scenario, a value, a list of values, or a mapping such as ``{"from": 1, "to": 2}``.
        measure: by name, what is kept of each run, such as ``{"max": "cable_tension_exit"}`` or ``"audit"``.
        keys: the other keys of a study file: ``design``, ``keep``, ``correlate``, ``time_limit``, ...

    Raises:
        ScenarioError: with every problem found, each with key, value and remedy.
    """
    if vary is None and measure is None and not keys and not isinstance(base, Scenario):
        return load_study(base)
    named = "a scenario made in Python" if isinstance(base, Scenario) else str(base)
    data = {"taut-study": 1, "base": named, "vary": dict(vary or {}), "measure": dict(measure or {}), **keys}
    return make_study(data, Source(), base=base)


def load_study(path: str | Path, overrides: list[str] | None = None) -> Study:
    """The study in a YAML file, with settings such as `design.count=100`."""
    file = Path(path)
    if not file.is_file():
        raise ScenarioError(
            [Problem("does not exist or is not a file", source=str(path), remedy="name a study's file")]
        )
    data, source = read_yaml(file.read_bytes(), str(path))
    if not isinstance(data, Mapping) or "taut-study" not in data:
        raise ScenarioError([Problem("is not a study", source=str(path), line=1, remedy="begin with taut-study: 1")])
    return make_study(with_overrides(data, overrides or [], source), source, folder=file.parent)


def make_study(data: Any, source: Source, *, folder: Path = Path("."), base: Any = None) -> Study:
    """The study that a mapping describes, checked."""
    try:
        record = StudyRecord.model_validate(data)
    except ValidationError as error:
        found = problems_from(error.errors(include_url=False), StudyRecord, data, source)
        raise ScenarioError(found) from None
    base_data, base_source = _read_base(record.base if base is None else base, folder, source)
    if isinstance(base_data, dict) and any(key.startswith("gravity[") for key in record.vary):
        # gravity is the only list of a scenario with a default, which must be there to set one entry
        base_data.setdefault("gravity", list(Scenario.model_fields["gravity"].default))
    listed = record.design.file if record.design.kind == "list" else None
    rows = _read_list(folder / listed, source) if listed is not None else None
    made = Study(record, base_data, source, base_source, rows)
    if not record.measure:
        raise ScenarioError([made.placed(Problem("nothing is measured", "measure", remedy="for example ok: audit"))])
    check_names(made)
    made.scenario({})  # refuse a base scenario that is wrong by itself
    made.scenario(made.values(0))
    return made


def check_names(made: Study) -> None:
    """Refuse measures whose names the dataset uses otherwise, and goals that are no measures."""
    taken = [name for name in made.record.measure if name in RESERVED or name in made.places or "/" in name]
    problems = [
        Problem("is a name of the dataset already", f"measure.{name}", remedy="choose another") for name in taken
    ]
    asked = {f"goals[{n}]": goal.minimize or goal.maximize or "" for n, goal in enumerate(made.record.goals)}
    asked |= {f"limits[{n}].measure": limit.measure for n, limit in enumerate(made.record.limits)}
    known = list(made.record.measure)
    problems += [Problem("is no measure of the study", at, name, suggest(name, known))
                 for at, name in asked.items() if name not in known]  # fmt: skip
    if problems:
        raise ScenarioError([made.placed(problem) for problem in problems])


def study_from(plain: Mapping[str, Any], name: str = "") -> Study:
    """The study that ``Study.as_dict`` described."""
    return Study(StudyRecord.model_validate(plain["study"]), plain["base"], Source(name), Source(name), plain["rows"])


def _read_base(base: Any, folder: Path, source: Source) -> tuple[Any, Source]:
    if isinstance(base, Scenario):
        return read_yaml(dumps(base), "scenario")[0], Source()
    file = folder / str(base)
    try:
        path = file if file.is_file() else find(str(base))
    except ScenarioError as error:
        name, line = source.where(("base",))
        raise ScenarioError([replace(problem, path="base", value=str(base), source=name, line=line)
                             for problem in error.problems]) from None  # fmt: skip
    if not path.is_file():
        name, line = source.where(("base",))
        raise ScenarioError([Problem("does not exist or is not a file", "base", str(base), source=name, line=line)])
    data, found = read_yaml(path.read_bytes(), str(path))
    return with_tables(data, path.parent), found


def with_tables(data: Any, folder: Path) -> Any:
    """The mapping with the numbers of CSV files in place of their names, so that a worker needs no files."""
    if isinstance(data, Mapping):
        if data.get("kind") == "table" and "file" in data:
            return read_table(data, {"folder": folder})
        return {key: with_tables(entry, folder) for key, entry in data.items()}
    return [with_tables(entry, folder) for entry in data] if isinstance(data, list) else data


def _read_list(path: Path, source: Source) -> list[dict[str, Any]]:
    """Rows of a CSV file whose header names keys."""
    name, line = source.where(("design", "file"))

    def wrong(message: str) -> ScenarioError:
        return ScenarioError([Problem(message, "design.file", str(path), source=name, line=line)])

    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        raise wrong("does not exist, is not a file, or is too large")
    try:
        text = path.read_text(encoding="utf-8-sig")
        lines = [(n, [cell.strip() for cell in row]) for n, row in enumerate(csv.reader(text.splitlines()), 1)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise wrong(f"is no CSV file: {error}") from None
    lines = [(n, row) for n, row in lines if any(row)]
    header = lines[0][1] if lines else []
    for key in header:
        if not key or header.count(key) > 1:
            raise wrong("has a column without a name" if not key else f"has two columns {key}")
    for n, row in lines:
        if len(row) != len(header):
            raise wrong(f"has {len(row)} cells in line {n}, and {len(header)} in the header")
        if "" in row:
            raise wrong(f"has no value of {header[row.index('')]} in line {n}")
    return [{key: plain_scalar(cell) for key, cell in zip(header, row, strict=True)} for _, row in lines[1:]]
