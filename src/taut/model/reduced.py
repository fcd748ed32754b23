"""Tables and workspace of reduced cables: a few shapes in place of many elements.

A cable of n elements is described by three fields along it, the angles alpha and beta of its elements against a mean
direction and their lengths p, each a mean and a sum of shapes,
    (alpha, beta, p)(i) = mean(i) + sum_a shape_a(i) q_a .
The first shapes are of direction, the others of length. They are polynomials of the element's number, so that sums over
all elements are sums over few stations: those of the Gauss rule for n equal points, which is exact up to degree 2 K - 1
for K stations, with positive weights.

Arrays have the cable as their first index. Stations, directions and lengths are filled up with zeros to multiples of
eight, so that loops over them can be done eight at a time; a smaller cable leaves the rest zero. "Filled up" below is
an index over the directions, filled up, and then the lengths.
"""

import numpy as np

from taut.kernels.bundle import Bundle

ALPHA, BETA, LENGTH = 0, 1, 2


class ReducedTables(Bundle):
    """Tables that describe reduced cables; read-only."""

    _optional = ("counts",)
    _constant = True

    # per cable: stations, directions, shapes, 1 if spatial, directions rounded up to whole blocks of eight, and the
    # same with lengths added [cable, 6]
    counts: np.ndarray
    mean: np.ndarray  # mean shape of each cable: angles alpha, beta [rad] and length p [m] [cable, 3, station]
    alpha: np.ndarray  # shapes of the angle alpha [cable, direction, station]
    beta: np.ndarray  # shapes of the angle beta [cable, direction, station]
    length: np.ndarray  # shapes of the length p [cable, length, station]
    alpha_at: np.ndarray  # the shapes alpha ordered by station [cable, station, direction]
    beta_at: np.ndarray  # the shapes beta ordered by station [cable, station, direction]
    length_at: np.ndarray  # the shapes length ordered by station [cable, station, length]
    weight: np.ndarray  # weights of the Gauss rule: the cable's end is the sum of weight p t [cable, station]
    # quadrature weights [cable, k, j]: the middle of the element at station k is the sum over j of sums[k, j] p_j t_j
    sums: np.ndarray
    mass: np.ndarray  # mass of the cable at each station, positive [kg], shape [cable, station]
    rotary: np.ndarray  # inertia of an element's halves about their own centres [kg m^2], shape [cable, station]
    quarter: np.ndarray  # distance of the centres of an element's halves from its ends [m], shape [cable]
    mass_between: np.ndarray  # sums^T mass sums [kg], shape [cable, station, station]
    mass_beyond: np.ndarray  # sums^T mass: mass that moves with p t of a station [kg], shape [cable, station]
    mass_total: np.ndarray  # mass of the cable [kg], shape [cable]
    mass_along: np.ndarray  # inertia of the elements against being stretched, diagonal [cable, shape]
    stiffness: np.ndarray  # modal stiffness, a diagonal [cable, shape]
    damping: np.ndarray  # modal damping, a diagonal [cable, shape]
    rest: np.ndarray  # elastic forces of the mean shape [cable, shape]
    energy: np.ndarray  # elastic energy of the mean shape [J], shape [cable]


class ReducedData(Bundle):
    """Present shapes of reduced cables, in the cable's own axes."""

    is_filled: np.ndarray  # 1 if mass and geometric are those of the present state [cable]
    length: np.ndarray  # length p at each station [cable, station]; by place
    rate: np.ndarray  # rates of alpha, beta and p [cable, 3, station]; by velocities
    t: np.ndarray  # direction of the elements [cable, xyz, station]; by place
    t_alpha: np.ndarray
    t_beta: np.ndarray
    t_bias: np.ndarray  # second derivative of t in time at zero accelerations; by velocities
    u_bias: np.ndarray  # second derivative of p t in time at zero accelerations; by velocities
    t_second: np.ndarray  # second derivative of t in time; by forces
    pull: np.ndarray  # force at each station that works on its vector p t [N]; filled by ``forces``
    load: np.ndarray  # sum of all forces that the cable's mass needs [N], shape [cable, xyz]; by forces
    u_second: np.ndarray  # scratch: second derivative of p t in time [xyz, station]
    columns: np.ndarray  # scratch: derivatives of the end by the coordinates [xyz, whole blocks of eight]
    turned: np.ndarray  # scratch: derivatives of the end by the coordinates, in the world's axes
    packed: np.ndarray  # scratch: forces on the coordinates [whole blocks of eight]
    vector: np.ndarray  # scratch: one vector [xyz]
    along: np.ndarray  # scratch: six fields along the cable [6, station]
    arms: np.ndarray  # scratch: d(p t)/dq of one axis [shape, station]
    arms_at: np.ndarray  # scratch: d(p t)/dq of one axis, by station [station, whole blocks of eight]
    moved: np.ndarray  # scratch: forces on four shapes at a time [8, station]
    # force on the base per acceleration of a coordinate [cable, xyz, whole blocks of eight]; by fill
    coupling: np.ndarray
    mass: np.ndarray  # mass matrix, lower triangle [cable, shape, whole blocks of eight]; by fill
    geometric: np.ndarray  # tension-geometric stiffness, lower triangle [cable, shape, whole blocks of eight]; by fill


BY_STATION = ("rate", "t", "t_alpha", "t_beta", "t_bias", "u_bias", "t_second", "pull")
RANKS = {"mean": 3, "alpha": 3, "beta": 3, "length": 3, "alpha_at": 3, "beta_at": 3, "length_at": 3, "weight": 2,
         "sums": 3, "mass": 2, "rotary": 2, "quarter": 1, "mass_between": 3, "mass_beyond": 2, "mass_total": 1,
         "mass_along": 2, "stiffness": 2, "damping": 2, "rest": 2, "energy": 1}  # fmt: skip


def new_reduced_data(tables: ReducedTables, dtype: type) -> ReducedData:
    """A workspace for the reduced cables of a model."""
    cables, stations = tables.weight.shape
    wide = int(tables.counts[:, 5].max(initial=0))
    return ReducedData(
        **{name: np.zeros((cables, 3, stations), dtype) for name in BY_STATION},
        is_filled=np.zeros(cables, np.int64),
        length=np.zeros((cables, stations), dtype),
        load=np.zeros((cables, 3), dtype),
        u_second=np.zeros((3, stations), dtype),
        columns=np.zeros((3, wide), dtype),
        turned=np.zeros((3, wide), dtype),
        packed=np.zeros(wide, dtype),
        vector=np.zeros(3, dtype),
        along=np.zeros((6, stations), dtype),
        arms=np.zeros((wide, stations), dtype),
        arms_at=np.zeros((stations, wide), dtype),
        moved=np.zeros((8, stations), dtype),
        coupling=np.zeros((cables, 3, wide), dtype),
        mass=np.zeros((cables, wide, wide), dtype),
        geometric=np.zeros((cables, wide, wide), dtype),
    )


def no_reduced_tables() -> ReducedTables:
    """A machine without reduced cables; read-only as with them, so that both run the same compiled code."""
    arrays = {"counts": np.zeros((0, 6), np.int64), **{name: np.zeros((0,) * rank) for name, rank in RANKS.items()}}
    for array in arrays.values():
        array.setflags(write=False)
    return ReducedTables(**arrays)
