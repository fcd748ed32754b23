"""Ten thousand random poses of random robots: tensions within limits and in balance, or a proof that there are none.

Everything is judged anew in numpy: limits, balance to 1e-9 of the terms, and for an infeasible wrench the direction in
which no tensions within the limits reach it. One pose of every robot is also asked of scipy's HiGHS.
"""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import linprog

from taut.robots.lengths import lengths
from taut.robots.robot import Robot
from taut.robots.tensions import Tensions, tensions
from taut.verify.quantity import Quantity, at_most

ROBOTS, POSES = 500, 20
BALANCED = 1e-9
SOURCE = "judged anew, and by HiGHS"


def random_robots() -> Iterator[Quantity]:
    """Poses with a wrong answer, or none, and robots on which HiGHS disagrees."""
    wrong, apart, counts = 0, 0, np.zeros(2, int)
    for seed in range(ROBOTS):
        robot, poses = random_robot(np.random.default_rng(seed))
        W, found = lengths(robot, poses).structure, tensions(robot, poses)
        good, proved = judge(W, found)
        wrong += int(np.sum(~(good | proved)))
        counts += [good.sum(), proved.sum()]
        apart += int(is_possible(robot, W[0], found.wrenches[0]) != good[0])
    yield at_most(f"random robots, wrong answers of {ROBOTS * POSES}", wrong, 0, SOURCE)
    yield at_most(f"random robots, of {ROBOTS} HiGHS says otherwise", apart, 0, SOURCE)
    # check the test itself: if nearly all answers were of one kind, nothing would be tested
    yield at_most("random robots, share of the commoner answer", counts.max() / counts.sum(), 0.95, SOURCE)


def random_robot(rng: np.random.Generator) -> tuple[Robot, np.ndarray]:
    """A robot with random exits on a frame, random anchors, limits, mass, and poses inside."""
    freedom = ("spatial", "planar-xz", "planar-xy", "point")[rng.integers(4)]
    count = {"spatial": 6, "planar-xz": 3, "planar-xy": 3, "point": 3}[freedom] + int(rng.integers(0, 5))
    size = 10.0 ** rng.uniform(-0.5, 2.0)
    exits = size * rng.choice([-1.0, 1.0], (count, 3)) * rng.uniform(0.7, 1.0, (count, 3))
    anchors = 0.1 * size * rng.uniform(-1.0, 1.0, (count, 3)) * (freedom != "point")
    weight = 10.0 ** rng.uniform(0.0, 3.0)
    low = weight * rng.uniform(0.0, 0.3, count) * rng.integers(0, 2)
    high = low + weight * 10.0 ** rng.uniform(0.0, 1.5, count)
    robot = Robot("random", tuple(f"C{k}" for k in range(count)), exits, anchors, freedom=freedom, tension_min=low,
                  tension_max=high, mass=weight / 9.81, radii=rng.integers(0, 2) * 0.01 * size,
                  gravity=(0.0, 0.0, -9.81) if freedom != "planar-xy" else (0.0, -9.81, 0.0))  # fmt: skip
    poses = rng.uniform(-0.5, 0.5, (POSES, robot.freedoms)) * np.where(robot.rows < 3, size, 0.4)
    return robot, poses


def judge(W: np.ndarray, found: Tensions) -> tuple[np.ndarray, np.ndarray]:
    """Whether tensions hold, and whether the proof of their absence does, by pose."""
    (lo, hi), f, w = found.limits, found.tensions, found.wrenches
    terms = np.einsum("knm,km->kn", np.abs(W), np.abs(f)) + np.abs(w)
    gap = np.abs(np.einsum("knm,km->kn", W, f) - w).max(axis=1) / terms.max(axis=1)
    good = found.is_within & (gap <= BALANCED) & np.all((f >= lo) & (f <= hi), axis=1)
    y = np.einsum("knm,kn->km", W, found.directions)
    nearest = np.minimum(y * lo, y * hi).sum(axis=1) - np.sum(found.directions * w, axis=1)
    return good, ~found.is_feasible & (nearest > 0.0)


def is_possible(robot: Robot, W: np.ndarray, w: np.ndarray) -> bool:
    """Whether HiGHS finds tensions."""
    bounds = np.stack([robot.tension_min, robot.tension_max], 1)
    return linprog(np.ones(W.shape[1]), A_eq=W, b_eq=w, bounds=bounds).status == 0
