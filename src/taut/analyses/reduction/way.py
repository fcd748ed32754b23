"""How far the cables of a machine move in its training: the measure of ``rom_residual``."""

from collections.abc import Iterable, Sequence

import numpy as np

from taut.model import Model
from taut.model.enums import JointKind
from taut.results.result import Result


def cable_mass(model: Model, cable: str) -> float:
    """Mass of a cable of the full machine [kg]."""
    tables, nodes = model.tables, list(model.names.cables[cable])
    if tables.nodes[nodes[0]].kind == JointKind.RITZ:
        row = tables.ritz[int(tables.nodes[nodes[0]].modal)]
        return float(row.line_density * row.length)
    chain = {*nodes, *(int(tables.nodes[i].parent) for i in nodes)}
    return float(tables.nodes["mass"][sorted(chain)].sum())


def longest_way(model: Model, results: Sequence[Result], cables: Iterable[str]) -> float:
    """Largest displacement from the start, in the norm of the masses, of cables or, without any, of bodies."""
    found = 0.0
    for result in results:
        squares = np.zeros(len(result.time))
        for cable in cables:
            nodes = result["cable_nodes"].sel(cable=cable).values
            way = np.nansum((nodes - nodes[0]) ** 2, axis=-1).mean(axis=-1)
            squares += cable_mass(model, cable) * way
        if not list(cables):
            x = result["body_position"].values
            masses = model.tables.nodes["mass"][list(model.names.bodies.values())]
            squares = np.sum(masses * np.sum((x - x[0]) ** 2, axis=-1), axis=1)
        found = max(found, float(np.sqrt(squares.max())))
    return found
