"""Reduced Ritz cables: fewer shape functions per field, sums of the modes of the scenario's cable.

With shapes eta_a = sum_j V_ja eta_j, V^T V = 1 and V^T D V diagonal, the equations of ``dynamics/modal/ritz.py`` hold
as they are: mass and stiffness stay diagonal, all other integrals are projected. The reduced cable is the full one
whose coordinates are f = V z: its energies, its end and its power balance are those of the full cable there.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.build.cables.ritz_integrals import shape_numbers
from taut.build.cables.ritz_tables import RitzSpec
from taut.build.reduction.reduced import Validity


@dataclass(frozen=True)
class RitzShapes:
    """Shapes of one cable, as columns of what their modes are multiplied by."""

    axial: np.ndarray  # shapes of the longitudinal and the torsional field [mode, shape]
    lateral: np.ndarray  # shapes of both lateral fields [mode, shape]
    has_torsion: bool

    @property
    def count(self) -> int:
        """Number of coordinates."""
        return self.axial_fields * self.axial.shape[1] + 2 * self.lateral.shape[1]

    @property
    def axial_fields(self) -> int:
        """Fields along the cable: with or without torsion."""
        return 2 if self.has_torsion else 1

    def matrix(self) -> np.ndarray:
        """All coordinates of the full cable per coordinate of the reduced one [full, reduced]."""
        n, r = self.lateral.shape
        along = np.kron(self.axial, np.eye(self.axial_fields))
        whole = np.zeros((len(along) + 2 * n, along.shape[1] + 2 * r))
        whole[: len(along), : along.shape[1]] = along
        for k in range(2):
            at, to = len(along) + k * n, along.shape[1] + k * r
            whole[at : at + n, to : to + r] = self.lateral
        return whole

    def groups(self) -> list[slice]:
        """Coordinates of one kind: stretches, turns, along x, along y."""
        n, r = self.axial_fields * self.axial.shape[1], self.lateral.shape[1]
        return [slice(k, n, self.axial_fields) for k in range(self.axial_fields)] + [
            slice(n + k * r, n + (k + 1) * r) for k in range(2 if r else 0)
        ]

    def of(self, spec: RitzSpec) -> RitzSpec:
        """The Ritz cable with these shapes in place of its modes."""
        counts = {"modes": self.axial.shape[1], "lateral": self.lateral.shape[1]}
        return replace(spec, **counts, axial_shapes=self.axial, lateral_shapes=self.lateral)

    def as_dict(self) -> dict[str, Any]:
        """The shapes' size as plain data."""
        (modes, shapes), (lateral_modes, lateral) = self.axial.shape, self.lateral.shape
        return {"coordinates": self.count, "modes": modes, "shapes": shapes, "lateral_modes": lateral_modes,
                "lateral_shapes": lateral}  # fmt: skip

    def content(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and numbers that make it, for a file."""
        return {"axial": self.axial, "lateral": self.lateral}, {"kind": "ritz", "has_torsion": self.has_torsion}

    def words(self) -> str:
        """The shapes' size in a sentence."""
        (modes, shapes), (lateral_modes, lateral) = self.axial.shape, self.lateral.shape
        across = f", {lateral} for {lateral_modes} across it" if lateral else ""
        return f"{self.count} coordinates: {shapes} shapes for {modes} modes along the cable{across}"


@dataclass(frozen=True)
class ReducedRitz:
    """A reduced Ritz cable of a model."""

    shapes: RitzShapes
    valid: Validity | None = None  # ranges of the coordinates in training; None if unknown

    def groups(self) -> list[slice]:
        """Coordinates of one kind, in groups."""
        return self.shapes.groups()


def turned(found: np.ndarray) -> np.ndarray:
    """Shapes [mode, shape] of an equal span, orthonormal and without common elastic energy; soft ones first."""
    if not found.shape[1]:
        return found
    Q, _ = np.linalg.qr(found)
    k, _ = shape_numbers(len(Q))
    _, U = np.linalg.eigh(Q.T @ (k[:, None] ** 2 * Q))
    return Q @ U
