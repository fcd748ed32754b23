"""Fields along the cables of a run: angles against a mean direction and lengths of the elements."""

import numpy as np

from taut.build.reduction.reduced import angles_of
from taut.model import Model
from taut.model.enums import JointKind, LawKind
from taut.results.result import Result

TURNING = "its exit is on a body that turns"


def why_full(model: Model, cable: str) -> str:
    """Why a cable cannot be reduced; empty if it can."""
    tables, said = model.tables, next(c for c in model.scenario.cables if c.name == cable)
    if said.kind == "ritz":
        return "it has fewer than 4 modes" if said.modes < 4 else ""
    if said.kind != "mrfe":
        return f"it is a cable of the kind {said.kind}"
    nodes = list(model.names.cables[cable])
    first = tables.nodes[nodes[0]].parent
    if said.pulley is not None:
        return "it runs over a pulley"
    if tables.nodes["is_fed"][[first, *nodes]].any():
        return "its length changes"
    if len(nodes) < 3:
        return "it has fewer than 3 elements"
    columns = tables.nodes["column"][[*nodes, *tables.nodes["parent"][nodes]]]
    if not np.isin(tables.columns["law"][columns], (LawKind.LINEAR, LawKind.NONE)).all():
        return "its law is not linear"
    if said.exit_joint == "azimuth-polar" and not model.scenario.planar:
        return "its exit joint is azimuth-polar"
    return TURNING if turns(model, int(tables.nodes["parent"][first])) else ""


def turns(model: Model, node: int) -> bool:
    """Whether a node can turn."""
    while node > 0:
        here = model.tables.nodes[node]
        columns = slice(here.column, here.column + here.column_count)
        if here.kind == JointKind.DRIVEN_TURN or model.tables.columns["is_rotation"][columns].any():
            return True
        node = int(here.parent)
    return False


def mean_frame(directions: np.ndarray) -> np.ndarray:
    """Axes with z along the mean of the directions [..., 3], and y across the x-z plane where that is possible."""
    z = directions.reshape(-1, 3).mean(axis=0)
    z /= np.linalg.norm(z)
    y = np.array([0.0, 1.0, 0.0]) if abs(z[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    x = np.cross(y, z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def elements_of(result: Result, cable: str, count: int) -> np.ndarray:
    """Vectors of the elements of a cable [time, element, 3]."""
    nodes = result["cable_nodes"].sel(cable=cable).values[:, : count + 1]
    return np.diff(nodes, axis=1)


def fields_in(frame: np.ndarray, elements: np.ndarray) -> np.ndarray:
    """Alpha, beta and p [time, 3, element] of element vectors [time, element, 3]."""
    p = np.linalg.norm(elements, axis=-1)
    angles = np.unwrap(angles_of(frame, elements / p[..., None]), axis=1)
    return np.stack([angles[..., 0], angles[..., 1], p], axis=1)
