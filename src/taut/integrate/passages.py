"""How far a run that passes singular positions is off, by a more exact one.

Near a singular position the closures hardly say which way the machine goes on: two motions that differ by less than the
tolerance before it may differ by centimetres after it, and no equation is violated. So a run that has passed such
positions is made once more by the same method, at a tenth of the tolerance; the largest distance of any point at any
sample is its error, wherever it has grown. A passage behind which both are much farther apart than before it is named.
Where the second run gets stuck, because one of its steps ends too close to the singular position, others are tried, at
another tolerance and by another method: only if none gets past is the run not known to be right.
Where no run can be more exact, the second one is ten times less exact, and the distance more than the error.

A passage is a stretch of samples around a located singular pose, or with condition numbers far above the usual ones of
the run. Watched machines without passages are not run again, unless the run took so many steps between two samples that
it may have passed a singular position there and back. Loops of bodies without a platform or without actuated joints,
such as four-bar linkages, have no such condition numbers: their runs are always made twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from taut.audit.passages import Passages, Passed
from taut.dynamics.residual import place
from taut.integrate.moving import Moving
from taut.integrate.reduced.remarks import range_channels
from taut.integrate.run.reading import Buffers, up_to_next
from taut.integrate.samples.raw import Samples
from taut.integrate.schedule import Schedule
from taut.integrate.settings import ALL_INTEGRATORS, RunSettings
from taut.integrate.state import take_up
from taut.integrate.status import DONE, STOP
from taut.integrate.step.scales import body_radii, extent, placed_at
from taut.integrate.stepper import NobodyLooks
from taut.model import Model, data_beside
from taut.model.enums import ClosureKind
from taut.results.record import COMPLETED, STOPPED
from taut.scenario.records.run import LEAST_TOLERANCE

NEAR = 10.0  # condition numbers above this multiple of the run's median belong to a passage
CLOSER = 10.0  # tolerance of the run divided by that of the second one
EVEN_CLOSER = 30.0  # the same where the second one gets stuck
OTHER_METHODS = ("radau", "explicit")  # methods that are tried then
# a second run counts as stuck beyond this many steps: so many for every step of the run, and these besides
MOST_STEPS, FREE_STEPS = 20, 2000
SEEN = 6  # most steps between two samples in which no singular position is passed there and back: they are small there
CALLED_TWICE = "functions of Python controllers cannot be called a second time"
STUCK = "no run can be more exact than this one, and a less exact one gets stuck"
ROUNDING = 1e-14  # smaller distances are rounding, relative to the machine's size
MOST_COMPARED = 400  # samples at which both runs are compared, besides those around passages: more tell nothing new

Arrays = dict[str, np.ndarray]
Events = Sequence[dict[str, Any]]


class Run(Protocol):
    """What a comparison reads of a run."""

    @property
    def model(self) -> Model:
        """The machine that was run."""
        ...

    @property
    def settings(self) -> RunSettings:
        """The settings of the run."""
        ...

    @property
    def schedule(self) -> Schedule:
        """The time and the state with which the run begins, and its samples."""
        ...

    @property
    def status(self) -> str:
        """The status with which the run ended."""
        ...


@dataclass(frozen=True)
class Passage:
    """A stretch of a run around singular positions, or close to them."""

    first: int  # last sample before the passage
    last: int  # first sample after the passage
    time: float  # time of the worst position [s]
    kind: str  # kind of singularity: gain or loss of freedom
    condition: float  # largest condition number at the samples
    is_through: bool  # whether the singular position itself was passed, not only its neighbourhood
    is_cut: bool  # whether the run ends before the machine is through


def measured(run: Run, arrays: Arrays, events: Events) -> Passages | None:
    """How far a run with passages is off; None if it has none, or steps that do not follow the tolerance.

    Args:
        run: what was run.
        arrays: channels of the run, with ``time``, positions, velocities and condition numbers.
        events: located singular poses.
    """
    model, settings = run.model, run.settings
    is_fixed = settings.step is not None or ALL_INTEGRATORS[settings.integrator].passes_one_sided
    # a reduced machine is no machine of rigid bodies between its closures; a run that broke off has failed anyway
    if run.status not in (COMPLETED, STOPPED) or is_fixed or model.reduced or range_channels([arrays]):
        return None
    conditions = {kind: arrays[name] for kind in ("gain", "loss") if (name := f"condition_{kind}") in arrays}
    ahead = passages(arrays["time"], conditions, events)
    is_watched = bool(conditions)
    is_free = are_seen(arrays) if is_watched else not has_loops_of_bodies(model)
    if not ahead and is_free or len(arrays["time"]) < 2:
        return None
    if any(spec.kind == "python" for spec in model.plan.controllers.values()):
        return Passages((), is_watched=is_watched, left_out=CALLED_TWICE)
    coarser, found = coarseness(settings), Passages(())
    for witness in witnesses(settings, is_begun=run.schedule.state is not None):
        found = compared(Again(model, witness, run.schedule), ahead, arrays)
        if np.isfinite(found.apart):
            break
    if coarser > 1.0 and not np.isfinite(found.apart):
        return Passages((), is_watched=is_watched, left_out=STUCK)
    return replace(found, is_watched=is_watched, error_growth=settings.error_growth, coarser=coarser)


def are_seen(arrays: Arrays) -> bool:
    """Whether a machine was watched closely enough: at samples between which there are few steps."""
    steps = np.bincount(np.searchsorted(arrays["time"], arrays["step_time"]))
    return int(steps.max(initial=0)) <= SEEN


def exactness_of(settings: RunSettings) -> float:
    """Tolerance of the steps of a run."""
    return max(settings.tolerance / settings.error_growth, LEAST_TOLERANCE)


def coarseness(settings: RunSettings) -> float:
    """How many times less exact the second run must be, as none can be more exact; 1: it can."""
    return 1.0 if exactness_of(settings) >= 0.999 * CLOSER * LEAST_TOLERANCE else CLOSER


def witnesses(settings: RunSettings, *, is_begun: bool) -> Iterator[RunSettings]:
    """Settings of more exact runs, in the order in which they are tried until one gets past all singular positions.

    Near rounding they are of less exact ones.

    Args:
        settings: those of the run.
        is_begun: whether the run goes on from a state, which only its own method can take up.
    """
    exactness, coarser = exactness_of(settings), coarseness(settings)
    factors = (CLOSER, EVEN_CLOSER) if coarser == 1.0 else (1.0 / coarser,)
    # dicts as ordered sets
    tolerances = dict.fromkeys(max(exactness / by, LEAST_TOLERANCE) for by in factors)
    for method in dict.fromkeys((settings.integrator, *(() if is_begun else OTHER_METHODS))):
        for tolerance in tolerances:
            yield replace(settings, integrator=method, tolerance=tolerance, error_growth=1.0)


def has_loops_of_bodies(model: Model) -> bool:
    """Whether loops are closed between rigid bodies: not by cables, which give way, nor by prescribed motions."""
    nodes, cables, closures = model.names.nodes, set(model.names.cables), model.tables.closures
    parts = zip(model.names.closures, closures["kind"].tolist(), closures["node_a"].tolist(),
                closures["node_b"].tolist(), strict=True)  # fmt: skip
    return any(kind != ClosureKind.COORDINATE
               and not {part.partition(".")[0] for part in (name, nodes[a], nodes[b])} & cables
               for name, kind, a, b in parts)  # fmt: skip


def compared(again: "Again", ahead: Sequence[Passage], arrays: Arrays) -> Passages:
    """Make the run again, and compare both at samples all over it, and around every passage."""
    count = len(arrays["time"])
    around = {k for passage in ahead for k in (passage.first, passage.last)}
    chosen = np.array(sorted({*np.linspace(0, count - 1, min(count, MOST_COMPARED)).astype(int).tolist(), *around}))
    distances = again.distances(arrays, chosen)
    at = {int(k): max(float(d), ROUNDING) for k, d in zip(chosen, distances, strict=True) if np.isfinite(d)}
    found = tuple(
        Passed(p.time, p.kind, p.condition, p.is_through, at.get(p.last, np.inf) / at.get(p.first, ROUNDING))
        for p in ahead
        if p.first in at
    )
    if again.stuck_at is not None:
        return Passages(found, np.inf, again.stuck_at)
    worst = max(at, key=lambda k: at[k])
    return Passages(found, at[worst], float(arrays["time"][worst]))


def passages(times: np.ndarray, conditions: Arrays, events: Events) -> list[Passage]:
    """Stretches of samples around singular poses; stretches that meet are merged.

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


