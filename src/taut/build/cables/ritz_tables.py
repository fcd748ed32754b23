"""Ritz cables in plain numbers, and the tables the engine reads: one row each, and the integrals of their shapes."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from taut.build.cables.ritz_integrals import ROOT, ritz_integrals
from taut.model import tables as t


@dataclass(frozen=True)
class RitzSpec:
    """One cable; the numbers are explained in ``model/tables.py``."""

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
    # combinations [mode, shape] of modes to fewer shapes; None: the modes themselves are the shapes
    axial_shapes: np.ndarray | None = None
    lateral_shapes: np.ndarray | None = None

    def rotations(self) -> list[bool]:
        """Which of its columns are rotations: (q_1, phi_1, q_2, ...), lateral x, lateral y."""
        axial = [False, True] if self.has_torsion else [False]
        return axial * self.modes + [False] * (2 * self.lateral)

    def labels(self) -> list[str]:
        """Names of the Ritz node's columns."""
        axial = ("u", "turn") if self.has_torsion else ("u",)
        along = [f"{field}{j + 1}" for j in range(self.modes) for field in axial]
        return along + [f"{field}{j + 1}" for field in "xy" for j in range(self.lateral)]


NUMBERS = tuple(field.name for field in fields(RitzSpec) if field.name not in ("axial_shapes", "lateral_shapes"))


def ritz_tables(specs: list[tuple[int, RitzSpec]], nodes: Any) -> dict[str, Any]:
    """The tables of cables given with their nodes; writes the row numbers into the nodes."""
    table = t.new_table(t.RITZ, len(specs))
    bases = Bases([spec for _, spec in specs])
    for k, (row, (node, spec)) in enumerate(zip(table, specs, strict=True)):
        row.node = node
        nodes[node].modal = k
        for name in NUMBERS:
            row[name] = getattr(spec, name)
        row.axial_shape, row.lateral_shape = bases.row(spec.axial_shapes), bases.row(spec.lateral_shapes)
    return {"ritz": table, **bases.tables()}


class Bases:
    """Shape functions one after the other: the modes that most cables have, then those of each reduced cable."""

    def __init__(self, specs: list[RitzSpec]) -> None:
        """Find how many modes there are."""
        plain = [n for spec in specs for n in own_modes(spec)]
        self.parts = [np.eye(max(plain, default=0))]
        given = [part for spec in specs for part in (spec.axial_shapes, spec.lateral_shapes) if part is not None]
        self.modes = max([len(self.parts[0]), *(len(part) for part in given)])

    def row(self, shapes: np.ndarray | None) -> int:
        """First row of a field's shapes, which are added."""
        if shapes is None:
            return 0
        self.parts.append(shapes)
        return sum(part.shape[1] for part in self.parts[:-1])

    def tables(self) -> dict[str, np.ndarray]:
        """Tables of the integrals of all shape functions; of products, those within one basis."""
        found = ritz_integrals(self.modes)
        lines = np.column_stack([found.k**2, found.E, found.I, found.b, ROOT * found.k])
        width = max(part.shape[1] for part in self.parts)
        shapes, slopes, products = [], [], {"B": [], "G": [], "H": []}
        for V in self.parts:
            n = len(V)
            own = V.T @ lines[:n]
            own[:, 0] = np.sum(V * (found.k[:n, None] ** 2 * V), axis=0)
            shapes.append(own)
            slopes.append(found.slopes[:, :n] @ V)
            for name, matrix in (("B", found.B.T), ("G", found.G), ("H", found.H)):
                block = V.T @ matrix[:n, :n] @ V
                products[name].append(np.pad(block, ((0, 0), (0, width - len(block)))))
        return {
            "shapes": np.concatenate(shapes),
            **{f"shapes_{name}": np.concatenate(blocks) for name, blocks in products.items()},
            "shape_slopes": np.concatenate(slopes, axis=1),
            "shape_weights": found.weights,
        }


def own_modes(spec: RitzSpec) -> list[int]:
    """Counts of the fields that have modes for shapes."""
    fields_of = ((spec.modes, spec.axial_shapes), (spec.lateral, spec.lateral_shapes))
    return [count for count, shapes in fields_of if shapes is None]
