"""Three tasks: a crane that must not swing, a cable robot that picks and places, a drone with a load on a sling."""

from typing import Any

import numpy as np

from taut.loop.gym.env import Env, make
from taut.loop.gym.vector import VectorEnv

TARGET = 5.0  # position to which the crane shall carry its load [m]
# settings for the 4-4 robot: its four exits move together, by three commanded rates
EXITS = [
    *(f"signals.{axis}={{kind: command, acts: rate, lag: 0.05, limits: [-1.5, 1.5]}}" for axis in ("ex", "ey", "ez")),
    "drivers.lift={kind: trajectory, offset: [ex, ey, ez]}",
]
SLING = """
taut: 1
name: drone with a load on a sling
signals:
  f1: &rotor {kind: command, initial: 2.46, lag: 0.03, limits: [0, 6]}
  f2: *rotor
  f3: *rotor
  f4: *rotor
bodies:
  load: {mass: 0.25, sphere: {radius: 0.05}, position: [0, 0, 0.95]}
cables:
  - {name: sling, exit: [0, 0, 2], body: load, anchor: [0, 0, 0.05], driver: drone, elements: 3, length: 1,
     radius: 1e-3, mass_per_length: 5e-3, axial_stiffness: 2e3, axial_damping: 20, bending_stiffness: 1e-4,
     bending_damping: 1e-4}
drivers:
  drone: {kind: quadcopter, mass: 0.755, inertia: [5.57e-3, 5.57e-3, 1.05e-2], arm: 0.169, moment_ratio: 0.1056,
          thrust: [f1, f2, f3, f4], drag: 0.05}
run: {duration: 10, tolerance: 1e-4}
"""


def crane(**options: Any) -> dict[str, Any]:
    """The planar crane of the library, without its controller: carry the load 5 m and let it hang still."""

    def reward(seen: np.ndarray, action: np.ndarray, time: float) -> float:
        x, v, load, rate = seen
        return -(abs(load - TARGET) + abs(x - TARGET) + 0.5 * abs(rate) + 1e-7 * float(action @ action)) * 0.05

    return {"scenario": "crane-2d", "observations": ["x", "v", "load.position.x", "load.velocity.x"],
            "reward": reward, "horizon": 20.0, "period": 0.05, "tolerance": 1e-4} | options  # fmt: skip


def robot(**options: Any) -> dict[str, Any]:
    """The 4-4 cable robot: lift the platform, carry it 0.7 m along x and y, set it down."""
    from taut import library

    goal = np.array([1.4071067811865476, 1.7091865101261623, 0.1])

    def reward(seen: np.ndarray, action: np.ndarray, time: float) -> float:
        over = max(0.0, 0.5 - seen[2]) if np.linalg.norm(seen[:2] - goal[:2]) > 0.1 else 0.0
        return -(float(np.linalg.norm(seen[:3] - goal)) + over + 0.01 * float(action @ action)) * 0.05

    return {"scenario": library.load("mamidi-pick-and-place", EXITS), "reward": reward, "horizon": 6.0, "period": 0.05,
            "observations": ["platform.position", "platform.velocity"], "tolerance": 1e-4} | options  # fmt: skip


def drone(**options: Any) -> dict[str, Any]:
    """A quadcopter that shall hover 1 m aside with its load hanging still; four thrusts are commanded."""
    from taut.scenario import loads

    def reward(seen: np.ndarray, action: np.ndarray, time: float) -> float:
        off = seen[:3] - (1.0, 0.0, 2.0)
        return -(float(np.linalg.norm(off)) + 0.5 * float(np.linalg.norm(seen[13:16] - seen[7:10]))) * 0.02

    def ends(seen: np.ndarray, action: np.ndarray, time: float) -> bool:
        return bool(seen[2] < 1.2 or np.abs(seen[:2]).max() > 5.0 or seen[3] < 0.5)

    names = ["drone.position", "drone.orientation", "drone.velocity", "load.position", "load.velocity"]
    return {"scenario": loads(SLING, "sling"), "reward": reward, "ends": ends, "failure": -10.0, "horizon": 8.0,
            "period": 0.02, "observations": names} | options  # fmt: skip


def crane_anti_swing(**options: Any) -> Env:
    """``crane`` as an environment."""
    return make(**crane(**options))


def pick_and_place(**options: Any) -> Env:
    """``robot`` as an environment."""
    return make(**robot(**options))


def sling_load(**options: Any) -> Env:
    """``drone`` as an environment."""
    return make(**drone(**options))


def crane_anti_swing_many(num_envs: int = 1, **options: Any) -> VectorEnv:
    """Vector environment of many cranes that are to stop without swing."""
    return VectorEnv(crane_anti_swing(**options), num_envs)


def pick_and_place_many(num_envs: int = 1, **options: Any) -> VectorEnv:
    """Vector environment of many pick-and-place robots."""
    return VectorEnv(pick_and_place(**options), num_envs)


def sling_load_many(num_envs: int = 1, **options: Any) -> VectorEnv:
    """Vector environment of many drones with a load on a sling."""
    return VectorEnv(sling_load(**options), num_envs)


EXAMPLES = {
    "taut/CraneAntiSwing-v0": crane_anti_swing,
    "taut/PickAndPlace-v0": pick_and_place,
    "taut/SlingLoad-v0": sling_load,
}
