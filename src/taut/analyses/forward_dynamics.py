"""Accelerations and constraint forces at a state."""

from taut.dynamics.forward import forward
from taut.dynamics.residual import consistent_accelerations
from taut.model import Data, Factor, Model, new_factor


def forward_dynamics(model: Model, data: Data, factor: Factor | None = None) -> int:
    """Fill ``data.acceleration`` and ``data.lam`` at the state in ``data`` (time, q, v, z).

    Elastic cables without mass pull where the state stretches them.

    Args:
        model: the machine.
        data: where it stands; see ``taut.start_state`` for a state whose loops are closed.
        factor: workspace to reuse; a new one if none is given.

    Returns:
        The number of independent constraint rows; less than ``model.row_count`` if some are redundant, and then the
        multipliers are the least-squares choice.

    References:
        [Mamidi 2024, Eqs. 1-15]
    """
    factor, tethers = factor or new_factor(model), model.tables.tethers["event"]
    known = data.modes[tethers].copy()
    # whether a tether is taut follows from the state here: only a run keeps the recorded modes up to date
    data.modes[tethers] = 0
    try:
        return evaluate(model, data, factor)
    finally:
        data.modes[tethers] = known


def evaluate(model: Model, data: Data, factor: Factor) -> int:
    """The rank of the constraints; fills accelerations and multipliers."""
    if (model.tables.contacts["drag"] >= 0).any():
        # friction of rigid ground depends on the multipliers, and is not included in the engine's forward pass
        consistent_accelerations(model.tables, data, factor)
        return int(factor.rank[0])
    return int(forward(model.tables, data, factor))
