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

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begin an episode of every machine; ``seed`` is one number, from which those of all are counted, or a list."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds = [seed + k for k in range(self.num_envs)] if isinstance(seed, int) else seed or [None] * self.num_envs
        if len(seeds) != self.num_envs:
            raise ScenarioError([Problem(f"must be one number, or {self.num_envs}", "seed", value=seed)])
        for k, own in enumerate(seeds):
            self._begin(k, own)
        self._over[:] = False
        return self._seen.copy(), {}

    def _begin(self, k: int, seed: int | None = None) -> None:
        if seed is None and self.fleet.is_random:
            seed = int(self.np_random.integers(2**31))
        self._seen[k] = self.fleet.reset(k, seed=seed)
        self._left[k] = self._steps

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Go on for one period; machines whose episode was over begin anew instead."""
        actions = numbers(actions, "actions", self.action_space.shape or ())
        goes = ~self._over
        for k in np.flatnonzero(self._over):
            self._begin(int(k))
        self.fleet.advance(actions, self._seen, goes)
        self._left[goes] -= 1
        rewards, ended = self._judge(np.flatnonzero(goes), actions)
        cut = goes & (self._left <= 0) & ~ended
        self._over = ended | cut
        return self._seen.copy(), rewards, ended, cut, {}

    def _judge(self, chosen: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rewards of these machines, and which of their episodes have ended."""
        task, times = self.task, self.fleet.times
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        failed = np.intersect1d(chosen, self.fleet.failed)
        rewards[failed], ended[failed] = task.failure, True
        chosen = np.setdiff1d(chosen, failed)
        if task.batched:
            rewards[chosen], ended[chosen] = task.judge(self._seen[chosen], actions[chosen], times[chosen])
        else:
            for k in chosen:
                rewards[k], ended[k] = task.judge(self._seen[k], actions[k], times[k])
        return rewards, ended

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.fleet.close()


def make_vector(scenario: Any, count: int, *, threads: int | None = None, **options: Any) -> VectorEnv:
    """Many machines as one environment; ``options`` are those of ``make``."""
    return VectorEnv(make(scenario, **options), count, threads=threads)
