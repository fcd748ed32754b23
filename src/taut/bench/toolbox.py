"""What the questions of a cable robot cost: lengths, tensions by every method, capacity margins, each per pose.

The same tension problems (smallest sum of squares within limits, random feasible poses of IPAnema 3, many with active
limits) are solved by ours, from Python and in a compiled loop, by daqp where it is installed, and by scipy's HiGHS (the
linear program of the smallest sum). Tensions are compared, and the residual of the optimality conditions is ours alone.
"""

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.optimize import linprog

from taut import library
from taut.bench.timing import best_seconds, elapsed, one_core
from taut.kernels.robots.columns import COLUMNS
from taut.kernels.robots.grids import cable_rows, margin_rows, tension_rows
from taut.kernels.robots.interior import new_interior
from taut.kernels.robots.solver import TensionSolver
from taut.kernels.threads import core_count
from taut.robots.from_model import robot_of
from taut.robots.poses import new_robot_task, reach_poses
from taut.robots.robot import Robot
from taut.robots.rules import RULES, Wanted
from taut.robots.tensions import tensions
from taut.robots.workspaces.fields import Demand, margins

MACHINE, POSES, GRID, FEW = "ipanema-3", 200, 100_000, 5
HALF = np.array([100.0, 100.0, 100.0, 30.0, 30.0, 30.0])


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    robot = robot_of(library.load(MACHINE))
    poses = feasible_poses(robot)
    W, w = problems(robot, poses)
    report(f"tensions of {len(poses)} poses of {MACHINE}")
    with one_core():
        micro = {**solver_times(robot, W, w), **pose_times(robot, poses)}
    report(f"capacity margins of {GRID} poses on {core_count()} cores")
    found = {"machine": MACHINE, "poses": len(poses), "microseconds": micro, "cores": core_count(),
             "margin_seconds_100000": grid_seconds(robot), **accuracy(robot, W, w)}  # fmt: skip
    peer, ours = micro.get("daqp"), micro["qp, solver object"]
    found["faster_than_daqp"] = None if peer is None else peer / ours
    found["faster_than_daqp_compiled"] = None if peer is None else peer / micro["qp, compiled loop"]
    return found


def feasible_poses(robot: Robot) -> np.ndarray:
    """Random poses that the cables can hold."""
    rng = np.random.default_rng(0)
    low, high = np.array([-6.5, -4.5, 0.0, -0.15, -0.15, -0.15]), np.array([6.5, 4.5, 2.8, 0.15, 0.15, 0.15])
    poses = rng.uniform(low, high, (3 * POSES, 6))
    return poses[tensions(robot, poses).is_feasible][:POSES]


