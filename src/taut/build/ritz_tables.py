"""Ritz cables in plain numbers, and the tables the engine reads: one row each, and the integrals all of them share."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from taut.build.ritz_integrals import ROOT, ritz_integrals
from taut.model import tables as t


@dataclass(frozen=True)
class RitzSpec:
    """One cable; what the numbers mean is said in ``model/tables.py``."""

    modes: int
    lateral: int
    has_torsion: bool
    is_actual: bool
    is_carried: bool
    is_linear: bool
    start: tuple[float, float, float]
    length: float
    line_density: float
    axial_stiffness: float
    turn_stiffness: float = 0.0
    turn_inertia: float = 0.0
    coupling: float = 0.0
    axial_damping: float = 0.0
    lateral_damping: float = 0.0
    turn_damping: float = 0.0
    tension: float = 0.0
    feed: int = -1
    signal: tuple[int, int, int] = (-1, -1, -1)

    def rotations(self) -> list[bool]:
        """Which of its columns are rotations: (q_1, phi_1, q_2, ...), lateral x, lateral y."""
        axial = [False, True] if self.has_torsion else [False]
        return axial * self.modes + [False] * (2 * self.lateral)

    def labels(self) -> list[str]:
        """Names of its columns."""
        axial = ("u", "turn") if self.has_torsion else ("u",)
        along = [f"{field}{j + 1}" for j in range(self.modes) for field in axial]
        return along + [f"{field}{j + 1}" for field in "xy" for j in range(self.lateral)]


def ritz_tables(specs: list[tuple[int, RitzSpec]], nodes: Any) -> dict[str, Any]:
    """The tables of cables given with their nodes, which are told their rows."""
    table = t.new_table(t.RITZ, len(specs))
    for k, (row, (node, spec)) in enumerate(zip(table, specs, strict=True)):
        row.node = node
        nodes[node].modal = k
        for field in fields(spec):
            row[field.name] = getattr(spec, field.name)
    count = max((max(spec.modes, spec.lateral) for _, spec in specs), default=0)
    found = ritz_integrals(count)
    return {
        "ritz": table,
        "shapes": np.column_stack([found.k**2, found.E, found.I, found.b, ROOT * found.k]),
        "shapes_B": np.ascontiguousarray(found.B.T),
        "shapes_G": found.G,
        "shapes_H": found.H,
        "shape_slopes": found.slopes,
        "shape_weights": found.weights,
    }
