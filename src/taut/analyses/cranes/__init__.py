"""Cranes in closed form: matrices, structure, modes, feedback linearisation."""

from taut.analyses.cranes.feedback import actuated_inertia
from taut.analyses.cranes.flat import FlatMove, flat_move
from taut.analyses.cranes.linear import modes, vertical_matrices
from taut.analyses.cranes.planar import PlanarCrane
from taut.analyses.cranes.spatial import SpatialCrane
from taut.analyses.cranes.structure import Structure, structure

__all__ = [
    "FlatMove",
    "PlanarCrane",
    "SpatialCrane",
    "Structure",
    "actuated_inertia",
    "flat_move",
    "modes",
    "structure",
    "vertical_matrices",
]
