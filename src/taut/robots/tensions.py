"""Tension distribution at poses: within limits and in balance, or a proof that there is none.

A wrench w that cannot be made has a direction c, |c| = 1, in which the cables do not reach it,
    missing = min over lo <= f <= hi of c.W f  -  c.w  =  sum_i min(y_i lo_i, y_i hi_i) - c.w > 0,   y = W^T c     (1)
which is checked here again, by other code than the solver's.

At a singular pose W has only r < n independent rows, and makes wrenches of a plane with the orthonormal basis B alone.
A wrench beside it cannot be made: c is its part across the plane. One in it is shared out as B^T W f = B^T w.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.distribution import FLAT, NO_BALANCE, VIOLATED
from taut.kernels.robots.nearest import INFEASIBLE, SOLVED, STUCK, UNBOUNDED
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.paths import as_path, required_wrenches
from taut.robots.poses import reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rules import COMPLETE, NEED_UPPER, RULES, Wanted, new_wanted, qp

BARELY = 100  # outcome besides those of the kernels
OUTCOMES = {
    SOLVED: "ok",
    INFEASIBLE: "the wrench cannot be made within the limits",
    STUCK: "not solved",
    UNBOUNDED: "no largest sum: the tensions have no upper limit",
    NO_BALANCE: "singular pose: some wrench cannot be made by any tensions",
    VIOLATED: "outside of the limits",
    BARELY: "balanced at a singular pose: some other wrench cannot be made by any tensions",
    FLAT: "the tensions allowed have no inside, hence no centre",
}
BALANCED = 1e-9  # allowed unbalanced wrench, relative to the largest sum of absolute terms of a balance
LEAST = 1e-3  # tensions below this share of their limit count as this share in the scale of the balance
RANK = 1e-10  # singular values below this share of the largest are those of a singular pose
LEFT = 1e-12  # share of the terms of Eq. (1) below which a result is rounding


@dataclass(frozen=True)
class Tensions:
    """Tensions of all cables at each of several poses."""

    name: str
    method: str  # name of the rule that chose the tensions
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    wrench_rows: tuple[str, ...]
    poses: np.ndarray  # poses of the platform [n_poses, n]
    wrenches: np.ndarray  # wrenches that the cables have to make [N, N m], shape [n_poses, n]
    tensions: np.ndarray  # tensions of the cables [N], shape [n_poses, n_cables]; NaN where there are none
    is_feasible: np.ndarray  # whether some tensions within the limits balance the wrench [n_poses]
    is_within: np.ndarray  # whether the tensions found balance the wrench within the limits [n_poses]
    outcomes: tuple[str, ...]  # outcome at every pose, in words [n_poses]
    residuals: np.ndarray  # largest unbalanced force or moment, relative to the terms of the balance [n_poses]
    distances: np.ndarray  # smallest distance of a tension from its limits [N], negative outside [n_poses]
    missing: np.ndarray  # wrench that the cables cannot make, where infeasible [N, N m mixed]; 0 elsewhere [n_poses]
    directions: np.ndarray  # unit direction c of the missing wrench, Eq. (1) [n_poses, n]
    limits: np.ndarray  # least and largest tensions allowed [N], shape [2, n_cables]
    times: np.ndarray | None = None  # times of the poses [s], shape [n_poses]; None: poses without times

    @property
    def largest_change(self) -> tuple[float, int, int]:
        """Largest change of a tension from one pose to the next [N], its cable, and the later pose; 0 at one pose."""
        changes = np.abs(np.diff(self.tensions, axis=0))
        if not np.isfinite(changes).any():
            return 0.0, 0, 0
        k, i = np.unravel_index(int(np.nanargmax(changes)), changes.shape)
        return float(changes[k, i]), int(i), int(k) + 1

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = {
            "platform_pose": (("pose", "coordinate"), self.poses, "m or rad", "pose of the platform"),
            "required_wrench": (("pose", "wrench"), self.wrenches, "N or N m", "wrench the cables make"),
            "cable_tension": (("pose", "cable"), self.tensions, "N", "tension"),
            "tension_limit": (("limit", "cable"), self.limits, "N", "smallest and largest tension allowed"),
            "is_feasible": (("pose",), self.is_feasible, "1", "whether the wrench can be made within the limits"),
            "is_within": (("pose",), self.is_within, "1", "whether these tensions are within the limits"),
            "residual": (("pose",), self.residuals, "1", "unbalanced wrench against its terms"),
            "limit_distance": (("pose",), self.distances, "N", "smallest distance to a limit"),
            "missing_wrench": (("pose",), self.missing, "N", "wrench that is missing"),
            "missing_direction": (("pose", "wrench"), self.directions, "1", "direction in which it is missing"),
        }
        if self.times is not None:
            found["time"] = (("pose",), self.times, "s", "time")
        coords = {"cable": self.cables, "coordinate": self.coordinates, "wrench": self.wrench_rows,
                  "limit": ("smallest", "largest")}  # fmt: skip
        return dataset(f"tensions: {self.name}", coords, found, method=self.method)


def tensions(machine: Machine, poses: Any = None, *, method: str = "qp", wrench: Any = None, times: Any = None,  # noqa: PLR0913
             goal: Any = 0.0, power: float = 4.0, **options: Any) -> Tensions:  # fmt: skip
    """Tensions that balance gravity, an external wrench and, along a path with times, the platform's acceleration.

    Args:
        machine: Model, Scenario or Robot.
        poses: one pose or many, shape [n_poses, n]; none: the pose at the start.
        method: a name in ``RULES``.
        wrench: that acts on the platform besides gravity [N, N m], the robot's rows or all six.
        times: of the poses [s].
        goal: of the method qp: tensions to be near to [N].
        power: of the method p-norm, at least 2.
        options: of ``robot_of``: body, freedom, exits, limits.

    Raises:
        ScenarioError: too few cables, limits that contradict each other or lack, a cable that does not reach.
    """
    robot = robot_of(machine, **options)
    check_method(robot, method, power)
    path = as_path(robot, robot.start if poses is None else poses, times)
    own = path.full[:, robot.rows]
    W, w = reach_poses(robot, own).W, required_wrenches(robot, path, wrench)
    limits = np.array([robot.tension_min, robot.tension_max])
    wanted = new_wanted(len(robot.cables), robot.freedoms, (limits[0], limits[1]), goal, power)
    found = [distribute_at(W[k], w[k], method, wanted) for k in range(len(own))]
    f = np.array([one.tensions for one in found])
    return Tensions(
        name=robot.name,
        method=method,
        cables=robot.cables,
        coordinates=robot.coordinates,
        wrench_rows=robot.wrench_rows,
        poses=own,
        wrenches=w,
        tensions=f,
        is_feasible=np.array([one.is_feasible for one in found]),
        is_within=np.array([one.is_within for one in found]),
        outcomes=tuple(OUTCOMES[one.code] for one in found),
        residuals=np.array([one.residual for one in found]),
        distances=np.minimum(f - limits[0], limits[1] - f).min(axis=1),
        missing=np.array([one.missing for one in found]),
        directions=np.array([one.direction for one in found]),
        limits=limits,
        times=path.times,
    )


def check_method(robot: Robot, method: str, power: float) -> None:
    """Refuse what cannot be solved by any method, or not by this one."""
    robot.need_enough_cables()
    if method not in RULES:
        raise refusal("is no method", at="method", value=method, remedy=f"one of {', '.join(RULES)}")
    if method in NEED_UPPER:
        robot.need_upper_limits()
    if not power >= 2.0:
        raise refusal("must be at least 2", at="power", value=power)


@dataclass(frozen=True)
class One:
    """Tensions of all cables at one pose, and how they were found."""

    tensions: np.ndarray
    code: int
    is_feasible: bool
    is_within: bool
    residual: float
    missing: float
    direction: np.ndarray


def distribute_at(W: np.ndarray, w: np.ndarray, method: str, wanted: Wanted) -> One:
    """Solve by a method; where it finds none within the limits, see whether there are any."""
    n, m = W.shape
    f, lo, hi = np.zeros(m), wanted.lo, wanted.hi
    code = RULES[method](W, w, wanted, f)
    if code == NO_BALANCE:
        return distribute_in_plane(W, w, method, wanted)
    is_found = code == SOLVED or method == "farthest" and code == INFEASIBLE
    share = balance_error(W, f, w, (lo, hi)) if is_found else np.nan
    room = 1e-12 * max(float(np.abs(f).max()), 1.0)
    is_within = bool(is_found and share <= BALANCED and np.all(f >= lo - room) and np.all(f <= hi + room))
    if code == SOLVED and not is_within:
        code = VIOLATED if share <= BALANCED else STUCK
    is_feasible, missing, direction = is_within, 0.0, np.zeros(n)
    if not is_within:
        again = code if method == "qp" else qp(W, w, wanted, np.zeros(m))
        is_feasible = again == SOLVED
        if again == INFEASIBLE:
            direction = wanted.work.plain.c.copy()
            missing = check_missing(W, w, (lo, hi), direction)
            code = INFEASIBLE if missing > 0.0 and (method in COMPLETE or not is_found) else code
    return One(f if is_found else np.full(m, np.nan), code, is_feasible, is_within, share, missing, direction)


def distribute_in_plane(W: np.ndarray, w: np.ndarray, method: str, wanted: Wanted) -> One:
    """Solve at a singular pose, or prove that the wrench cannot be made."""
    (n, m), limits = W.shape, (wanted.lo, wanted.hi)
    left, values, _ = np.linalg.svd(W)
    basis = left[:, : int(np.sum(values > RANK * max(float(values[0]), 1e-300)))]
    across = w - basis @ (basis.T @ w)
    size, nothing = float(np.linalg.norm(across)), np.full(m, np.nan)
    if size > BALANCED * max(float(np.abs(w).max()), LEAST * float(np.abs(W).max()) * scale_of(limits)):
        direction = -across / size
        missing = check_missing(W, w, limits, direction)
        return One(nothing, NO_BALANCE, False, False, np.nan, missing, direction)
    if not basis.size:
        # no cable pulls in any row, and nothing is to be carried
        return One(np.array(wanted.lo), BARELY, True, True, 0.0, 0.0, np.zeros(n))
    own = new_wanted(m, basis.shape[1], limits, wanted.goal, wanted.power)
    found = distribute_at(np.ascontiguousarray(basis.T @ W), basis.T @ w, method, own)
    code = BARELY if found.is_within else found.code
    return One(found.tensions, code, found.is_feasible, found.is_within, found.residual, found.missing,
               basis @ found.direction)  # fmt: skip


def scale_of(limits: tuple[np.ndarray, np.ndarray]) -> float:
    """The largest finite limit of tensions."""
    return float(np.where(np.isfinite(limits[1]), limits[1], limits[0]).max())


def balance_error(W: np.ndarray, f: np.ndarray, w: np.ndarray, limits: tuple[np.ndarray, np.ndarray]) -> float:
    """Largest entry of W f - w against the terms it is the sum of, or a small share of what the limits allow."""
    allowed = np.where(np.isfinite(limits[1]), limits[1], limits[0])
    terms = np.abs(W) @ np.maximum(np.abs(f), LEAST * allowed) + np.abs(w)
    return float(np.max(np.abs(W @ f - w) / max(float(terms.max()), 1e-300)))


def check_missing(W: np.ndarray, w: np.ndarray, limits: tuple[np.ndarray, np.ndarray], c: np.ndarray) -> float:
    """Missing wrench by Eq. (1) in plain numpy, less rounding; positive: the wrench is proved infeasible."""
    y = W.T @ c
    size = max(float(np.abs(y).max()), LEFT)
    # entries of y that are rounding must be zero: times an infinite limit they would be infinite
    y = np.where(np.abs(y) <= LEFT * size, 0.0, y)
    with np.errstate(invalid="ignore"):
        least = np.where(y > 0.0, y * limits[0], np.where(y < 0.0, y * limits[1], 0.0)).sum()
    rounding = LEFT * (np.abs(y) @ np.where(np.isfinite(limits[1]), limits[1], 0.0) + np.abs(c) @ np.abs(w))
    return float(least - c @ w) if least - c @ w > rounding else 0.0
