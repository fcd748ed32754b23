"""Which closure rows follow from the others: loops that hold a motion twice are solved, and named."""

import numpy as np

from taut.dynamics.residual import factor_plain
from taut.model import Data, Factor, Model

IN_NULL_SPACE = 1e-6  # a row with a smaller share in every self-stress is not part of the redundancy


def redundant_rows(model: Model, data: Data, factor: Factor) -> tuple[int, tuple[str, ...]]:
    """Rank of the closures at the placed state, and the names of the rows that take part in a self-stress."""
    if model.row_count == 0:
        return 0, ()
    rank = int(factor_plain(model.tables, data, factor))
    if rank == model.row_count:
        return rank, ()
    W = np.tril(factor.W) + np.tril(factor.W, -1).T
    scale = 1.0 / np.sqrt(np.where(np.diag(W) > 0, np.diag(W), 1.0))
    _, vectors = np.linalg.eigh(W * np.outer(scale, scale))
    share = np.abs(vectors[:, : model.row_count - rank]).max(axis=1)
    return rank, tuple(name for name, part in zip(model.names.rows, share, strict=True) if part > IN_NULL_SPACE)