def problems(robot: Robot, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Structure matrices and wrenches."""
    return np.ascontiguousarray(reach_poses(robot, poses).W), tensions(robot, poses).wrenches


def solver_times(robot: Robot, W: np.ndarray, w: np.ndarray) -> dict[str, float]:
    """Microseconds of one solution, called from Python."""
    lo, hi = np.array(robot.tension_min), np.array(robot.tension_max)
    wanted = Wanted(lo, hi, np.zeros(len(lo)), 4.0, new_interior(len(lo), len(w[0])))
    calls: dict[str, Callable[[int], object]] = {name: looped(rule, (W, w), wanted) for name, rule in RULES.items()}
    calls["qp, solver object"] = solver_calls(W, w, TensionSolver((lo, hi), W.shape[1]))
    if find_spec("daqp") is not None:
        calls["daqp"] = daqp_calls(W, w, lo, hi)
    found = {name: 1e6 * seconds / len(W) for name, seconds in best_seconds(calls).items()}
    few = highs_calls(W[:FEW], w[:FEW], lo, hi)
    found["scipy HiGHS, smallest sum"] = 1e6 * min(elapsed(few, 1) for _ in range(FEW)) / FEW
    return found


def looped(rule: Any, given: tuple[np.ndarray, np.ndarray], wanted: Wanted) -> Callable[[int], None]:
    """Calls of a rule, one pose after the other."""
    W, w = list(given[0]), list(given[1])
    f, count = np.zeros(given[0].shape[2]), len(W)

    def calls(many: int) -> None:
        for _ in range(many):
            for k in range(count):
                rule(W[k], w[k], wanted, f)

    return calls


def solver_calls(W: np.ndarray, w: np.ndarray, solver: TensionSolver) -> Callable[[int], None]:
    """Calls of the solver that keeps limits and result."""
    pairs = list(zip(W, w, strict=True))

    def calls(many: int) -> None:
        for _ in range(many):
            for A, b in pairs:
                solver(A, b)

    return calls


def daqp_calls(W: np.ndarray, w: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> Callable[[int], None]:
    """Calls of daqp for the quadratic program of the solver: bounds first, then W f = w."""
    import daqp  # pyright: ignore[reportMissingImports]

    (k, n, m), H, g = W.shape, np.eye(W.shape[2]), np.zeros(W.shape[2])
    sense = np.concatenate([np.zeros(m), np.full(n, 5)]).astype(np.int32)
    upper = [np.concatenate([hi, row]) for row in w]
    lower = [np.concatenate([lo, row]) for row in w]

    def calls(many: int) -> None:
        for _ in range(many):
            for i in range(k):
                daqp.solve(H, g, W[i], upper[i], lower[i], sense)

    return calls


def highs_calls(W: np.ndarray, w: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> Callable[[int], None]:
    """The linear program by HiGHS."""
    bounds, cost = np.stack([lo, hi], 1), np.ones(len(lo))

    def calls(many: int) -> None:
        for _ in range(many):
            for A, b in zip(W, w, strict=True):
                linprog(cost, A_eq=A, b_eq=b, bounds=bounds)

    return calls


def pose_times(robot: Robot, poses: np.ndarray) -> dict[str, float]:
    """Microseconds per pose of compiled loops: lengths, tensions and margins from the pose on."""
    full, k, m = robot.full_poses(poses), len(poses), len(robot.cables)
    task, out = new_robot_task(robot, half=HALF), [np.zeros(k) for _ in range(3)]
    cables, W, codes, f = np.zeros((k, m, COLUMNS)), np.zeros((k, 6, m)), np.zeros(k, np.int64), np.zeros((k, m))
    calls: dict[str, Callable[[int], object]] = {
        "inverse kinematics, compiled loop": lambda n: [
            cable_rows(task, full, 0, k, cables, W, codes) for _ in range(n)
        ],
        "qp with its kinematics, compiled loop": lambda n: [
            tension_rows(task, full, 0, k, f, codes, out[0]) for _ in range(n)
        ],
        "capacity margin of a box, compiled loop": lambda n: [margin_rows(task, full, 0, k, *out) for _ in range(n)],
    }
    found = {name: 1e6 * seconds / k for name, seconds in best_seconds(calls).items()}
    lengths, solved = found["inverse kinematics, compiled loop"], found["qp with its kinematics, compiled loop"]
    return {**found, "qp, compiled loop": solved - lengths}


def grid_seconds(robot: Robot) -> float:
    """Seconds for the margins of many poses, in threads."""
    rng = np.random.default_rng(1)
    poses = rng.uniform([-7, -5, 0, -0.1, -0.1, -0.1], [7, 5, 2.8, 0.1, 0.1, 0.1], (GRID, 6))
    start = time.perf_counter()
    margins(robot, Demand(wrench=HALF), poses)
    return time.perf_counter() - start


def accuracy(robot: Robot, W: np.ndarray, w: np.ndarray) -> dict[str, Any]:
    """Residual of the optimality conditions against the tensions; differences from what daqp and HiGHS find."""
    lo, hi, worst, apart = robot.tension_min, robot.tension_max, 0.0, None
    wanted = Wanted(np.array(lo), np.array(hi), np.zeros(len(lo)), 4.0, new_interior(len(lo), len(w[0])))
    f = np.zeros(len(lo))
    for A, b in zip(W, w, strict=True):
        RULES["qp"](A, b, wanted, f)
        worst = max(worst, optimality(A, b, f, (np.asarray(lo), np.asarray(hi))))
        if find_spec("daqp") is not None:
            apart = max(apart or 0.0, abs(f @ f / daqp_squares(A, b, lo, hi) - 1.0))
    return {"optimality_residual": worst, "squares_apart_from_daqp": apart,
            "sums_apart_from_highs": sums_apart(W[:FEW], w[:FEW], wanted)}  # fmt: skip


def sums_apart(W: np.ndarray, w: np.ndarray, wanted: Wanted) -> float:
    """Largest relative difference of our smallest sums of tensions from those of HiGHS."""
    f, bounds, worst = np.zeros(W.shape[2]), np.stack([wanted.lo, wanted.hi], 1), 0.0
    for A, b in zip(W, w, strict=True):
        RULES["lp"](A, b, wanted, f)
        other = linprog(np.ones(len(f)), A_eq=A, b_eq=b, bounds=bounds).fun
        worst = max(worst, abs(float(f.sum()) / float(other) - 1.0))
    return worst


def optimality(W: np.ndarray, w: np.ndarray, f: np.ndarray, limits: tuple[np.ndarray, np.ndarray]) -> float:
    """Largest violation of W f = w and of f = W^T c + (what limits push), against the largest tension."""
    free = (f > limits[0]) & (f < limits[1])
    c = np.linalg.lstsq(W.T[free], f[free], rcond=None)[0]
    push = f - W.T @ c
    wrong = np.where(free, np.abs(push), np.where(f <= limits[0], np.maximum(-push, 0.0), np.maximum(push, 0.0)))
    # with fewer free cables than equations c is not unique: then only the balance can be judged
    slope = float(wrong.max()) if free.sum() >= len(w) else 0.0
    return max(slope, float(np.abs(W @ f - w).max())) / float(f.max())


def daqp_squares(W: np.ndarray, w: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> float:
    """daqp's smallest sum of squares."""
    import daqp  # pyright: ignore[reportMissingImports]

    n, m = W.shape
    sense = np.concatenate([np.zeros(m), np.full(n, 5)]).astype(np.int32)
    f = daqp.solve(np.eye(m), np.zeros(m), W, np.concatenate([hi, w]), np.concatenate([lo, w]), sense)[0]
    return float(f @ f)


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    found = [f"{figures['machine']}: microseconds per pose, one core, {figures['poses']} poses in turn"]
    found += [f"  {name:<42} {value:10.2f}" for name, value in figures["microseconds"].items()]
    found.append(
        f"  capacity margins of 100 000 poses on {figures['cores']} cores: {figures['margin_seconds_100000']:.2f} s"
    )
    found.append(
        f"  residual of the optimality conditions: {figures['optimality_residual']:.1e} of the largest tension"
    )
    found.append(f"  smallest sums of tensions differ from those of HiGHS by {figures['sums_apart_from_highs']:.1e}")
    if figures["faster_than_daqp"] is None:
        return [*found, "  daqp is not installed (pip install 'taut[dev]'): not compared"]
    return [*found, f"  faster than daqp: {figures['faster_than_daqp']:.1f} times from Python, "
                    f"{figures['faster_than_daqp_compiled']:.1f} times in a compiled loop"]  # fmt: skip
