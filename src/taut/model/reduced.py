"""Tables and workspace of reduced cables: a few shapes in place of many elements.

A cable of n elements is described by three fields along it, the angles alpha and beta of its elements against a mean
direction and their lengths p, each a mean and a sum of shapes,
    (alpha, beta, p)(i) = mean(i) + sum_a shape_a(i) q_a .
The first shapes are of direction, the others of length. They are polynomials of the element's number, so that sums over
all elements are sums over few stations: those of the Gauss rule for n equal points, which is exact up to degree 2 K - 1
for K stations, with positive weights.

Arrays have the cable as their first index. Stations and directions are filled up with zeros to multiples of eight, so
that loops over them can be done several at a time; a smaller cable leaves the rest zero.
"""

import numpy as np

from taut.kernels.bundle import Bundle

ALPHA, BETA, LENGTH = 0, 1, 2


class ReducedTables(Bundle):
    """What reduced cables are; read-only."""

    _optional = ("counts",)

    counts: np.ndarray  # stations, directions, shapes, 1 if spatial, directions filled up [cable, 5]
    mean: np.ndarray  # [cable, 3, station]: alpha, beta [rad], p [m]
    alpha: np.ndarray  # [cable, direction, station]
    beta: np.ndarray  # [cable, direction, station]
    length: np.ndarray  # [cable, length, station]
    alpha_at: np.ndarray  # the same by station [cable, station, direction]
    beta_at: np.ndarray  # [cable, station, direction]
    weight: np.ndarray  # of the Gauss rule: the end is the sum of weight p t [cable, station]
    sums: np.ndarray  # the middle of the element at station k is the sum over j of p t [cable, k, j]
    mass: np.ndarray  # positive [kg], [cable, station]
    rotary: np.ndarray  # inertia of an element about its middle [kg m^2], [cable, station]
    mass_between: np.ndarray  # sums^T mass sums [kg], [cable, station, station]
    mass_beyond: np.ndarray  # sums^T mass: what moves with p t of a station [kg], [cable, station]
    mass_total: np.ndarray  # [kg], [cable]
    mass_along: np.ndarray  # inertia of the elements against being stretched, diagonal [cable, shape]
    stiffness: np.ndarray  # diagonal [cable, shape]
    damping: np.ndarray  # diagonal [cable, shape]
    rest: np.ndarray  # elastic forces of the mean shape [cable, shape]
    energy: np.ndarray  # elastic energy of the mean shape [J], [cable]


class ReducedData(Bundle):
    """Where reduced cables stand, in the cable's own axes."""

    is_filled: np.ndarray  # 1 if mass and geometric are those of the present state [cable]
    packed: np.ndarray  # scratch: directions' coordinates of one cable, filled up with zeros
    field: np.ndarray  # [cable, 3, station]; by place
    rate: np.ndarray
    second: np.ndarray
    t: np.ndarray  # direction of the elements [cable, xyz, station]; by place
    t_alpha: np.ndarray
    t_beta: np.ndarray
    t_bias: np.ndarray  # second derivative of t in time at zero accelerations; by velocities
    u_bias: np.ndarray  # the same of p t
    t_second: np.ndarray  # second derivative of t in time; by forces
    u_second: np.ndarray  # the same of p t
    pull: np.ndarray  # force that acts on p t of a station; by forces
    load: np.ndarray  # sum of all forces the cable's mass needs [cable, xyz]; by forces
    columns: np.ndarray  # derivatives of the end by the coordinates [xyz, shape]; of the last cable placed
    along: np.ndarray  # scratch [3, station]
    arms: np.ndarray  # scratch: d(p t)/dq [xyz, shape, station]
    moved: np.ndarray  # scratch: mass_between times arms [xyz, station]
    coupling: np.ndarray  # force on the base per acceleration of a coordinate [cable, shape, xyz]; by fill
    mass: np.ndarray  # mass matrix, lower triangle [cable, shape, shape]; by fill
    geometric: np.ndarray  # tension-geometric stiffness, lower triangle [cable, shape, shape]; by fill


BY_STATION = ("field", "rate", "second", "t", "t_alpha", "t_beta", "t_bias", "u_bias", "t_second", "u_second", "pull")
RANKS = {"mean": 3, "alpha": 3, "beta": 3, "length": 3, "alpha_at": 3, "beta_at": 3, "weight": 2,
         "sums": 3, "mass": 2, "rotary": 2, "mass_between": 3, "mass_beyond": 2, "mass_total": 1, "mass_along": 2,
         "stiffness": 2, "damping": 2, "rest": 2, "energy": 1}  # fmt: skip


def new_reduced_data(tables: ReducedTables, dtype: type) -> ReducedData:
    """A workspace for the reduced cables of a model."""
    cables, stations = tables.weight.shape
    shapes = tables.rest.shape[1]
    return ReducedData(
        **{name: np.zeros((cables, 3, stations), dtype) for name in BY_STATION},
        is_filled=np.zeros(cables, np.int64),
        packed=np.zeros(tables.alpha_at.shape[2], dtype),
        load=np.zeros((cables, 3), dtype),
        columns=np.zeros((3, shapes), dtype),
        along=np.zeros((3, stations), dtype),
        arms=np.zeros((3, shapes, stations), dtype),
        moved=np.zeros((3, stations), dtype),
        coupling=np.zeros((cables, shapes, 3), dtype),
        mass=np.zeros((cables, shapes, shapes), dtype),
        geometric=np.zeros((cables, shapes, shapes), dtype),
    )


def no_reduced_tables() -> ReducedTables:
    """A machine without reduced cables; read-only as with them, so that both run the same compiled code."""
    arrays = {"counts": np.zeros((0, 5), np.int64), **{name: np.zeros((0,) * rank) for name, rank in RANKS.items()}}
    for array in arrays.values():
        array.setflags(write=False)
    return ReducedTables(**arrays)