class Follower(NobodyLooks):
    """Keeps positions of the run that is made again, at some times of the first one."""

    def __init__(self, moving: Moving, times: np.ndarray, most_steps: int) -> None:
        """Begin without positions."""
        super().__init__(moving)
        self.most_steps, self.steps = most_steps, 0
        self.times, self.positions = times, [np.zeros((0, len(moving.data.q)))]
        self.buffers, self.taken = Buffers(moving.model, moving.method.steps_per_call), 0

    def buffer(self, end: float) -> tuple[Samples, int]:
        """Room for the samples up to a time."""
        return self.buffers.up_to(end, self.times[self.taken :]), self.moving.method.steps_per_call

    def stretch(self, ends: np.ndarray) -> int:
        """Segments up to the one with the next sample."""
        return up_to_next(self.times[self.taken :], ends)

    def look(self, buffer: Samples, code: int, steps: int) -> int:
        """Keep the samples of a call."""
        sampled, logged = self.moving.method.take_counts()
        self.moving.controls.forget_log()
        self.positions.append(buffer.q[:sampled].copy())
        self.taken += sampled
        self.steps += logged
        return code

    def is_ended(self) -> bool:
        """Give up a run that creeps towards a singular position by ever smaller steps."""
        return self.steps > self.most_steps


