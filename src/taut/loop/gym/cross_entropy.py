"""Cross-entropy search of a controller, in numpy alone, and the crane on which it is tried.

From a normal distribution of parameters a population is drawn, the best fifth is kept, and the next distribution has
their mean and deviation [Rubinstein1999]. On the library's planar crane it finds the gains of a state feedback that
knows the swing; the library's PID, which does not, is tuned by the same search with the same number of episodes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut import library
from taut.integrate.stepper import StepError
from taut.loop.gym.examples import TARGET
from taut.loop.plant import Plant

SEEN = ("x", "v", "load.position.x", "load.velocity.x")
PERIOD, HORIZON = 0.05, 25.0  # period of the commands, and length of an episode [s]
NEAR = 0.05  # the load has arrived when it stays within this distance of its goal [m]
LAST = 5.0  # the remaining swing is measured in the last seconds of an episode, this many [s]
FAILED = 1e3  # cost of an episode in which the motion cannot go on
SMALL = 1.0  # force at which the compensation of friction sets in [N]
SWING_WEIGHT = 100.0  # seconds of the cost for one metre of remaining swing


@dataclass(frozen=True)
class Move:
    """Outcome of one move of a crane with its load."""

    time: float  # time after which the load stays near its goal [s]
    swing: float  # largest horizontal distance of load and trolley in the last seconds [m]

    @property
    def cost(self) -> float:
        """Time, and a penalty on the swing."""
        return self.time + SWING_WEIGHT * self.swing


def cross_entropy(
    cost: Callable[[np.ndarray], float], mean: Sequence[float], spread: Sequence[float], *, budget: int, seed: int = 0
) -> tuple[np.ndarray, float]:
    """The best parameters found by a number of evaluations, and their cost."""
    generator, population = np.random.default_rng(seed), max(budget // 12, 8)
    centre, width = np.array(mean, float), np.array(spread, float)
    best, least = centre, np.inf
    for _ in range(max(budget // population, 1)):
        tried = centre + width * generator.standard_normal((population, len(centre)))
        costs = np.array([cost(one) for one in tried])
        order = np.argsort(costs)
        if costs[order[0]] < least:
            best, least = tried[order[0]], float(costs[order[0]])
        elite = tried[order[: max(population // 5, 3)]]
        # a lower bound of the deviation keeps the search from ending too early
        centre, width = elite.mean(axis=0), elite.std(axis=0) + 0.02 * np.array(spread)
    return best, least


def judged(seen: np.ndarray) -> Move:
    """Time and swing of an episode from its observations [step, SEEN]."""
    off = np.flatnonzero(np.abs(seen[:, 2] - TARGET) > NEAR)
    last = seen[-round(LAST / PERIOD) :]
    return Move((off[-1] + 1) * PERIOD if len(off) else 0.0, float(np.abs(last[:, 2] - last[:, 0]).max()))


def feedback(gains: np.ndarray, seen: np.ndarray) -> float:
    """Force [N] by the distance, within a limit, the trolley's rate, the swing and its rate, and against friction."""
    x, v, load, rate = seen
    far = max(abs(gains[4]), 0.1)
    by_place = gains[0] * np.clip(TARGET - x, -far, far) - gains[1] * v
    push = by_place + gains[2] * (load - x) + gains[3] * (rate - v)
    # friction compensation: without it a small force would not move the trolley
    return float(push + gains[5] * np.tanh(push / SMALL))


def fly(plant: Plant, policy: Callable[[np.ndarray], float] | None) -> Move:
    """Run one episode of a plant with a controller; returns how the load moved."""
    seen = flown(plant, policy)
    return judged(seen) if len(seen) else Move(FAILED, FAILED)


def flown(plant: Plant, policy: Callable[[np.ndarray], float] | None) -> np.ndarray:
    """Observations of an episode [step, SEEN]; none if it cannot go on."""
    seen, rows = plant.reset(seed=1), []
    for _ in range(round(HORIZON / PERIOD)):
        try:
            seen = plant.step(None if policy is None else [policy(seen)])
        except StepError:
            return np.zeros((0, len(SEEN)))
        rows.append(seen)
    return np.array(rows)


def crane_plant(settings: Sequence[str] = (), **options: Any) -> Plant:
    """The library's planar crane with the noise of its sensors."""
    scenario = library.load("crane-2d", [f"controllers.place.period={PERIOD}", *settings])
    return Plant(scenario, period=PERIOD, observations=SEEN, noise=True, tolerance=1e-3, **options)


def pid_plant(numbers: np.ndarray) -> Plant:
    """The crane with its PID: kp, ki, kd and the duration of the setpoint."""
    values = np.maximum(numbers[:3], 0.0)
    keys = [f"controllers.place.{key}={value}" for key, value in zip(("kp", "ki", "kd"), values, strict=True)]
    return crane_plant([*keys, f"signals.place.times=[0, {max(numbers[3], 1.0)}]"], commands=[])


def tuned_pid(budget: int, seed: int = 0) -> tuple[np.ndarray, Move]:
    """The library's PID with its numbers tuned, and how it moves."""

    def fly_pid(numbers: np.ndarray) -> Move:
        return fly(pid_plant(numbers), None)

    centre, spread = (60, 0, 120, 10), (40, 3, 80, 3)
    found, _ = cross_entropy(lambda numbers: fly_pid(numbers).cost, centre, spread, budget=budget, seed=seed)
    return found, fly_pid(found)


def learned(budget: int, seed: int = 0) -> tuple[np.ndarray, Move]:
    """The state feedback that the search finds, and how it moves."""
    plant = crane_plant()

    def fly_with(gains: np.ndarray) -> Move:
        return fly(plant, lambda seen: feedback(gains, seen))

    centre, spread = (100, 250, 400, 50, 4, 6), (50, 100, 200, 80, 1.5, 3)
    found, _ = cross_entropy(lambda gains: fly_with(gains).cost, centre, spread, budget=budget, seed=seed)
    return found, fly_with(found)


def main(budget: int = 120) -> None:
    """Search a state feedback and a PID controller of the crane, and print how they move it."""
    for name, search in (("state feedback", learned), ("PID", tuned_pid)):
        numbers, move = search(budget)
        print(f"{name}: arrives after {move.time:.1f} s, {1e3 * move.swing:.1f} mm of swing left")
        print(f"  {numbers.round(2).tolist()}")


if __name__ == "__main__":
    main()
