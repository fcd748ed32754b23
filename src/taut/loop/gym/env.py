"""One machine as a Gymnasium environment."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from taut.integrate.stepper import StepError
from taut.loop.changes import Draw
from taut.loop.given import is_number, mapping, numbers, positive_time
from taut.loop.plant import Plant
from taut.loop.specs import Spec, refuse
from taut.scenario.errors import Problem, ScenarioError

# function of observations, commands and time [s] that gives a reward, or whether the episode is over
Judge = Callable[[np.ndarray, np.ndarray, float], Any]


@dataclass(frozen=True)
class Task:
    """Reward, end of episodes and spaces that an environment adds to a plant."""

    reward: Judge
    horizon: float  # length of an episode [s]
    ends: Judge | None = None  # whether an episode is over before the horizon; None: never
    failure: float = 0.0  # reward of the step in which the motion cannot go on
    batched: bool = False  # whether reward and ends take and return arrays with a row for each machine

    def __post_init__(self) -> None:
        """Refuse what cannot be called, and an episode without length."""
        positive_time(self.horizon, "horizon")
        for key, judge in (("reward", self.reward), ("ends", self.ends)):
            if not callable(judge) and (key == "reward" or judge is not None):
                message = "must be a function of observations, action and time"
                raise ScenarioError([Problem(message, key, value=judge)])

    def judge(self, seen: np.ndarray, action: np.ndarray, time: Any) -> tuple[Any, Any]:
        """Reward, and whether the episode is over; of many machines if ``batched``."""
        reward = self.reward(seen, action, time)
        ended = self.ends(seen, action, time) if self.ends is not None else np.zeros(np.shape(time), bool)
        if not self.batched:
            return float(reward), bool(ended)
        for key, found in (("reward", reward), ("ends", ended)):
            if np.shape(found) != np.shape(time):
                message = f"must give an array of shape {np.shape(time)}, not {np.shape(found)}: batched is true"
                raise ScenarioError([Problem(message, key)])
        return reward, ended

    def steps(self, period: float) -> int:
        """Number of steps of an episode."""
        return max(int(round(self.horizon / period)), 1)


def action_space(commands: Sequence[Spec], limits: Mapping[str, tuple[float, float]]) -> spaces.Box:
    """A box of the commands' limits, or of those in ``limits``, by name."""
    for name, pair in mapping(limits, "limits").items():
        if name not in [spec.name for spec in commands]:
            raise refuse("is no command of this environment", name, [spec.name for spec in commands])
        is_pair = isinstance(pair, list | tuple | np.ndarray) and len(pair) == 2 and all(map(is_number, pair))
        if not is_pair or pair[0] > pair[1]:
            raise ScenarioError([Problem("must be (low, high)", f"limits.{name}", value=pair)])
    low, high = (np.array([limits.get(spec.name, (spec.low, spec.high))[k] for spec in commands]) for k in (0, 1))
    for spec, a, b in zip(commands, low, high, strict=True):
        if not (np.isfinite(a) and np.isfinite(b)):
            remedy = f"give limits={{{spec.name!r}: (low, high)}}, or limits in the scenario"
            raise ScenarioError([Problem("an action needs limits", spec.name, remedy=remedy)])
    return spaces.Box(low, high, dtype=np.float64)


def observation_space(observations: Sequence[Spec]) -> spaces.Box:
    """A box without limits."""
    if not observations:
        remedy = "name some, such as load.position, or give the scenario measurements"
        raise ScenarioError([Problem("an environment needs observations", remedy=remedy)])
    return spaces.Box(-np.inf, np.inf, (len(observations),), np.float64)


class Env(gymnasium.Env):
    """A plant with a reward. Actions and observations are in SI units, in the order of the plant's specs."""

    metadata = {"render_modes": []}

    def __init__(self, plant: Plant, task: Task, *, limits: Mapping[str, tuple[float, float]] | None = None) -> None:
        """Take a plant and a task."""
        self.plant, self.task, self.render_mode = plant, task, None
        self.action_space = action_space(plant.command_specs, limits or {})
        self.observation_space = observation_space(plant.observation_specs)
        self._left = task.steps(plant.period)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begin an episode.

        Args:
            seed: of noise and randomised numbers.
            options: ``changes``, numbers of the scenario by key, for this episode; or ``snapshot``, where to begin.
        """
        super().reset(seed=seed)
        unknown = set(options or {}) - {"changes", "snapshot"}
        if unknown:
            raise refuse("is no option of reset", sorted(unknown)[0], ["changes", "snapshot"])
        self._left = self.task.steps(self.plant.period)
        # without a seed draw one from the generator, so that episodes differ and yet a seeded series repeats; a seed
        # also makes the machine that of the scenario before it is changed, not that of the episode before
        drawn = int(self.np_random.integers(2**31)) if seed is None else seed
        found = self.plant.reset(seed=drawn, changes=(options or {}).get("changes"))
        if options and options.get("snapshot") is not None:
            found = self.plant.restore(options["snapshot"])
        return found, {"time": self.plant.time}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Set commands and go on for one period."""
        task, plant = self.task, self.plant
        action = numbers(action, "action", (len(plant.commands),), "its order is that of plant.commands")
        self._left -= 1
        try:
            found = plant.step(action)
        except StepError as error:
            info = {"time": plant.time, "failed": str(error)}
            return plant.observe(), float(task.failure), True, False, info
        if task.batched:
            rewards, over = task.judge(found[None], action[None], np.array([plant.time]))
            reward, ended = float(rewards[0]), bool(over[0])
        else:
            reward, ended = task.judge(found, action, plant.time)
        return found, reward, ended, self._left <= 0, {"time": plant.time}


def make(  # noqa: PLR0913 (keywords)
    scenario: Any,
    *,
    reward: Judge,
    horizon: float,
    observations: Sequence[str] | None = None,
    actions: Sequence[str] | None = None,
    limits: Mapping[str, tuple[float, float]] | None = None,
    ends: Judge | None = None,
    failure: float = 0.0,
    batched: bool = False,
    period: float = 0.02,
    randomise: Mapping[str, Draw] | None = None,
    noise: bool = False,
    **settings: Any,
) -> Env:
    """A machine as a Gymnasium environment.

    Args:
        scenario: a scenario, a file, the name of a library scenario, or a model.
        reward: function of observations, action and time [s].
        horizon: length of an episode, after which it is truncated [s].
        observations: names, see ``taut.loop.specs``; None for the measurements of the scenario.
        actions: commands; None for all.
        limits: of actions, by name; else those of the scenario.
        ends: function as ``reward``; whether the episode is over.
        failure: reward of a step after which the motion cannot go on; such an episode ends.
        batched: whether ``reward`` and ``ends`` take arrays with a row for each machine, and give as many answers: then
            ``make_vector`` needs no Python for a machine.
        period: of a step [s].
        randomise: keys of the scenario with ranges that are drawn from at a reset.
        noise: whether observations have the faults of their sensors.
        settings: those of a run, such as ``integrator`` and ``step``.
    """
    plant = Plant(scenario, period=period, observations=observations, commands=actions, randomise=randomise,
                  noise=noise, **settings)  # fmt: skip
    return Env(plant, Task(reward, horizon, ends, failure, batched), limits=limits)
