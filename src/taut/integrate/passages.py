"""How much a run's passages of singular positions multiply its errors.

Near a singular position the closures hardly say which way the machine goes on: two motions that differ by less than the
tolerance before it may differ by centimetres after it, and no equation is violated. So a run that has passed such
positions is made once more, by the same method: before each of them the machine is moved aside by the exactness of its
steps, positions and velocities, with its loops closed; behind it the distance from the run's own sample is measured.
The product of these growths, times the error that runs of this tolerance have, is what the run may be off.

A passage is a stretch of samples around a located singular pose, or with condition numbers far above the usual ones of
the run. Runs without passages are not made again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from taut.audit.passages import Passages, Passed
from taut.dynamics.residual import consistent_accelerations, least_mass_step, place
from taut.dynamics.tree.positions import move
from taut.integrate.moving import Moving
from taut.integrate.reduced.remarks import range_channels
from taut.integrate.schedule import Schedule
from taut.integrate.settings import ALL_INTEGRATORS, RunSettings
from taut.integrate.start.start_state import close_loops
from taut.integrate.state import take_up
from taut.integrate.status import DONE
from taut.integrate.step.scales import body_radii, extent, placed_at, reaches, time_scale
from taut.integrate.stepper import NobodyLooks
from taut.model import Data, Model, data_beside, new_factor
from taut.results.record import INTERRUPTED

NEAR = 10.0  # condition numbers above this multiple of the run's median belong to a passage
LEAST_ASIDE = 1e-9  # least distance by which the machine is moved aside, against its size: rounding is much less
CALLED_TWICE = "functions of Python controllers cannot be called a second time"
CLOSED = 1e-13  # closure error of the machine that was moved aside [m]

Arrays = dict[str, np.ndarray]
Events = Sequence[dict[str, Any]]


class Run(Protocol):
    """What is read of a run."""

    @property
    def model(self) -> Model:
        """The machine."""
        ...

    @property
    def settings(self) -> RunSettings:
        """Its settings."""
        ...

    @property
    def schedule(self) -> Schedule:
        """When and where it begins."""
        ...

    @property
    def status(self) -> str:
        """How it ended."""
        ...


@dataclass(frozen=True)
class Passage:
    """A stretch of a run around singular positions, or close to them."""

    first: int  # sample before it
    last: int  # sample behind it
    time: float  # time of the worst position [s]
    kind: str  # kind of singularity: gain or loss of freedom
    condition: float  # largest condition number at the samples
    is_through: bool  # whether the singular position itself was passed, not only its neighbourhood
    is_cut: bool  # whether the run ends before the machine is through


def measured(run: Run, arrays: Arrays, events: Events) -> Passages | None:
    """How errors grow in the passages of a run; None if it has none, or steps that do not follow the tolerance.

    Args:
        run: what was run.
        arrays: channels of the run, with ``time``, positions, velocities and condition numbers.
        events: located singular poses.
    """
    model, settings = run.model, run.settings
    conditions = {kind: arrays[name] for kind in ("gain", "loss") if (name := f"condition_{kind}") in arrays}
    is_fixed = settings.step is not None or ALL_INTEGRATORS[settings.integrator].passes_one_sided
    # a reduced machine is no machine of rigid bodies between its closures
    if run.status == INTERRUPTED or not conditions or is_fixed or model.reduced or range_channels([arrays]):
        return None
    ahead = passages(arrays["time"], conditions, events)
    if ahead and any(spec.kind == "python" for spec in model.plan.controllers.values()):
        return Passages((), 1.0, CALLED_TWICE)
    if not ahead:
        return None
    return Passages(grown(Again(model, settings, run.schedule), ahead, arrays), settings.error_growth)


def grown(again: "Again", ahead: Sequence["Passage"], arrays: Arrays) -> tuple[Passed, ...]:
    """The growth of an error in every passage."""
    found: list[Passed] = []
    for passage in ahead:
        growth = again.growth(passage, arrays)
        found.append(Passed(passage.time, passage.kind, passage.condition, passage.is_through, growth))
        # what comes after a machine that got stuck cannot be measured
        if not np.isfinite(growth):
            break
    return tuple(found)


def passages(times: np.ndarray, conditions: Arrays, events: Events) -> list[Passage]:
    """Stretches of samples around singular poses; those that meet are one.

    Args:
        times: of the samples [s].
        conditions: condition numbers at the samples, by kind.
        events: located singular poses, with ``time`` and ``name``.
    """
    count = len(times)
    if count < 2:
        return []
    near = np.zeros(count, bool)
    for values in conditions.values():
        near |= values > NEAR * np.median(values)
    for event in events:
        k = int(np.clip(np.searchsorted(times, event["time"]), 1, count - 1))
        near[k - 1 : k + 1] = True
    edges = np.flatnonzero(np.diff(np.concatenate([[False], near, [False]]).astype(int)))
    stretches: list[list[int]] = []
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        # merge stretches without a sample between them that is well away from both singular positions
        if stretches and begin - 1 <= stretches[-1][1]:
            stretches[-1][1] = int(end)
        else:
            stretches.append([int(begin) - 1, int(end)])
    return [_passage(times, conditions, events, low, high) for low, high in stretches]


def _passage(times: np.ndarray, conditions: Arrays, events: Events, low: int, high: int) -> Passage:
    """The passage between two samples, which may lie one beyond the ends of the run."""
    first, last = max(low, 0), min(high, len(times) - 1)
    peaks = {kind: first + int(np.argmax(values[first : last + 1])) for kind, values in conditions.items()}
    kind = max(peaks, key=lambda kind: conditions[kind][peaks[kind]])
    inside = [e for e in events if times[first] <= e["time"] <= times[last]]
    same = [e for e in inside if e["name"].startswith(kind)]
    nearest = min(same or inside, key=lambda e: abs(e["time"] - times[peaks[kind]]), default=None)
    time = float(times[peaks[kind]]) if nearest is None else float(nearest["time"])
    kind = kind if nearest is None else nearest["name"].split()[0]
    peak = float(conditions[kind][peaks[kind]])
    return Passage(first, last, time, kind, peak, nearest is not None, is_cut=high > last)


class Again:
    """A run once more, moved aside before each passage."""

    def __init__(self, model: Model, settings: RunSettings, schedule: Schedule) -> None:
        """Set out as the run did."""
        self.model, self.stops = model, schedule.stops
        # measured at the plain tolerance: the growth hardly depends on it, and steps near rounding would spoil it
        exactness = max(settings.tolerance / settings.error_growth, LEAST_ASIDE)
        self.moving = Moving(model, replace(settings, tolerance=exactness, error_growth=1.0))
        placed = placed_at(model, self.moving.data)
        self.size = extent(model, placed)
        self.radii = body_radii(model, self.size)
        self.reach = reaches(model, placed, self.radii)
        self.time_scale = time_scale(model, self.size)
        self.aside = exactness * self.size
        self.factor = new_factor(model)
        self.own = data_beside(model, self.moving.data)  # workspace of the run's samples
        if schedule.state is None:
            self.moving.begin()
        else:
            take_up(schedule.state, self.moving)
        self.keeper = NobodyLooks(self.moving)
        self.random = np.random.default_rng(0)

    def growth(self, passage: Passage, arrays: Arrays) -> float:
        """How many times an error grows in a passage; infinite if the machine, moved aside, does not get through."""
        if not self._advance(float(arrays["time"][passage.first])):
            return np.inf
        before = self.distance(arrays, passage.first)
        if before < self.aside:
            before = self._move_aside(arrays, passage.first)
        if not self._advance(float(arrays["time"][passage.last])):
            return np.inf
        return self.distance(arrays, passage.last, is_position=passage.is_cut) / before

    def _advance(self, time: float) -> bool:
        """Go to a time; whether the machine got there."""
        now = self.moving.method.time
        segments = self.moving.segments(now, time, [t for t in self.stops if now < t < time]) if time > now else []
        return self.moving.go(segments, self.keeper) == DONE if segments else True

    def distance(self, arrays: Arrays, k: int, *, is_position: bool = False) -> float:
        """How far any point is from where the run had it [m]; velocities count by the machine's time scale."""
        mine = self.moving.method.state()
        self._sample(arrays, k)
        place(self.model.tables, mine)
        place(self.model.tables, self.own)
        here, there = mine.nodes.view(np.ndarray), self.own.nodes.view(np.ndarray)
        found = self._farthest(here["x"] - there["x"], np.linalg.norm(here["R"] - there["R"], axis=1) / np.sqrt(2.0))
        if not is_position:
            turns = np.linalg.norm(here["w"] - there["w"], axis=1)
            found = max(found, self.time_scale * self._farthest(here["v"] - there["v"], turns))
        return found

    def _farthest(self, moved: np.ndarray, turned: np.ndarray) -> float:
        """Largest displacement of any point of any body, from those of the origins and the angles."""
        return float(np.max((np.linalg.norm(moved, axis=1) + self.radii * turned)[1:]))

    def _sample(self, arrays: Arrays, k: int) -> None:
        """The run's sample in the workspace."""
        self.own.time[0] = arrays["time"][k]
        self.own.q[:], self.own.v[:] = arrays["joint_position"][k], arrays["joint_velocity"][k]

    def _move_aside(self, arrays: Arrays, k: int) -> float:
        """Move the machine by the error that a run may have; returns how far it is from the run now [m]."""
        data = self.moving.method.state()
        q, v = data.q.copy(), data.v.copy()
        aside, faster = (self.random.normal(size=len(v)) / self.reach for _ in range(2))
        size, distance = self.aside / np.sqrt(len(v)), 0.0
        # closing the loops shortens the displacement: measure it, and try once more with the size corrected for that
        for _ in range(2):
            self._moved(data, q, v, size * aside, size / self.time_scale * faster)
            distance = self.distance(arrays, k)
            size *= self.aside / max(distance, 1e-3 * self.aside)
        return distance

    def _moved(self, data: Data, q: np.ndarray, v: np.ndarray, aside: np.ndarray, faster: np.ndarray) -> None:
        """Go on from a state that is moved aside, its loops closed."""
        tables, step = self.model.tables, np.zeros(len(v))
        move(tables, q, aside, data.q)
        close_loops(self.model, data, CLOSED, is_solved=True)
        data.v[:] = v + faster
        place(tables, data)
        least_mass_step(tables, data, self.factor, True, step)
        data.v[:] += step
        place(tables, data)
        consistent_accelerations(tables, data, self.factor)
        self.moving.method.take(data)
        self.moving.method.restart()
