"""Ritz cables recomputed: fields along them with their rates, by Taylor series of their material.

A piece of material keeps its distance s from the cable's end while the length l changes: it is at xi = 1 - s/l. With
shapes eta_j(xi) = sqrt(2) sin((j - 1/2) pi xi) and coordinates f_j(t), a field X = sum f_j eta_j follows it as
    X' = f'.eta + xi' f.eta_xi,   X'' = f''.eta + 2 xi' f'.eta_xi + xi'' f.eta_xi + xi'^2 f.eta_xixi              (1)
Downwards the material is at y + X, less the exit's lift, and across at s e/l + X with e the exit's displacement.
There are no integrals of shapes here, and none of the formulas of ``dynamics/modal/ritz.py`` that are made of them.
Cables of the same kind are evaluated together.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from taut.audit.twin.points import Points
from taut.model import Model

SPARE = 20  # extra quadrature points beyond two per mode: products of two modes are then exact to rounding
KEYS = ("modes", "lateral", "has_torsion", "is_linear", "is_actual", "is_carried")


@dataclass(frozen=True)
class Family:
    """Cables of the same kind, and where their coordinates are."""

    rows: Any  # rows of the table of Ritz cables
    which: np.ndarray  # numbers of these cables in the table
    first: np.ndarray  # first coordinate of every cable [cable]
    column: np.ndarray  # first column of every cable [cable]
    axial: np.ndarray | None  # shapes of a reduced cable as sums of modes [mode, shape]; none: the modes themselves
    lateral: np.ndarray | None
    modes: int  # largest number of modes of any field
    leaning_points: int  # number of quadrature points of the model's own rule

    @property
    def fields(self) -> int:
        """Fields along the cable: displacement, and turn if there is torsion."""
        return 2 if self.rows["has_torsion"][0] else 1

    @property
    def axial_columns(self) -> np.ndarray:
        """Columns from the first one on [field, shape]."""
        return np.arange(self.fields)[:, None] + self.fields * np.arange(self.rows["modes"][0])

    @property
    def lateral_columns(self) -> np.ndarray:
        """Columns of the lateral fields, x and y [field, shape]."""
        n = int(self.rows["lateral"][0])
        return self.axial_columns.size + np.arange(2 * n).reshape(2, n)

    @property
    def column_count(self) -> int:
        """Columns of every cable."""
        return self.axial_columns.size + self.lateral_columns.size

    @property
    def columns(self) -> np.ndarray:
        """Columns of the model [cable, column]."""
        return self.column[:, None] + np.arange(self.column_count)


def families(model: Model) -> list[Family]:
    """All Ritz cables; a reduced one by itself."""
    tables, names = model.tables, model.names.nodes
    found: dict[Any, list[int]] = {}
    for k, row in enumerate(tables.ritz):
        own = k if names[int(row.node)] in model.reduced else -1
        found.setdefault((own, *(int(row[key]) for key in KEYS)), []).append(k)
    parts = []
    for which in found.values():
        rows = tables.ritz[which]
        reduced = model.reduced.get(names[int(rows[0].node)])
        mixed = (None, None) if reduced is None else (reduced.shapes.axial, reduced.shapes.lateral)
        counts = [rows["modes"][0], rows["lateral"][0], *(len(part) for part in mixed if part is not None)]
        parts.append(Family(rows, np.array(which), tables.nodes["coordinate"][rows["node"]],
                            tables.nodes["column"][rows["node"]], *mixed, int(max(counts)),
                            len(tables.shape_weights)))  # fmt: skip
    return parts


def waves(count: int, xi: np.ndarray) -> np.ndarray:
    """The modes and their first two derivatives by xi [order, place, mode]."""
    k = (np.arange(count) + 0.5) * np.pi
    angle = np.outer(xi, k)
    return np.sqrt(2.0) * np.stack([np.sin(angle), k * np.cos(angle), -k * k * np.sin(angle)])


def shapes_at(count: int, mixed: np.ndarray | None, xi: np.ndarray) -> np.ndarray:
    """Values, slopes and curvatures of the shapes at places: modes, or sums of them."""
    return waves(count, xi) if mixed is None else waves(len(mixed), xi) @ mixed


@lru_cache(maxsize=32)
def rule(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's points and weights on [0, 1]."""
    x, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * (x + 1.0), 0.5 * weights


