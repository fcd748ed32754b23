"""Moments of a run that are kept for the audit: ends of steps, spread over the run and after its events.

At the end of a step of Radau IIA its last stage satisfies the equations of motion; such a step is iterated to rounding
(``radau.witness``). Of the other methods the state is taken, with the accelerations and multipliers that the engine
finds for it.
"""

from bisect import bisect_left
from typing import Any

import numpy as np

from taut.audit.judge import Seen
from taut.audit.twin.points import NAMES, Points, joined, no_points
from taut.integrate.events.holds import IMPACT_SIZE
from taut.integrate.samples.raw import Samples
from taut.integrate.step.method import Method
from taut.model import Data, Model

SPREAD = 7  # number of moments spread over the run
MOST_AFTER_EVENTS, MOST_AFTER_JUMPS = 4, 4  # further moments kept after events, and after jumps of signals
SAMPLES = 12  # number of samples whose channels the audit recomputes
PREFIX, SAMPLE_PREFIX = "witness_", "witness_sample_"


class Witnesses:
    """Steps and samples of one run that are kept for its audit."""

    def __init__(self, model: Model, span: tuple[float, float], sample_count: int, *, is_any: bool = True) -> None:
        """Plan the moments between start and end of the run [s]; none without an audit."""
        begin, end = span
        self._kept, self._samples = [no_points(model)], [no_points(model)]
        self._last = -1.0  # time of the last moment that was kept [s]
        # numbers of the samples that the audit recomputes
        self.chosen = np.unique(np.linspace(0, sample_count, SAMPLES).astype(int))
        self.planned = np.append(begin, begin + (end - begin) * (np.arange(SPREAD) + 0.5) / SPREAD)
        self.left = [MOST_AFTER_EVENTS, MOST_AFTER_JUMPS]  # moments still to be kept after events, and after jumps
        self.is_after_event = False
        if not is_any:
            self.chosen, self.planned, self.left = self.chosen[:0], self.planned[:0], [0, 0]
        self.numbers: list[int] = self.chosen.tolist()

    @property
    def kept(self) -> Points:
        """The ends of steps that were kept."""
        self._kept = [joined(self._kept)] if len(self._kept) > 1 else self._kept
        return self._kept[0]

    @property
    def samples(self) -> Points:
        """The samples that were kept."""
        self._samples = [joined(self._samples)] if len(self._samples) > 1 else self._samples
        return self._samples[0]

    def aim(self, method: Method) -> None:
        """Tell the method when to keep a step."""
        later = self.planned[self.planned > self._last]
        next_one = method.time if self.is_after_event else (later[0] if len(later) else np.inf)
        method.work.clock["witness"][0] = next_one

    def after_event(self, method: Method, *, is_jump: bool = False) -> None:
        """Keep the first step after an event, or a jump of a signal, if there were few so far."""
        if self.left[is_jump] > 0 and not self.is_after_event:
            self.left[is_jump] -= 1
            self.is_after_event = True
            self.aim(method)

    def steps_to_next(self, method: Method) -> int:
        """Steps of the next call: those of a method that does not stop on its own end about at a planned moment."""
        if method.keeps_stages:
            return method.steps_per_call
        clock = method.work.clock[0]
        if not np.isfinite(clock.witness):
            return method.steps_per_call
        left = (clock.witness - clock.time) / max(clock.step, 1e-300)
        return int(np.clip(np.ceil(left), 1, method.steps_per_call))

    def look(self, method: Method) -> bool:
        """Keep the last step, if it is one of those that were planned, before its event has passed; returns whether."""
        if not method.is_at_witness:
            return False
        method.work.count["is_witness"][0] = 0
        self._kept.append(point_of(method.time, *method.witness()))
        self._last = max(self._last, method.time)
        self.is_after_event = False
        self.aim(method)
        return method.keeps_stages

    def keep_samples(self, first: int, buffer: Samples, count: int, reader: Data) -> None:
        """Keep the chosen ones among samples just taken; ``first`` is the number of the first one."""
        low = bisect_left(self.numbers, first)
        for number in self.numbers[low : bisect_left(self.numbers, first + count)]:
            k = number - first
            found = {"q": buffer.q[k], "v": buffer.v[k], "a": buffer.a[k], "lam": buffer.lam[k], "z": buffer.z[k]}
            self._samples.append(point_of(float(buffer.times[k]), reader, found))

    def seen(self, method: Method, struck: list[tuple[float, ...]]) -> Seen:
        """All that was kept, for the audit; ``struck`` are the impacts."""
        impacts = np.array(struck, float).reshape(-1, IMPACT_SIZE)
        planned = int(np.count_nonzero(self.planned <= method.time))
        return Seen(self.kept, self.samples, method.keeps_stages, method.projections(), planned, impacts)

    def checkpoint(self) -> dict[str, np.ndarray]:
        """The kept moments as arrays, for the journal."""
        found = {PREFIX + name: getattr(self.kept, name) for name in NAMES}
        found |= {SAMPLE_PREFIX + name: getattr(self.samples, name) for name in NAMES}
        return found | {f"{PREFIX}left": np.array([*self.left, self.is_after_event])}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Carry on from a checkpoint of the kept moments."""
        self._kept = [Points(**{name: state[PREFIX + name] for name in NAMES})]
        self._samples = [Points(**{name: state[SAMPLE_PREFIX + name] for name in NAMES})]
        self._last = float(self._kept[0].time.max(initial=-1.0))
        *left, is_after_event = map(int, state[f"{PREFIX}left"])
        self.left, self.is_after_event = left, bool(is_after_event)


def point_of(time: float, data: Data, found: dict[str, Any]) -> Points:
    """One moment, from a workspace and what replaces its entries."""
    values = {"q": data.q, "v": data.v, "a": data.acceleration, "lam": data.lam, "z": data.z} | found
    values |= {"modes": data.modes, "anchors": data.anchors, "side": data.columns["side"], "commands": data.commands}
    values |= {"time": time, "low": data.window[0], "high": data.window[1]}
    return Points(**{name: np.array(values[name], float)[None] for name in NAMES})
