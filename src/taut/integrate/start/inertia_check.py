"""Check that every coordinate moves mass: named at the start, not found later as a division by zero."""

import numpy as np

from taut.dynamics.residual import factor_plain, place
from taut.model import Data, Model, new_data, new_factor
from taut.scenario.errors import Problem, ScenarioError

SMALL = 1e-13  # pivots this small, relative to all the inertia that the coordinate carries, are rounding


def check_inertia(model: Model) -> None:
    """Factor the mass matrix at the start and name the coordinates with a vanishing pivot."""
    data, factor = new_data(model), new_factor(model)
    place(model.tables, data)
    factor_plain(model.tables, data, factor)
    columns = model.tables.columns
    mass, moment = carried(model, data)
    scale = np.where(columns["is_rotation"], moment[columns["node"]], mass[columns["node"]])
    with np.errstate(divide="ignore"):
        pivots = 1.0 / factor.columns["inverse_D"]
    has_own = model.tables.nodes["band"][columns["node"]] >= 0  # columns of modal nodes have a mass matrix of their own
    bad = np.flatnonzero(~(pivots > SMALL * scale) | ((scale + columns["armature"] == 0) & ~has_own))
    if len(bad):
        source = model.plan.problem("bodies", "").source
        remedy = "give the bodies it carries mass or inertia, or fix the joint"
        names = [model.names.columns[c] for c in bad[:5]]
        raise ScenarioError(
            [Problem(f"coordinate {name} moves no mass", remedy=remedy, source=source) for name in names]
        )


def carried(model: Model, data: Data) -> tuple[np.ndarray, np.ndarray]:
    """Mass [kg] and second moment about its own origin [kg m^2] of everything each node carries."""
    nodes = model.tables.nodes
    x = data.nodes["x"]
    centre = x + np.einsum("nij,nj->ni", data.nodes["R"].reshape(-1, 3, 3), nodes["com"])
    mass = nodes["mass"].copy()
    first = mass[:, None] * centre
    second = mass * np.sum(centre**2, axis=1) + nodes["inertia"][:, [0, 3, 5]].sum(axis=1)
    parents = nodes["parent"].tolist()
    for i in range(len(nodes) - 1, 0, -1):
        parent = parents[i]
        mass[parent] += mass[i]
        first[parent] += first[i]
        second[parent] += second[i]
    return mass, second - 2 * np.sum(x * first, axis=1) + mass * np.sum(x**2, axis=1)
