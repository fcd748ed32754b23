"""The best numbers of a study: within the ranges of its keys, with limits on measures, for one goal or two.

``global`` is differential evolution [Storn1997] by scipy, followed by Nelder and Mead's simplex; ``noisy`` is the same
without the simplex, which noise would mislead; ``smooth`` is sequential quadratic programming with differences. A point
whose run fails, fails its audit or breaks a limit is worse than any that does not, by how much it breaks them. Two
goals are combined by Chebyshev's norm with several weights; the front is made of all points that were computed.

Every evaluation is kept in a file, one line each. The methods are deterministic, so that a search that is repeated with
these lines takes the same way without computing them again: that is how it is resumed. No more points are asked for
than the caller allows.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from taut.results.errors import ResultError, UnsavedError, from_os_error
from taut.results.store import check_target
from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.studies.designs import Column, tied_columns
from taut.studies.plan import Plan, make_plan
from taut.studies.records import Choice, Fixed, Range, Tied
from taut.studies.running import COMPLETED, STOPPED, run_batch
from taut.studies.study import Study

METHODS = ("global", "noisy", "smooth")
BAD = 1e6  # factor of the cost of a point that breaks limits, far above the goals of allowed points
TOUCHING = 1e-6  # allowed violation of a limit, relative to it: an optimum usually lies on its limits
WEIGHTS = 7  # largest number of weightings between two goals; each gives a point of the Pareto front
FAR = 0.7  # share of the evaluations for differential evolution; the simplex method has the rest
USED_UP = "the evaluations are used up"
Run = Callable[[list[dict[str, Any]]], list[Any]]


class Spent(Exception):  # noqa: N818
    """Raised when as many points were evaluated as are allowed."""


@dataclass(frozen=True)
class Point:
    """A point of the search: its numbers, measures, and how far it breaks limits."""

    values: dict[str, float]
    measures: dict[str, float]
    violation: float  # sum of the violations of limits, relative to them; infinite: the run failed
    cause: str = ""

    @property
    def is_feasible(self) -> bool:
        """Whether the run is good and keeps to all limits."""
        return self.violation <= TOUCHING

    def as_dict(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        return {"values": self.values, "measures": self.measures, "feasible": self.is_feasible, "cause": self.cause}


@dataclass(frozen=True)
class Optimum:
    """Result of a search for an optimum."""

    goals: tuple[str, ...]  # goals in words, such as `minimize worst`
    best: Point | None  # best point for one goal; None if no point keeps to the limits
    front: tuple[Point, ...]  # Pareto front for two goals
    evaluations: int
    is_converged: bool
    message: str

    def spread(self, count: int) -> tuple[Point, ...]:
        """At most so many points of the front, evenly along it: many lie close together."""
        names = [goal.split()[1] for goal in self.goals]
        places = np.array([[point.measures[name] for name in names] for point in self.front])
        if len(places) <= count:
            return self.front
        pieces = np.diff(places / np.maximum(np.ptp(places, axis=0), 1e-300), axis=0)
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(pieces, axis=1))])
        chosen = [int(np.argmin(np.abs(way - mark))) for mark in np.linspace(0.0, way[-1], count)]
        return tuple(self.front[k] for k in dict.fromkeys(chosen))

    def as_dict(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        return {"goals": list(self.goals), "best": self.best.as_dict() if self.best else None,
                "front": [point.as_dict() for point in self.front], "evaluations": self.evaluations,
                "converged": self.is_converged, "message": self.message}  # fmt: skip


@dataclass
class Search:
    """A study as a function of the numbers that may change."""

    plan: Plan
    run: Run
    journal: Path | None = None
    # points computed by this search or read from the journal, by place in the unit cube
    known: dict[tuple[float, ...], Point] = field(default_factory=dict)
    # points that this search has asked for, in their order
    asked: dict[tuple[float, ...], Point] = field(default_factory=dict)
    most: int = 1000  # largest number of points that may be asked for

    def __post_init__(self) -> None:
        """Read what was computed before."""
        vary = self.plan.study.record.vary
        self.names = [key for key, way in vary.items() if isinstance(way, Range)]
        self.box = np.array([(vary[key].low, vary[key].high) for key in self.names])  # type: ignore[union-attr]
        if self.journal is None:
            return
        first = json.dumps({"study": self.plan.study.digest})
        check_target(self.journal)
        try:
            if not self.journal.exists():
                self.journal.write_text(first + "\n", encoding="utf-8")
            lines = self.journal.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as error:
            raise from_os_error(self.journal, error, "cannot be written") from error
        if lines[:1] != [first]:
            raise ResultError(self.journal, "has evaluations of another study", "give another file with -o")
        for line in lines[1:]:
            self._recall(line)

    def _recall(self, line: str) -> None:
        try:
            own = json.loads(line)
            violation = float(own["violation"]) if own["violation"] is not None else np.inf
            measures = {name: np.nan if value is None else value for name, value in own["measures"].items()}
            self.known[tuple(own["at"])] = Point(own["values"], measures, violation, own["cause"])
        except (ValueError, KeyError):  # the last line of the journal is cut off if a search was killed
            return

    def points(self, unit: np.ndarray) -> list[Point]:
        """Evaluate places in the unit cube, shape [n, numbers]; what is known is not computed again.

        Raises:
            Spent: no more may be asked for; as many as were allowed are evaluated.
        """
        places = self.box[:, 0] + np.clip(np.atleast_2d(unit), 0.0, 1.0) * (self.box[:, 1] - self.box[:, 0])
        keys = [tuple(float(x) for x in place) for place in places]
        fresh = list(dict.fromkeys(key for key in keys if key not in self.asked))
        allowed = fresh[: max(self.most - len(self.asked), 0)]
        new = [key for key in allowed if key not in self.known]
        outcomes = self.run([self.values(key) for key in new]) if new else []
        for key, outcome in zip(new, outcomes, strict=True):
            self.known[key] = self.judged(key, outcome)
            self._note(key)
        self.asked |= {key: self.known[key] for key in allowed}
        if len(allowed) < len(fresh):
            raise Spent
        return [self.asked[key] for key in keys]

    def values(self, key: Sequence[float]) -> dict[str, Any]:
        """The numbers at a place of the unit cube, by key of the study."""
        record = self.plan.study.record
        columns = {name: Column(levels=(way.value,), is_fixed=True) for name, way in record.vary.items()
                   if isinstance(way, Fixed)}  # fmt: skip
        for name, x in zip(self.names, key, strict=True):
            whole = getattr(record.vary[name], "whole", False)
            columns[name] = Column(np.array([round(x) if whole else x], float), is_whole=whole)
        return {name: own.value(0) for name, own in tied_columns(record, columns, 1).items()}

    def judged(self, key: tuple[float, ...], outcome: Any) -> Point:
        """How far the limits are broken."""
        measures = {name: float(own[0]) for name, own in outcome.measures.items()}
        values = dict(zip(self.names, key, strict=True))
        is_good = outcome.status in (COMPLETED, STOPPED) and outcome.audit != 2
        if not is_good or not all(np.isfinite(measures[name]) for name in self._needed()):
            return Point(values, measures, np.inf, outcome.cause or "a measure is not finite")
        broken = 0.0
        for limit in self.plan.study.record.limits:
            value = measures[limit.measure]
            for end, sign in ((limit.most, 1.0), (limit.least, -1.0)):
                if end is not None:
                    broken += max(sign * (value - end), 0.0) / max(abs(end), 1e-12)
        return Point(values, measures, broken)

    def _needed(self) -> list[str]:
        record = self.plan.study.record
        return [str(goal.minimize or goal.maximize) for goal in record.goals] + [own.measure for own in record.limits]

    def _note(self, key: tuple[float, ...]) -> None:
        if self.journal is None:
            return
        point = self.known[key]
        plain = {name: value if np.isfinite(value) else None for name, value in point.measures.items()}
        line = json.dumps({"at": list(key), "values": point.values, "measures": plain, "cause": point.cause,
                           "violation": point.violation if np.isfinite(point.violation) else None})  # fmt: skip
        try:
            with open(self.journal, "a", encoding="utf-8") as file:
                file.write(line + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            found = from_os_error(self.journal, error, "cannot be written")
            raise UnsavedError(found.path, found.reason, "make room and add --resume") from error


def optimize(
    study: Study, *, method: str = "global", evaluations: int = 500, client: Any = None, journal: Path | None = None
) -> Optimum:
    """Search the best numbers of a study with goals.

    Args:
        study: its keys with ``from`` and ``to`` may change; its ``goals`` and ``limits`` are kept to.
        method: global, noisy or smooth.
        evaluations: how many points may be looked at.
        client: of Dask, to evaluate several points at a time; None for this process.
        journal: file of all evaluations; those in it already are not computed again.

    Raises:
        ScenarioError: a study without goals, or with keys that a search cannot change.
    """
    check_study(study, method)
    plan = make_plan(study)
    search = Search(plan, runner(plan, client), journal)
    goals = tuple(f"minimize {goal.minimize}" if goal.minimize else f"maximize {goal.maximize}"
                  for goal in study.record.goals)  # fmt: skip
    if len(goals) == 1:
        is_converged, message = minimize(search, lambda point: cost_of(search, point), method, evaluations)
        good = [point for point in search.known.values() if point.is_feasible]
        best = min(good, key=lambda point: goal_values(search, point)[0], default=None)
        return Optimum(goals, best, (), len(search.known), is_converged, message)
    is_converged, message = pareto_search(search, method, evaluations)
    good = [point for point in search.known.values() if point.is_feasible]
    front = pareto_front(good, np.array([goal_values(search, point) for point in good]).reshape(-1, 2))
    return Optimum(goals, None, tuple(front), len(search.known), is_converged, message)


def check_study(study: Study, method: str) -> None:
    """Refuse what cannot be searched."""
    if method not in METHODS:
        raise ScenarioError([Problem("is no method", source=method, remedy=suggest(method, list(METHODS)))])
    if len(study.record.goals) not in (1, 2):
        text = "must have one goal, or two for a Pareto front"
        raise ScenarioError([study.placed(Problem(text, "goals", remedy="goals: [{minimize: worst}]"))])
    for key, way in study.record.vary.items():
        if not isinstance(way, Range | Fixed | Tied) or isinstance(way, Choice):
            text = "cannot be searched: give it a range, or one value"
            raise ScenarioError([study.placed(Problem(text, f"vary.{key}", remedy="{from: 1, to: 2}"))])


def runner(plan: Plan, client: Any) -> Run:
    """Evaluate points in this process, or spread over workers."""

    def here(values: list[dict[str, Any]]) -> list[Any]:
        return run_batch(plan.job, list(enumerate(values)))

    def there(values: list[dict[str, Any]]) -> list[Any]:
        jobs = [client.submit(run_batch, plan.job, [(0, own)], pure=False) for own in values]
        return [outcome for batch in client.gather(jobs) for outcome in batch]

    return here if client is None else there


def goal_values(search: Search, point: Point) -> list[float]:
    """The goals as numbers to make small."""
    return [point.measures[goal.minimize] if goal.minimize else -point.measures[str(goal.maximize)]
            for goal in search.plan.study.record.goals]  # fmt: skip


def cost_of(search: Search, point: Point) -> float:
    """Cost of a single goal, with limits."""
    return goal_values(search, point)[0] if point.is_feasible else penalty(search, point)


def penalty(search: Search, point: Point) -> float:
    """Cost of a point that breaks limits: more than any goal seen, and more the more it breaks."""
    seen = [abs(value) for own in search.asked.values() if own.is_feasible for value in goal_values(search, own)]
    return BAD * (1.0 + max(seen, default=1.0)) * (1.0 + min(point.violation, 1e6))


def minimize(search: Search, cost: Callable[[Point], float], method: str, evaluations: int) -> tuple[bool, str]:
    """Search by the method with so many more points; they are in ``search.known`` afterwards."""
    search.most = len(search.asked) + evaluations
    try:
        return descend(search, cost, method, evaluations)
    except Spent:
        return False, USED_UP


def descend(search: Search, cost: Callable[[Point], float], method: str, evaluations: int) -> tuple[bool, str]:
    """Search by the method until it is satisfied.

    Raises:
        Spent: the number of points that may be asked for is used up first.
    """
    from scipy import optimize as scipy_optimize

    width = len(search.names)

    def many(unit: np.ndarray) -> np.ndarray:
        # scipy passes one column per point
        return np.array([cost(point) for point in search.points(np.asarray(unit).T)])

    def one(unit: np.ndarray) -> float:
        return cost(search.points(unit)[0])

    def free(unit: np.ndarray) -> float:
        # cost without the penalty: this method gets the limits as separate functions
        point = search.points(unit)[0]
        return cost(replace(point, violation=0.0) if np.isfinite(point.violation) else point)

    if method == "smooth":
        found = scipy_optimize.minimize(free, np.full(width, 0.5), method="SLSQP", bounds=[(0.0, 1.0)] * width,
                                        constraints=limit_functions(search),
                                        options={"eps": 1e-4, "maxiter": max(evaluations // (width + 1), 1),
                                                 "ftol": 1e-9})  # fmt: skip
        return bool(found.success), str(found.message)
    far = round(FAR * evaluations) if method == "global" else evaluations
    size = max(5, min(15, far // (10 * width)))
    rounds = max(1, far // (size * width) - 1)
    found = scipy_optimize.differential_evolution(many, [(0.0, 1.0)] * width, popsize=size, maxiter=rounds,
                                                  rng=np.random.default_rng(0), polish=False, vectorized=True,
                                                  updating="deferred", tol=1e-6)  # fmt: skip
    if method == "global":
        better = scipy_optimize.minimize(one, found.x, method="Nelder-Mead", bounds=[(0.0, 1.0)] * width,
                                         options={"xatol": 1e-5, "maxfev": 40 * width})  # fmt: skip
        return True, f"{found.message} {better.message}"
    return bool(found.success), str(found.message)


def limit_functions(search: Search) -> list[dict[str, Any]]:
    """Limits as functions that must not be negative, for sequential quadratic programming."""
    found = []
    for limit in search.plan.study.record.limits:
        for end, sign in ((limit.most, 1.0), (limit.least, -1.0)):
            if end is not None:

                def margin(unit: np.ndarray, name: str = limit.measure, end: float = end, sign: float = sign) -> float:
                    return sign * (end - search.points(unit)[0].measures[name]) / max(abs(end), 1e-12)

                found.append({"type": "ineq", "fun": margin})
    return found


def pareto_search(search: Search, method: str, evaluations: int) -> tuple[bool, str]:
    """Both goals alone, then their Chebyshev norm with weights between."""
    # with few evaluations use few weights, because differential evolution needs several rounds for each
    weights = int(np.clip(evaluations // (20 * len(search.names)) - 2, 1, WEIGHTS))
    share = max(evaluations // (weights + 2), 1)
    messages, is_converged = [], True
    ends = []
    for k in (0, 1):
        done, text = minimize(search, lambda point, k=k: single(search, point, k), method, share)
        is_converged, messages = is_converged and done, [*messages, text]
        good = [goal_values(search, point) for point in search.asked.values() if point.is_feasible]
        ends.append(min(good, key=lambda own, k=k: own[k], default=[0.0, 0.0]))
    low = np.array([ends[0][0], ends[1][1]])
    size = np.maximum(np.abs(np.array([ends[1][0], ends[0][1]]) - low), 1e-12)
    for weight in np.linspace(0.0, 1.0, weights + 2)[1:-1]:

        def cost(point: Point, weight: float = weight) -> float:
            if not point.is_feasible:
                return penalty(search, point)
            scaled = (np.array(goal_values(search, point)) - low) / size
            return float(np.max(scaled * [weight, 1.0 - weight]) + 1e-3 * scaled.sum())

        minimize(search, cost, method, share)
    return is_converged, messages[0]


def single(search: Search, point: Point, k: int) -> float:
    """Cost of one of two goals, with limits."""
    return goal_values(search, point)[k] if point.is_feasible else penalty(search, point)


def pareto_front(points: list[Point], goals: np.ndarray) -> list[Point]:
    """The points that no other one beats in both goals, in the order of the first goal."""
    order, best, front = np.lexsort((goals[:, 1], goals[:, 0])), np.inf, []
    for k in order:
        if goals[k, 1] < best:
            best = float(goals[k, 1])
            front.append(points[k])
    return front