def at(f: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """Fields of coordinates [..., shape] at places, by shapes there [place, shape]; one product for all."""
    rows = int(np.prod(f.shape[:-1]))
    return (f.reshape(rows, f.shape[-1]) @ shapes.T).reshape(*f.shape[:-1], len(shapes))


class Ropes:
    """The cables of one family at all moments; arrays are [point, cable, field, place or shape]."""

    def __init__(self, model: Model, family: Family, points: Points, signals: np.ndarray, **where: Any) -> None:
        """Pick coordinates, lengths and displacements of the exits, with rates; at places ``xi`` or those of a rule."""
        self.family, self.rows, self.given = family, family.rows, (model, family, points, signals)
        jets = np.stack([points.q[:, family.first[:, None] + np.arange(family.column_count)],
                         *(part[:, family.columns] for part in (points.v, points.a))])  # fmt: skip
        self.axial, self.lateral = jets[..., family.axial_columns], jets[..., family.lateral_columns]
        self.length = self._signal(signals, self.rows["feed"], 1.0) * self.rows["length"]
        self.moved = np.stack([self._signal(signals, self.rows["signal"][:, k], 0.0) for k in range(3)], axis=-1)
        self.gravity = -float(model.tables.settings[0].gravity[2])
        x, weights = rule(where.get("count", 2 * family.modes + SPARE))
        self.xi, self.weights = where.get("xi", x), weights

    def _signal(self, signals: np.ndarray, which: np.ndarray, otherwise: float) -> np.ndarray:
        """A signal of every cable with its rates [order, point, cable]."""
        found = np.zeros((3, len(signals), len(which)))
        found[0] = otherwise
        used = which >= 0
        found[:, :, used] = np.moveaxis(signals[:, which[used]], 2, 0)
        return found

    @property
    def is_leaning(self) -> bool:
        """Whether leaning stretches the cable: the actual tension stiffens its lateral motion."""
        return bool(self.rows["is_actual"][0] and self.rows["lateral"][0])

    def number(self, name: str) -> np.ndarray:
        """A number of every cable, to be multiplied with a field [cable, 1]."""
        return self.rows[name][:, None]

    @cached_property
    def along(self) -> np.ndarray:
        """Shapes of the fields along the cable at the points of the rule [order, place, shape]."""
        return shapes_at(int(self.rows["modes"][0]), self.family.axial, self.xi)

    @cached_property
    def across(self) -> np.ndarray:
        """Shapes of the lateral fields."""
        return shapes_at(int(self.rows["lateral"][0]), self.family.lateral, self.xi)

    @cached_property
    def inverse(self) -> np.ndarray:
        """1/l with its rates [order, point, cable]."""
        L, L1, L2 = self.length
        return np.stack([1.0 / L, -L1 / L**2, 2.0 * L1**2 / L**3 - L2 / L**2])

    def material(self, f: np.ndarray, shapes: np.ndarray) -> np.ndarray:
        """A field and its rates by Eq. (1), where the material of the points of the rule goes [order, ...]."""
        distance = (self.length[0][..., None] * (1.0 - self.xi))[:, :, None]
        _, xi1, xi2 = (-distance * part[..., None, None] for part in self.inverse)
        found, (slope, slope_rate) = at(f, shapes[0]), at(f[:2], shapes[1])
        found[1] += xi1 * slope
        found[2] += 2.0 * xi1 * slope_rate + xi2 * slope + xi1**2 * at(f[0], shapes[2])
        return found

    @cached_property
    def down(self) -> np.ndarray:
        """Place of the material below the exit's rest, and its turn, with rates [order, point, cable, field, place]."""
        found = self.material(self.axial, self.along)
        found[0, :, :, 0] += self.length[0][..., None] * self.xi
        found[1:, :, :, 0] += self.length[1:, ..., None]
        if self.rows["is_carried"][0]:
            found[:, :, :, 0] -= self.moved[..., 2, None]
        return found

    @cached_property
    def aside(self) -> np.ndarray:
        """Material's positions across, x and y; the exit's displacement decreases linearly to zero at the end."""
        found = self.material(self.lateral, self.across)
        e, r = self.moved[..., :2, None], self.inverse[..., None, None]
        share = np.stack([e[0] * r[0], e[1] * r[0] + e[0] * r[1], e[2] * r[0] + 2.0 * e[1] * r[1] + e[0] * r[2]])
        return found + share * (self.length[0][..., None] * (1.0 - self.xi))[:, :, None]

    def slopes(self, order: int = 0) -> np.ndarray:
        """Strain and twist by the modes, or the rates of strain and twist as [Wang2018] has them."""
        return at(self.axial[order], self.along[1]) * self.inverse[0][..., None, None]

    @cached_property
    def leans(self) -> np.ndarray:
        """Slopes of the cable's line, x and y."""
        return (at(self.lateral[0], self.across[1]) - self.moved[0, ..., :2, None]) * self.inverse[0][..., None, None]

    @property
    def leaning(self) -> np.ndarray:
        """What leaning adds to the strain [point, cable, place]."""
        return 0.5 * np.sum(self.leans**2, axis=2) if self.is_leaning else 0.0 * self.reference

    @cached_property
    def modal_strains(self) -> tuple[np.ndarray, np.ndarray]:
        """Strain beyond that of the reference state, without leaning, and twist [point, cable, place]."""
        both = self.slopes()
        return both[:, :, 0], both[:, :, -1] * (self.family.fields - 1)

    @property
    def strains(self) -> tuple[np.ndarray, np.ndarray]:
        """Strain with the part that leaning adds, and twist [point, cable, place]."""
        strain, twist = self.modal_strains
        return strain + self.leaning, twist

    @property
    def reference(self) -> np.ndarray:
        """Tension of the state from which strains count [point, cable, place]."""
        weight = self.number("line_density") * self.gravity
        return self.number("tension") + weight * self.length[0][..., None] * (1.0 - self.xi)

    def stresses(self, strain: np.ndarray, twist: np.ndarray) -> np.ndarray:
        """Tension, and with torsion torque, beyond those of the reference state [point, cable, field, place]."""
        Q1, Q23, Q4 = (self.number(name) for name in ("axial_stiffness", "coupling", "turn_stiffness"))
        both = np.stack([Q1 * strain + Q23 * twist, Q23 * strain + Q4 * twist], axis=2)
        return both[:, :, : self.family.fields]

    @property
    def rest(self) -> np.ndarray:
        """Tension and torque of the reference state along the cable."""
        lay = self.number("coupling") / self.number("axial_stiffness")
        return np.stack([self.reference, lay * self.reference], axis=2)[:, :, : self.family.fields]

    def with_model_rule(self) -> "Ropes":
        """The cables of this family at the points of the model's own quadrature rule."""
        return Ropes(*self.given, count=self.family.leaning_points)

    def end(self) -> tuple[np.ndarray, np.ndarray]:
        """Displacement of the end from the exit's rest [order, point, cable, 3], and its turn about z."""
        one = np.ones(1)
        along = shapes_at(int(self.rows["modes"][0]), self.family.axial, one)[0, 0]
        across = shapes_at(int(self.rows["lateral"][0]), self.family.lateral, one)[0, 0]
        below = self.axial @ along
        height = self.moved[..., 2] - self.length - below[..., 0]
        turn = -below[..., 1] if self.family.fields == 2 else 0.0 * height
        return np.concatenate([self.lateral @ across, height[..., None]], axis=-1), turn

    def end_axes(self) -> np.ndarray:
        """How the columns move the end [column, 3], or, for columns of turns, turn it."""
        one = np.ones(1)
        axis = np.zeros((self.family.column_count, 3))
        axis[self.family.axial_columns, 2] = -shapes_at(int(self.rows["modes"][0]), self.family.axial, one)[0, 0]
        across = shapes_at(int(self.rows["lateral"][0]), self.family.lateral, one)[0, 0]
        for k in range(2):
            axis[self.family.lateral_columns[k], k] = across
        return axis


def ropes(model: Model, points: Points, signals: np.ndarray) -> list[Ropes]:
    """All Ritz cables at some moments."""
    return [Ropes(model, family, points, signals) for family in families(model)]
