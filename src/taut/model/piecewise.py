"""Tables and workspace of piecewise linear forces [Tempel2018, Eq. 9]: none for most machines."""

import numpy as np

from taut.kernels.bundle import Bundle


class PiecewiseTables(Bundle):
    """Linear forces at points of a machine's motion; read-only."""

    _optional = ("q",)
    _constant = True

    q: np.ndarray  # coordinates at the points [point, column]
    v: np.ndarray
    force: np.ndarray  # f at the points, without applied forces [point, column]
    stiffness: np.ndarray  # df/dq, by the coordinate that is moved [point, moved, column]
    damping: np.ndarray  # df/dv, by the velocity that is changed [point, changed, column]
    measure: np.ndarray  # matrix P: distances are measured in P (q, v) [measured, 2 column]
    measured: np.ndarray  # P (q, v) at the points [point, measured]
    least: np.ndarray  # e^2 of Eq. (1) in ``dynamics/modal/piecewise.py`` [1]
    sharpness: np.ndarray  # s of Eq. (2) in ``dynamics/modal/piecewise.py``; 0: weights of Eq. (1) [1]


class PiecewiseData(Bundle):
    """Scratch for the evaluation of piecewise linear forces."""

    weights: np.ndarray  # weights of the points at the present state [point]
    here: np.ndarray  # P (q, v) at the present state [measured]
    alpha: np.ndarray  # angular acceleration of every node, from joint accelerations alone [node, 3]
    a: np.ndarray


RANKS = {"q": 2, "v": 2, "force": 2, "stiffness": 3, "damping": 3, "measure": 2, "measured": 2, "least": 1,
         "sharpness": 1}  # fmt: skip


def piecewise_tables(**arrays: np.ndarray) -> PiecewiseTables:
    """Tables of given arrays, read-only copies; without any, those of a machine with exact forces."""
    found = {name: np.array(arrays.get(name, np.zeros((0,) * rank)), float, order="C") for name, rank in RANKS.items()}
    for array in found.values():
        array.setflags(write=False)
    return PiecewiseTables(**found)


def new_piecewise_data(tables: PiecewiseTables, nodes: int, dtype: type) -> PiecewiseData:
    """Scratch for the piecewise linear forces of a model."""
    count = nodes if len(tables.q) else 0
    return PiecewiseData(
        weights=np.zeros(len(tables.q), dtype),
        here=np.zeros(len(tables.measure), dtype),
        alpha=np.zeros((count, 3), dtype),
        a=np.zeros((count, 3), dtype),
    )
