"""Many machines as one Gymnasium environment: one array in, one array out.

Machines share their model, and are stepped by compiled code on all cores (``taut.loop.fleet``). With ``batched=True``
rewards too are computed for all machines at once. An episode that is over begins anew at the next step
(``AutoresetMode.NEXT_STEP``).
"""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymVectorEnv
from gymnasium.vector.utils import batch_space

from taut.loop.fleet import Fleet
from taut.loop.given import numbers, whole
from taut.loop.gym.env import Env, make
from taut.loop.specs import refuse
from taut.scenario.errors import Problem, ScenarioError


class VectorEnv(GymVectorEnv):
    """Many machines of one kind with one task."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(self, env: Env, count: int, *, threads: int | None = None) -> None:
        """Take an environment and make twins of its plant."""
        whole(count, "count", least=1)
        if threads is not None:
            whole(threads, "threads", least=1)
        self.num_envs, self.task, self.render_mode = count, env.task, None
        self.fleet = Fleet(env.plant, count, threads=threads)
        self.single_action_space, self.single_observation_space = env.action_space, env.observation_space
        self.action_space = batch_space(env.action_space, count)
        self.observation_space = batch_space(env.observation_space, count)
        self._seen = np.zeros((count, len(env.plant.observation_specs)))
        self._steps = env.task.steps(env.plant.period)
        self._left = np.full(count, self._steps)
        self._over = np.zeros(count, bool)
        self._changes: dict[str, Any] | None = None  # numbers of all episodes until the next reset

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begin an episode of every machine.

        Args:
            seed: one number, from which those of all are counted, or a list of one for each.
            options: ``changes``, numbers of the scenario by key, the same for all machines; episodes that begin anew
                at a step have them too.
        """
        unknown = set(options or {}) - {"changes"}
        if unknown:
            raise refuse("is no option of reset", str(sorted(unknown, key=str)[0]), ["changes"])
        seeds = self._seeds(seed)
        super().reset(seed=seeds[0])
        self._changes = (options or {}).get("changes")
        for k, own in enumerate(seeds):
            self._begin(k, own)
        self._over[:] = False
        return self._seen.copy(), {}

    def _seeds(self, seed: Any) -> list[int | None]:
        """A seed for each machine."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, list | tuple | np.ndarray):
            if len(seed) != self.num_envs:
                raise ScenarioError([Problem(f"must be one number, or {self.num_envs}", "seed", value=seed)])
            return [own if own is None else whole(own, "seed") for own in seed]
        first = whole(seed, "seed")
        return [first + k for k in range(self.num_envs)]

    def _begin(self, k: int, seed: int | None = None) -> None:
        # a seed makes the machine that of the scenario before it is changed, not that of the episode before
        seed = int(self.np_random.integers(2**31)) if seed is None else seed
        self._seen[k] = self.fleet.reset(k, seed=seed, changes=self._changes)
        self._left[k] = self._steps

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Go on for one period; machines whose episode was over begin anew instead."""
        actions = numbers(actions, "actions", self.action_space.shape or ())
        goes = ~self._over
        for k in np.flatnonzero(self._over):
            self._begin(int(k))
        self.fleet.advance(actions, self._seen, goes)
        self._left[goes] -= 1
        failed = self.fleet.failed
        rewards, ended = self._judge(goes, failed, actions)
        cut = goes & (self._left <= 0) & ~ended
        self._over = ended | cut
        return self._seen.copy(), rewards, ended, cut, self._told(failed)

    def _told(self, failed: np.ndarray) -> dict[str, Any]:
        """Why motions cannot go on, by machine, and which of them, as Gymnasium wants it; nothing if all can."""
        if not len(failed):
            return {}
        why, which = np.full(self.num_envs, None, object), np.zeros(self.num_envs, bool)
        why[failed], which[failed] = [self.fleet.failures[k] for k in failed], True
        return {"failed": why, "_failed": which}

    def _judge(self, goes: np.ndarray, failed: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rewards of the machines that went on, and which of their episodes have ended."""
        task, times, seen = self.task, self.fleet.times, self._seen
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        rewards[failed], ended[failed] = task.failure, True
        is_judged = goes & ~ended
        if task.batched:
            chosen: Any = slice(None) if is_judged.all() else np.flatnonzero(is_judged)
            rewards[chosen], ended[chosen] = task.judge(*(np.array(own[chosen]) for own in (seen, actions, times)))
        else:
            for k in np.flatnonzero(is_judged):
                rewards[k], ended[k] = task.judge(seen[k], actions[k], times[k])
        return rewards, ended

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.fleet.close()


def make_vector(scenario: Any, count: int, *, threads: int | None = None, **options: Any) -> VectorEnv:
    """Many machines as one environment; ``options`` are those of ``make``."""
    return VectorEnv(make(scenario, **options), count, threads=threads)
