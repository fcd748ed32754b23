"""A reduction from training runs: shapes are added until the reduced machine does what the full one did.

The first run is the scenario itself, the others change some of its settings (inputs, not the machine). Of every cable
that can be reduced, the fields of all samples give the shapes; the reduced machine is then run on all inputs and
compared with the full one, and the number of shapes grows by two while the errors are above the target and fall.
"""

import time as wall
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.analyses.reduction.basis import SPARE_STATIONS, Size, cable_shapes, coefficients
from taut.analyses.reduction.choice import Limits, choose
from taut.analyses.reduction.errors import Errors, compare
from taut.analyses.reduction.fields import elements_of, fields_in, mean_frame, why_full
from taut.analyses.reduction.modes import ModeBasis
from taut.analyses.reduction.way import longest_way
from taut.build import build
from taut.build.cables.ritz_shapes import RitzShapes
from taut.build.reduction.reduced import CableShapes, Validity, filled_up
from taut.build.reduction.reduction import Reduction, build_reduced, machine_text
from taut.integrate.simulate import simulate
from taut.model import Model
from taut.results.result import Result
from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.scenario import Scenario

TARGET = 5e-3  # default of the largest error, in the norm of q - q(0) and in that of the bodies' displacements
KEPT = 2e-3  # share of the motion, in its norm, that the shapes of the first trial may leave out
MOST_DIRECTIONS, MOST_LENGTHS = 24, 4
LEAST_LENGTHS = 2
MORE = 2  # number of shapes added at a time

Report = Callable[[str], None]


@dataclass(frozen=True)
class Training:
    """A training run: its input and what the full machine did."""

    scenario: Scenario
    result: Result
    seconds: float


def reduce_cables(
    scenario: Scenario,
    training: Sequence[Scenario] = (),
    *,
    target: float = TARGET,
    shapes: int | None = None,
    report: Report | None = None,
) -> Reduction:
    """Reduce the cables of a scenario.

    Args:
        scenario: the machine, and the input of the first training run.
        training: the same machine with other inputs.
        target: error of the reduced machine in its training runs, in the norm of q - q(0).
        shapes: shapes of direction per cable; none: as many as the target needs.
        report: told what is going on.

    Raises:
        ScenarioError: no cable can be reduced, a training input belongs to another machine, or a run fails.
    """
    say = report or (lambda text: None)
    model = build(scenario)
    left = {name: why for name in model.names.cables if (why := why_full(model, name))}
    names = [name for name in model.names.cables if name not in left]
    if not names:
        reasons = "; ".join(f"{name}: {why}" for name, why in left.items()) or "it has no cables"
        raise ScenarioError([Problem(f"nothing can be reduced ({reasons})", source=scenario.name)])
    runs = [train(s, machine_text(scenario), say) for s in (scenario, *training)]
    results_full = [run.result for run in runs]
    bases = {name: KINDS[kind_of(scenario, name)].of(model, name, results_full) for name in names}
    taken = choose(bases, runs, trial, Limits(runs, target, say), shapes)
    found, results = taken.shapes, taken.results
    valid = {name: validity(taken.model, name, results) for name in names}
    notes = {
        "inputs": len(runs),
        "coordinates": {name: cable.count for name, cable in found.items()},
        "errors": [errors.as_dict() for errors in taken.errors],
        "target": target,
        "seconds_full": runs[0].seconds,
        "seconds_reduced": taken.seconds,
    }
    way = longest_way(build(scenario), results_full, names)
    made = Reduction(found, valid, machine_text(scenario), left, notes, way=way)
    return replace(made, residual=largest_residual(made, runs))


def largest_residual(made: Reduction, runs: Sequence[Training]) -> float:
    """Largest residual of the full model's equations along the reduced runs on the training inputs."""
    if made.way == 0.0:
        return 0.0
    return max(float(simulate(build_reduced(run.scenario, made))["rom_residual"].max()) for run in runs)


def train(scenario: Scenario, machine: str, say: Report) -> Training:
    """Run the full machine."""
    if machine_text(scenario) != machine:
        problem = "a training run may change inputs and run settings, not the machine"
        raise ScenarioError([Problem(problem, source=scenario.name)])
    say(f"training run: {scenario.name}")
    result, seconds = timed(build(scenario))
    if result.status not in ("completed", "stopped"):
        raise ScenarioError([Problem(f"the training run failed {result.status_text}", source=scenario.name)])
    return Training(scenario, result, seconds)


