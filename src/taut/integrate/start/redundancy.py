"""Which closure rows follow from the others: loops that hold a motion twice are solved, and named."""

import numpy as np

from taut.dynamics.residual import factor_plain, least_mass_step, place
from taut.dynamics.tree.positions import move
from taut.model import Data, Factor, Model, new_data, set_moment

IN_NULL_SPACE = 1e-6  # a row with a smaller share in every self-stress is not part of the redundancy
TRIALS = 4  # number of positions near the start at which the rank is computed again
TRIAL_SIZE = 0.02  # distance of these positions from the start [rad or m]
MOST_CLOSINGS = 20
AS_CLOSED = 1e-10  # closure error that the loops of a run keep [m]


def redundant_rows(model: Model, data: Data, factor: Factor) -> tuple[int, tuple[str, ...]]:
    """Rank of the closures at the placed state, and the names of the rows that take part in a self-stress."""
    if model.row_count == 0:
        return 0, ()
    rank = int(factor_plain(model.tables, data, factor))
    if rank == model.row_count:
        return rank, ()
    W = np.tril(factor.W) + np.tril(factor.W, -1).T
    # W with the scaling of its factor, so that both agree on the rank; rows that constrain nothing have scale zero
    _, vectors = np.linalg.eigh(W * np.outer(factor.scale, factor.scale))
    share = np.abs(vectors[:, : model.row_count - rank]).max(axis=1)
    return rank, tuple(name for name, part in zip(model.names.rows, share, strict=True) if part > IN_NULL_SPACE)


def find_rank(model: Model, data: Data, factor: Factor) -> None:
    """Recompute the rank at a state whose closures have changed, for all workspaces that share it."""
    data.most_rank[0] = model.row_count
    place(model.tables, data)
    rank = int(factor_plain(model.tables, data, factor))
    if rank < model.row_count:
        data.most_rank[0] = general_rank(model, data, factor, rank, AS_CLOSED)


def general_rank(model: Model, data: Data, factor: Factor, rank: int, tolerance: float) -> int:
    """Rank of the closures in general position: that at the start, unless the machine starts in a singular one."""
    rng = np.random.default_rng(0)
    nearby = new_data(model)._replace(modes=data.modes, anchors=data.anchors)
    set_moment(nearby, data)
    found = [rank]
    for _ in range(TRIALS):
        for most in (model.row_count, rank):
            move(model.tables, data.q, TRIAL_SIZE * rng.standard_normal(model.column_count), nearby.q)
            nearby.most_rank[0] = most
            if is_closed(model, nearby, factor, tolerance):
                nearby.most_rank[0] = model.row_count
                found.append(int(factor_plain(model.tables, nearby, factor)))
                break
    return max(found)


def is_closed(model: Model, data: Data, factor: Factor, tolerance: float) -> bool:
    """Close the loops by plain Newton steps; returns whether they converged."""
    step = np.zeros(model.column_count)
    for _ in range(MOST_CLOSINGS):
        if place(model.tables, data) <= tolerance:
            return True
        least_mass_step(model.tables, data, factor, False, step)
        if not np.all(np.isfinite(step)):
            return False
        move(model.tables, data.q.copy(), step, data.q)
    return False
