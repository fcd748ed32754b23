"""Rules of tension distribution by name: compiled solvers for one pose, and the barycentre of larger polytopes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.kernels.robots.distribution import solve_distribution, solve_freely, solve_improved, solve_least_sum
from taut.kernels.robots.interior import Interior, new_interior, solve_bary, solve_central, solve_far, solve_power
from taut.kernels.robots.nearest import SOLVED

# least distance of tensions from their limits, relative to the limits, for which qhull can compute the polytope
ROOM = 1e-9


@dataclass(frozen=True)
class Wanted:
    """One problem: limits, and what a rule needs to know besides."""

    lo: np.ndarray
    hi: np.ndarray
    goal: np.ndarray
    power: float
    work: Interior = field(repr=False)


Rule = Callable[[np.ndarray, np.ndarray, Wanted, np.ndarray], int]


def qp(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions nearest to the goal; with goal zero the smallest sum of squares."""
    return solve_distribution(W, w, a.lo, a.hi, a.goal, f, a.work.plain)


def middle(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions nearest to the middle of the limits."""
    return solve_distribution(W, w, a.lo, a.hi, 0.5 * (a.lo + a.hi), f, a.work.plain)


def minimum_norm(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions of the smallest sum of squares, without limits."""
    return solve_freely(W, w, np.zeros(len(f)), f, a.work.plain)


def closed_form(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions nearest to the middle of the limits; they may lie outside the limits."""
    return solve_freely(W, w, 0.5 * (a.lo + a.hi), f, a.work.plain)


def improved(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions by the closed form, with cables set to their limits one after the other."""
    return solve_improved(W, w, a.lo, a.hi, 0.5 * (a.lo + a.hi), f, a.work.plain)


def least_sum(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions of the smallest sum: a linear program."""
    return solve_least_sum(W, w, a.lo, a.hi, 1.0, f, a.work.plain)


def largest_sum(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions of the largest sum: a linear program."""
    return solve_least_sum(W, w, a.lo, a.hi, -1.0, f, a.work.plain)


def power_norm(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions of the smallest sum of powers."""
    return solve_power(W, w, a.lo, a.hi, a.power, f, a.work)


def farthest(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions of the largest distance to the nearest limit."""
    return solve_far(W, w, a.lo, a.hi, f, a.work)


def analytic_centre(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Tensions of the largest sum of the logarithms of their distances to the limits."""
    return solve_central(W, w, a.lo, a.hi, f, a.work)


def barycentre(W: np.ndarray, w: np.ndarray, a: Wanted, f: np.ndarray) -> int:
    """Centroid of all tensions that are allowed; with more than two redundant cables by qhull."""
    n, m = W.shape
    if m - n <= 2:
        return solve_bary(W, w, a.lo, a.hi, f, a.work)
    code = solve_far(W, w, a.lo, a.hi, f, a.work)
    size = float((a.hi - a.lo).max())
    if code != SOLVED or a.work.distance[0] <= ROOM * size:
        return middle(W, w, a, f)
    solution = a.work.plain.solution
    N, p = solution.N[:, : m - n], solution.p
    inside = N.T @ (f - p)
    f[:] = p + N @ centroid(N, np.concatenate([a.hi - p, p - a.lo]), inside)
    return SOLVED


def centroid(N: np.ndarray, bounds: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """The centroid of {x: [N; -N] x <= bounds}, from a point inside."""
    from scipy.spatial import Delaunay, HalfspaceIntersection

    corners = HalfspaceIntersection(np.hstack([np.vstack([N, -N]), -bounds[:, None]]), inside).intersections
    simplices = corners[Delaunay(corners, qhull_options="Qt Qbb Qc Qz Q12").simplices]
    volumes = np.abs(np.linalg.det(simplices[:, 1:] - simplices[:, :1]))
    return volumes @ simplices.mean(axis=1) / volumes.sum()


RULES: dict[str, Rule] = {
    "qp": qp,
    "middle": middle,
    "minimum-norm": minimum_norm,
    "closed-form": closed_form,
    "improved": improved,
    "lp": least_sum,
    "lp-max": largest_sum,
    "p-norm": power_norm,
    "barycentre": barycentre,
    "analytic-centre": analytic_centre,
    "farthest": farthest,
}
NEED_UPPER = {"middle", "closed-form", "improved", "lp-max", "barycentre", "analytic-centre", "farthest"}
# rules that find tensions whenever there are any within the limits
COMPLETE = {"qp", "middle", "lp", "lp-max", "p-norm", "barycentre", "farthest"}


def new_wanted(m: int, n: int, limits: tuple[np.ndarray, np.ndarray], goal: Any = 0.0, power: float = 4.0) -> Wanted:
    """A problem of tension distribution with its workspace."""
    goal = np.array(np.broadcast_to(np.asarray(goal, float), m))
    return Wanted(np.array(limits[0]), np.array(limits[1]), goal, float(power), new_interior(m, n))
