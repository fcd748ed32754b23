"""Many poses of one robot at a time: margins, lengths, tensions. Every entry runs beside others, in threads."""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import entry, part
from taut.kernels.robots.columns import COLUMNS
from taut.kernels.robots.distribution import Distribution, distribute, new_distribution
from taut.kernels.robots.facets import Facets, find_margins, new_facets
from taut.kernels.robots.reach import Geometry, structure


class Task(Bundle):
    """A robot, the wrenches asked of it, and a workspace for one pose."""

    geometry: Geometry
    rows: np.ndarray  # which of the six wrench rows count [n]
    scale: np.ndarray  # scale by which the wrench rows are divided [n]
    mass: np.ndarray  # mass of the platform [kg], one entry
    com: np.ndarray  # centre of mass in the platform frame [m], shape [3]
    gravity: np.ndarray  # gravity in world axes [m/s^2], shape [3]
    external: np.ndarray  # external wrench on the platform, world axes, about its origin [6]
    half: np.ndarray  # half widths of the box of required wrenches [n]
    lo: np.ndarray  # lower limits of the tensions [N], shape [n_cables]
    hi: np.ndarray  # upper limits of the tensions [N], shape [n_cables]
    goal: np.ndarray  # desired tensions [N], shape [n_cables]
    R: np.ndarray
    cables: np.ndarray
    W: np.ndarray  # structure matrix, all six rows [6, n_cables]
    load: np.ndarray  # wrench that the cables must make, all six rows [6]
    direction: np.ndarray  # wrench direction that is looked at [n]
    own: np.ndarray  # rows of W that count [n, n_cables]
    w: np.ndarray  # wrench that the cables must make, rows that count [n]
    facets: Facets
    distribution: Distribution


def new_task(geometry: Geometry, rows: np.ndarray, numbers: dict[str, np.ndarray]) -> Task:
    """A task; ``numbers`` holds scale, mass, com, gravity, external, half, lo, hi and goal."""
    m, n = len(geometry.radii), len(rows)
    return Task(geometry=geometry, rows=rows, R=np.zeros((3, 3)), cables=np.zeros((m, COLUMNS)), W=np.zeros((6, m)),
                load=np.zeros(6), direction=np.zeros(n), own=np.zeros((n, m)), w=np.zeros(n), facets=new_facets(m, n),
                distribution=new_distribution(m, n), **numbers)  # fmt: skip


@part
def put_load(task):
    """The wrench the cables have to make: against gravity and what acts besides."""
    R, com, load, external = task.R, task.com, task.load, task.external
    g0, g1, g2 = task.mass[0] * task.gravity[0], task.mass[0] * task.gravity[1], task.mass[0] * task.gravity[2]
    x = R[0, 0] * com[0] + R[0, 1] * com[1] + R[0, 2] * com[2]
    y = R[1, 0] * com[0] + R[1, 1] * com[1] + R[1, 2] * com[2]
    z = R[2, 0] * com[0] + R[2, 1] * com[1] + R[2, 2] * com[2]
    load[0], load[1], load[2] = -g0 - external[0], -g1 - external[1], -g2 - external[2]
    load[3] = -(y * g2 - z * g1) - external[3]
    load[4] = -(z * g0 - x * g2) - external[4]
    load[5] = -(x * g1 - y * g0) - external[5]


@entry
def margin_rows(task, poses, first, last, margins, closures, regular):
    """Capacity margin and closure of poses [k, 6]; NaN where a cable cannot reach."""
    facets, rows, scale = task.facets, task.rows, task.scale
    for k in range(first, last):
        margins[k], closures[k], regular[k] = np.nan, np.nan, 0.0
        if structure(task.geometry, poses[k], task.R, task.cables, task.W) == 0:
            put_load(task)
            for j in range(len(rows)):
                facets.w0[j] = task.load[rows[j]] / scale[j]
                facets.half[j] = task.half[j] / scale[j]
                for i in range(len(task.lo)):
                    facets.W[j, i] = task.W[rows[j], i] / scale[j]
            regular[k] = find_margins(task.lo, task.hi, task.direction, facets)
            margins[k], closures[k] = facets.found[0], facets.found[1]


@entry
def cable_rows(task, poses, first, last, cables, W, codes):
    """Cables [k, m, COLUMNS] and structure matrices [k, 6, m] of poses, and whether all are reached."""
    for k in range(first, last):
        codes[k] = structure(task.geometry, poses[k], task.R, cables[k], W[k])


@entry
def tension_rows(task, poses, first, last, tensions, codes, missing):
    """Tensions nearest to the goal [k, m] of poses, their outcomes, and how much wrench is missing where infeasible."""
    own, rows, work = task.own, task.rows, task.distribution
    for k in range(first, last):
        missing[k], codes[k] = np.nan, -1
        if structure(task.geometry, poses[k], task.R, task.cables, task.W) == 0:
            put_load(task)
            if len(rows) == 6:
                codes[k] = distribute(task.W, task.load, task.lo, task.hi, task.goal, tensions[k], work)
            else:
                for j in range(len(rows)):
                    task.w[j] = task.load[rows[j]]
                    for i in range(len(task.lo)):
                        own[j, i] = task.W[rows[j], i]
                codes[k] = distribute(own, task.w, task.lo, task.hi, task.goal, tensions[k], work)
            missing[k] = work.missing[0] if codes[k] == 1 else 0.0


@entry
def reach_rows(W, w0, directions, half, lo, hi, first, last, margins, reaches, work):
    """Capacity margins, and how far wrenches w0 can go along directions, of structure matrices [k, n, m]."""
    n, m = work.W.shape
    for k in range(first, last):
        for j in range(n):
            work.w0[j], work.half[j] = w0[k, j], half[j]
            for i in range(m):
                work.W[j, i] = W[k, j, i]
        find_margins(lo, hi, directions[k], work)
        margins[k], reaches[k] = work.found[0], work.found[2]