class Again:
    """A second run with other settings."""

    def __init__(self, model: Model, settings: RunSettings, schedule: Schedule) -> None:
        """Begin the run as the first one began, with other settings."""
        self.model, self.schedule = model, schedule
        self.moving = Moving(model, settings)
        self.size = extent(model, placed_at(model, self.moving.data))
        self.radii = body_radii(model, self.size)
        # workspaces for the positions of this run and of the first one
        self.own, self.other = (data_beside(model, self.moving.data) for _ in range(2))
        self.stuck_at: float | None = None  # time beyond which it did not get, though the run did [s]
        if schedule.state is None:
            self.moving.begin()
        else:
            take_up(schedule.state, self.moving)

    def distances(self, arrays: Arrays, chosen: np.ndarray) -> np.ndarray:
        """How far any point is from where the run had it at some samples, against the machine's size.

        What lies behind the end of this run is NaN.
        """
        times = arrays["time"]
        keeper = Follower(self.moving, times[chosen[1:]], MOST_STEPS * len(arrays["step_time"]) + FREE_STEPS)
        code = self.moving.go(self.moving.segments(float(times[0]), float(times[-1]), self.schedule.stops), keeper)
        # a run that ends at an event comes to it a little sooner or later the second time
        if code != DONE and not (code == STOP and self.moving.method.time > times[-2]):
            self.stuck_at = self.moving.method.time
        found = np.full(len(chosen), np.nan)
        found[0] = 0.0
        for i, q in enumerate(np.concatenate(keeper.positions), start=1):
            found[i] = self._distance(q, arrays["joint_position"][chosen[i]], float(times[chosen[i]]))
        return found / self.size

    def _distance(self, q: np.ndarray, own: np.ndarray, time: float) -> float:
        """The largest displacement of any point of any body, from those of the origins and the angles [m]."""
        for data, positions in ((self.other, q), (self.own, own)):
            data.time[0], data.q[:], data.v[:] = time, positions, 0.0
            place(self.model.tables, data)
        here, there = self.other.nodes.view(np.ndarray), self.own.nodes.view(np.ndarray)
        turned = np.linalg.norm(here["R"] - there["R"], axis=1) / np.sqrt(2.0)
        return float(np.max((np.linalg.norm(here["x"] - there["x"], axis=1) + self.radii * turned)[1:]))
