"""What is done before the first run: the base is run shortly, measures and corners of the design are checked.

The short run compiles what all runs need, so that workers of this machine find it on the disk.
"""

import contextlib
import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.studies.measures import check_measures, measure_shape
from taut.studies.ready import Ready
from taut.studies.robot_measures import check_robot_measures
from taut.studies.running import Job
from taut.studies.store import Shape
from taut.studies.study import Study
from taut.studies.versions import own_versions

SHORT = 0.01  # duration of a trial run that shows which variables results have [s]
MOST_CORNERS = 32
MOST_TRIALS = 10  # most points of which a trial run is tried
# events of any machine: singular positions that a run is told to watch, and the start of a reduced model's range
OTHER_EVENTS = {"gain singularity", "loss singularity", "rom"}
ROBOT_UNITS = {"smallest_tension": "N", "largest_tension": "N"}  # units of the robot measures that have one


@dataclass(frozen=True)
class Plan:
    """A study that was checked."""

    study: Study
    job: Job
    shapes: dict[str, Shape]


def make_plan(study: Study) -> Plan:
    """Check a study by a short run of its first point.

    Raises:
        ScenarioError: a measure that results do not have, or a corner of the design that is refused, with its values.
    """
    check_events(study, check_corners(study))
    shapes = measure_shapes(study)
    record = study.record
    sizes = {name: shape.size for name, shape in shapes.items()}
    job = Job(study.recipe, dict(record.measure), sizes, record.time_limit, record.keep == "results", study.digest,
              own_versions())  # fmt: skip
    return Plan(study, job, shapes)


def measure_shapes(study: Study) -> dict[str, Shape]:
    """Dimensions and units of the measures, by a short run."""
    from taut.build import build

    measures = study.record.measure
    model = build(study.scenario(study.values(0)))
    check_robot_measures(measures, model, study.placed)
    if not any(measure.needs_run for measure in measures.values()):
        return {name: _shape(measure, None) for name, measure in measures.items()}
    result = trial_run(study)
    check_measures(measures, result.dataset, longest(study, model.plan.run.duration), study.placed)
    return {name: _shape(measure, result.dataset) for name, measure in measures.items()}


def trial_run(study: Study) -> Any:
    """A short run of the first point of the study that can begin; others may have loops that cannot be closed.

    Raises:
        ScenarioError: none of some points over the whole study can begin; why the first one cannot.
    """
    from taut.build import build
    from taut.integrate.simulate import simulate

    refused: ScenarioError | None = None
    for run in np.unique(np.linspace(0, study.count - 1, MOST_TRIALS).astype(int)).tolist():
        values = study.values(run)
        try:
            model = build(study.scenario(values))
            return simulate(model, duration=min(SHORT, model.plan.run.duration), audit=False)
        except ScenarioError as error:
            refused = refused or study.recipe.explained(error, values)
    assert refused is not None
    raise refused


def longest(study: Study, duration: float) -> float:
    """The longest run of the study [s]."""
    column = study.table.columns.get("run.duration")
    return duration if column is None else float(np.max(column.as_numbers(study.count)))


def _shape(measure: Any, dataset: Any) -> Shape:
    operation = measure.operation
    meaning = " ".join(f"{key} {value}" for key, value in measure.model_dump(exclude_none=True).items())
    if operation in ("event", "seconds", "period"):
        return Shape(*_along(measure, dataset), "s", meaning)
    if operation == "robot":
        return Shape(unit=ROBOT_UNITS.get(measure.robot, ""), meaning=meaning)
    if operation in ("of", "events"):
        return Shape(unit="1", meaning=meaning)
    unit = str(dataset.variables[getattr(measure, operation)].attrs.get("units", ""))
    return Shape(*_along(measure, dataset), f"{unit} s" if operation == "integral" else unit, meaning)


def _along(measure: Any, dataset: Any) -> tuple[str, tuple[str, ...]]:
    shape = None if measure.operation == "event" else measure_shape(measure, dataset)
    return ("", ()) if shape is None else (shape[0], tuple(shape[1]))


def check_events(study: Study, known: set[str]) -> None:
    """Refuse measures of events that no machine of the study has; ``known`` are those that the corners have."""
    problems = []
    for name, measure in study.record.measure.items():
        event = measure.event or measure.events
        if event is not None and event not in known | OTHER_EVENTS:
            remedy = suggest(event, sorted(known)) or "the machine has no events"
            problems.append(Problem("is no event here", f"measure.{name}.{measure.operation}", event, remedy))
    if problems:
        raise ScenarioError([study.placed(problem) for problem in problems])


def check_corners(study: Study) -> set[str]:
    """Refuse a study in which the smallest or largest value of a parameter, or a corner of all, makes no machine.

    Returns the names of events that these machines can have.
    """
    ready: Ready | None = None
    events: set[str] = set()
    for run in corner_runs(study):
        values = study.values(run)
        study.scenario(values)
        try:
            # most machines are made of the first one by exchanging numbers
            if ready is None:
                ready = Ready(study.recipe, values)
            events |= set(ready.machine(values).names.events)
        except ScenarioError as error:
            raise study.recipe.explained(error, values) from None
    return events


def corner_runs(study: Study) -> list[int]:
    """Runs at the ends of every parameter, and those nearest to the corners of the design."""
    columns = [column.as_numbers(study.count) for column in study.table.varied.values()]
    found = [int(pick(column)) for column in columns for pick in (np.argmin, np.argmax)]
    # also take a run for every level of parameters that are not numbers, or have few levels
    for column in study.table.varied.values():
        if column.codes is not None and len(column.levels) <= MOST_CORNERS:
            found += [int(np.argmax(column.codes == code)) for code in range(len(column.levels))]
    scaled = [(column - column.min()) / (np.ptp(column) or 1.0) for column in columns]
    for corner in itertools.islice(itertools.product((0.0, 1.0), repeat=len(scaled)), MOST_CORNERS):
        distance = sum((own - end) ** 2 for own, end in zip(scaled, corner, strict=True))
        found.append(int(np.argmin(distance)))
    return list(dict.fromkeys([0, *found]))


def warm(job: Job, values: dict[str, Any]) -> None:
    """Compile what runs need, by a short one; errors show in the runs themselves."""
    from taut.build import build
    from taut.integrate.simulate import simulate

    with contextlib.suppress(ScenarioError):
        simulate(build(job.recipe.scenario(values)), duration=SHORT, audit=False)
