"""When a run begins, is sampled, and has steps end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.integrate.settings import RunSettings
from taut.integrate.state import State
from taut.scenario.errors import Problem, ScenarioError

SAME = 1e-12  # times closer than this, relative to the end time, are merged


@dataclass(frozen=True)
class Schedule:
    """Times and states that a call asks for beside the settings of the run."""

    state: State | None = None  # state at which the run starts; None for the model's start
    save_times: Sequence[float] | np.ndarray | None = None  # times of the samples [s]; None for one every save_every
    stops: Sequence[float] = ()  # further times at which a step must end [s]

    @property
    def is_plain(self) -> bool:
        """Whether the call asks for no state, sample times or stops."""
        return self.state is None and self.save_times is None and not len(self.stops)

    @property
    def begin(self) -> float:
        """The first time of the run [s]."""
        return 0.0 if self.state is None else self.state.time

    def sample_times(self, settings: RunSettings) -> np.ndarray:
        """Times of the samples after the start [s]; the end is always one of them."""
        begin, end = self.begin, settings.duration
        if not begin < end:
            message = f"the run would end at t = {end:.9g} s, and its state is at {begin:.9g} s"
            raise ScenarioError(
                [Problem(message, "duration", remedy="duration is the time of the end; give a later one")]
            )
        if self.save_times is None:
            times = settings.save_times()
            return times[times > begin + SAME * end]
        times = self._checked(begin, end)
        return np.append(times[(times > begin + SAME * end) & (times < end * (1.0 - SAME))], end)

    def _checked(self, begin: float, end: float) -> np.ndarray:
        """The times asked for, in order and within the run."""
        times = np.asarray(self.save_times, float).reshape(-1)
        if not (np.isfinite(times).all() and (np.diff(times) > 0.0).all()):
            raise ScenarioError([Problem("must be finite times in order, none of them twice", "save_times")])
        outside = times[(times < begin - SAME * end) | (times > end * (1.0 + SAME))]
        if len(outside):
            message = f"t = {outside[0]:.9g} s is outside of the run, {begin:.9g} to {end:.9g} s"
            raise ScenarioError([Problem(message, "save_times", remedy="set duration, or leave it out")])
        return times

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON, to recognise a run that is resumed; empty for a plain run."""
        found: dict[str, Any] = {} if self.state is None else {"state": self.state.digest()}
        if self.save_times is not None:
            found["save_times"] = np.asarray(self.save_times, float).tolist()
        return found | ({"stops": [float(time) for time in self.stops]} if len(self.stops) else {})


PLAIN = Schedule()
