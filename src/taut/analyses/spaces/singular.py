"""Why a motion in a reduced space ended: the matrix of its elimination lost its rank."""

import numpy as np

from taut.analyses.spaces.space import Space
from taut.dynamics.constraints.closures import closures
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.tree.kinematics import kinematics
from taut.integrate.singularities import Singularity, pose_of
from taut.integrate.singularities import explain as explain_matrix


def explain(space: Space, time: float, y: np.ndarray) -> Singularity:
    """The singularity of a space at its last good state."""
    model, data, choice = space.model, space.data, space.choice
    data.q[:] = y[: len(data.q)]
    kinematics(model.tables, data)
    closures(model.tables, data)
    J = np.zeros((model.row_count, model.column_count))
    closure_jacobian(model.tables, data, J)
    matrix = J[np.ix_(choice.pivot_rows, choice.eliminated)]
    kind = "gain" if choice.name.endswith("actuator") else "loss"
    return explain_matrix(model, choice, matrix, (kind, time, pose_of(model, data, space.body)))