def timed(model: Model) -> tuple[Result, float]:
    """A run and its seconds; the code that it needs is compiled before."""
    simulate(model, duration=model.scenario.run.save_every)
    begin = wall.perf_counter()
    result = simulate(model)
    return result, wall.perf_counter() - begin


def trial(
    scenario: Scenario, shapes: dict[str, CableShapes | RitzShapes], full: Training
) -> tuple[Errors, float, Result, Model]:
    """Run the reduced machine on one input and compare."""
    model = build(scenario, shapes)
    result, seconds = timed(model)
    return compare(full.result, result), seconds, result, model


@dataclass(frozen=True)
class Basis:
    """Snapshots of one cable of elements, from which its shapes are computed."""

    frame: np.ndarray
    fields: np.ndarray  # fields of all training samples [sample, 3, element]
    start: np.ndarray  # fields at the start [3, element]
    is_spatial: bool
    is_clamped: bool

    @classmethod
    def of(cls, model: Model, cable: str, results: Sequence[Result]) -> "Basis":
        """Read the fields of one cable off the training runs."""
        count = len(model.names.cables[cable])
        said = next(c for c in model.scenario.cables if c.name == cable)
        elements = [elements_of(result, cable, count) for result in results]
        every = np.concatenate(elements)
        frame = mean_frame(every / np.linalg.norm(every, axis=-1, keepdims=True))
        start = fields_in(frame, elements[0][:1])[0]
        is_clamped = said.exit_bending == "clamped"
        return cls(frame, fields_in(frame, every), start, not model.scenario.planar, is_clamped)

    def first_size(self, shapes: int | None) -> Size:
        """The first size to try: shapes needed to leave out no more than the share KEPT of the motion."""
        n = self.fields.shape[-1]
        away = coefficients(self.fields - self.start, n - 1)
        angles = away[:, : 2 if self.is_spatial else 1].reshape(len(away), -1)
        directions = shapes or max(2, needed(angles, MOST_DIRECTIONS))
        lengths = max(LEAST_LENGTHS, needed(away[:, 2], MOST_LENGTHS))
        return Size(directions, min(lengths, n), self.degree(directions))

    def degree(self, directions: int) -> int:
        """Degree of the polynomials for a number of shapes; in space half of them are of each angle.

        Stations are worked on eight at a time: the degree is what the next multiple of eight allows.
        """
        fields = 2 if self.is_spatial else 1
        stations = filled_up(-(-directions // fields) + SPARE_STATIONS)
        return min(stations - SPARE_STATIONS, self.fields.shape[-1] - 1)

    def grown(self, size: Size) -> Size:
        """The size with MORE shapes, as far as there are any."""
        n = self.fields.shape[-1]
        most = min(MOST_DIRECTIONS, n * (2 if self.is_spatial else 1))
        directions = min(size.directions + MORE, most)
        return Size(directions, min(size.lengths + 1, MOST_LENGTHS, n), self.degree(directions))

    def shapes(self, size: Size) -> CableShapes:
        """Shapes of the cable for a given size of the reduced model."""
        return cable_shapes(self.frame, self.fields, self.start, size, is_spatial=self.is_spatial,
                            is_clamped=self.is_clamped)  # fmt: skip


KINDS: dict[str, Any] = {"mrfe": Basis, "ritz": ModeBasis}


def kind_of(scenario: Scenario, cable: str) -> str:
    """Kind of a cable."""
    return next(said.kind for said in scenario.cables if said.name == cable)


def needed(samples: np.ndarray, most: int) -> int:
    """Principal components until no more than the share KEPT is left out."""
    sizes = np.linalg.svd(samples, compute_uv=False)
    rest = np.sqrt(np.cumsum(sizes[::-1] ** 2)[::-1])
    return int(min(most, np.sum(rest > KEPT * max(rest[0], 1e-300))))


def validity(model: Model, cable: str, results: Sequence[Result]) -> Validity:
    """Range of a cable's coordinates and speeds in training."""
    node = model.tables.nodes[model.names.cables[cable][0]]
    q = np.concatenate([r["joint_position"].values for r in results])
    v = np.concatenate([r["joint_velocity"].values for r in results])
    q = q[:, node.coordinate : node.coordinate + node.column_count]
    v = v[:, node.column : node.column + node.column_count]
    return Validity(q.min(axis=0), q.max(axis=0), np.abs(v).max(axis=0))
