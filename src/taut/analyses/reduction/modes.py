"""Shapes of a Ritz cable from training: static ones, which carry loads at its end, and those its motion has most of.

The coordinates of its modes in all samples give principal components, the stretches and turns in common (each scaled to
one), both lateral directions likewise. Before them come the responses to a force at the end and to a load along the
cable, D^-1 E and D^-1 I along it, (T D + rho g l H)^-1 E and ... I across it: so the compliance of the end, and with it
the pull at rest, are those of all modes, however few shapes are kept, as in a substructure [Craig1968].
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taut.analyses.reduction.basis import principal
from taut.build.cables.ritz_integrals import ritz_integrals
from taut.build.cables.ritz_shapes import RitzShapes, turned
from taut.model import Model
from taut.results.result import Result

KEPT = 2e-2  # share of the motion, in its norm, that the shapes of the first trial may leave out
LEAST = 3
MORE = 2  # number of shapes added to every field at a time


@dataclass(frozen=True)
class ModeSize:
    """Shapes of the fields along and across the cable."""

    axial: int
    lateral: int


@dataclass(frozen=True)
class ModeBasis:
    """Snapshots of one Ritz cable, from which its shapes are computed."""

    axial: np.ndarray  # coordinates of the modes in training, every field scaled to one [sample, mode]
    lateral: np.ndarray
    static_axial: np.ndarray  # static shapes of the axial field [shape, mode]
    static_lateral: np.ndarray
    has_torsion: bool

    @classmethod
    def of(cls, model: Model, cable: str, results: Sequence[Result]) -> "ModeBasis":
        """Read the coordinates of one cable off the training runs."""
        node = model.tables.nodes[model.names.cables[cable][0]]
        row = model.tables.ritz[int(node.modal)]
        n, lateral, fields = int(row.modes), int(row.lateral), 2 if row.has_torsion else 1
        q = np.concatenate([result["joint_position"].values for result in results])
        q = q[:, node.coordinate : node.coordinate + node.column_count]
        along = [scaled(q[:, k : n * fields : fields]) for k in range(fields)]
        across = [q[:, n * fields + k * lateral :][:, :lateral] for k in range(2)]
        weight = -row.line_density * model.tables.settings[0].gravity[2] * row.length
        return cls(
            np.concatenate(along),
            np.concatenate(across),
            static_shapes(n, 1.0, 0.0),
            static_shapes(lateral, float(row.tension), float(weight)),
            bool(row.has_torsion),
        )

    def first_size(self, shapes: int | None) -> ModeSize:
        """The first size to try: shapes needed to leave out no more than the share KEPT of the motion."""
        if shapes is not None:
            return self.within(shapes, shapes)
        return self.within(max(LEAST, needed(self.axial)), max(LEAST, needed(self.lateral)))

    def grown(self, size: ModeSize) -> ModeSize:
        """The size with MORE shapes in each field, as far as there are modes."""
        return self.within(size.axial + MORE, size.lateral + MORE)

    def within(self, axial: int, lateral: int) -> ModeSize:
        """The size, limited by the number of modes."""
        return ModeSize(min(axial, self.axial.shape[1]), min(lateral, self.lateral.shape[1]))

    def shapes(self, size: ModeSize) -> RitzShapes:
        """Shapes of the cable for a given size of the reduced model."""
        axial = spanned(self.static_axial, self.axial, size.axial)
        return RitzShapes(axial, spanned(self.static_lateral, self.lateral, size.lateral), self.has_torsion)


def static_shapes(modes: int, tension: float, weight: float) -> np.ndarray:
    """Responses to a force at the end and to a load along the cable [2, mode]."""
    found = ritz_integrals(modes)
    stiffness = tension * np.diag(found.k**2) + weight * found.H
    return np.linalg.solve(stiffness, np.column_stack([found.E, found.I])).T


def spanned(static: np.ndarray, samples: np.ndarray, count: int) -> np.ndarray:
    """So many shapes [mode, shape]: the static ones, and of what they leave the principal components."""
    if not static.shape[1]:
        return np.zeros((0, 0))
    if count >= static.shape[1]:
        return np.eye(static.shape[1])
    Q = np.linalg.qr(static[:count].T)[0]
    rest = samples - samples @ Q @ Q.T
    more = principal(rest, count - Q.shape[1]) if count > Q.shape[1] else np.zeros((0, len(Q)))
    return turned(np.column_stack([Q, more.T]))


def scaled(samples: np.ndarray) -> np.ndarray:
    """Samples of one field against their size."""
    return samples / max(float(np.sqrt(np.mean(samples**2))), 1e-300)


def needed(samples: np.ndarray) -> int:
    """Principal components until no more than the share KEPT is left out."""
    sizes = np.linalg.svd(samples, compute_uv=False)
    rest = np.sqrt(np.cumsum(sizes[::-1] ** 2)[::-1])
    return int(np.sum(rest > KEPT * max(float(rest.max(initial=0.0)), 1e-300)))
