"""Reduced cables: their shapes become tables, with the mass and stiffness of the scenario's cable."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.build.reduction.stations import gauss_rule, gram_polynomials, middle_sums, points
from taut.model.reduced import ReducedTables, no_reduced_tables

if TYPE_CHECKING:
    from taut.build.cables.chain import Element


@dataclass(frozen=True)
class CableShapes:
    """Fields along one cable: mean and shapes at its elements; the first shapes are of direction, the rest of length.

    They are polynomials of the element's number of a degree below ``stations``.
    """

    frame: np.ndarray  # axes x, y, z of the cable as columns, in those of its base; z is the mean direction [3, 3]
    mean: np.ndarray  # mean fields alpha, beta [rad] and p [m], shape [3, element]
    shapes: np.ndarray  # shapes of the three fields [3, shape, element]
    directions: int  # number of shapes that describe directions; the others describe lengths
    stations: int
    is_spatial: bool

    @property
    def elements(self) -> int:
        """Number of elements."""
        return self.mean.shape[1]

    @property
    def count(self) -> int:
        """Number of shapes."""
        return self.shapes.shape[1]

    def as_dict(self) -> dict[str, Any]:
        """The shapes' size as plain data."""
        return {"coordinates": self.count, "stations": self.stations, "elements": self.elements}

    def content(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and numbers that make it, for a file."""
        numbers = {"kind": "mrfe", "directions": self.directions, "stations": self.stations,
                   "is_spatial": self.is_spatial}  # fmt: skip
        return {"frame": self.frame, "mean": self.mean, "shapes": self.shapes}, numbers

    def words(self) -> str:
        """The shapes' size in a sentence."""
        return f"{self.count} coordinates at {self.stations} stations for {self.elements} elements"

    def fields(self, z: np.ndarray) -> np.ndarray:
        """Alpha, beta and p of every element at coordinates z [..., shape]: shape [..., 3, element]."""
        flat = self.shapes.swapaxes(0, 1).reshape(self.count, -1)
        return self.mean + (z @ flat).reshape(*z.shape[:-1], *self.mean.shape)


@dataclass(frozen=True)
class Validity:
    """Range of one cable's reduced coordinates in the training runs."""

    low: np.ndarray  # smallest value in the training [shape]
    high: np.ndarray  # largest value in the training [shape]
    rate: np.ndarray  # largest speed in the training [shape]


@dataclass(frozen=True)
class ReducedCable:
    """A reduced cable of a model: its shapes and the axial law of its elements."""

    shapes: CableShapes
    stiffness: float  # stiffness of one element [N/m]
    damping: float  # damping of one element [N s/m]
    free: float  # unstrained length of an element [m]
    valid: Validity | None = None  # ranges of the coordinates in training; None if unknown

    def groups(self) -> list[slice]:
        """Coordinates of one kind: directions, lengths."""
        return [slice(0, self.shapes.directions), slice(self.shapes.directions, None)]


def angles_of(frame: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Alpha and beta of unit directions [..., 3] in the base's axes: shape [..., 2]."""
    t = directions @ frame
    return np.stack([np.arctan2(t[..., 0], t[..., 2]), np.arcsin(np.clip(t[..., 1], -1, 1))], axis=-1)


def at_stations(shapes: CableShapes, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and shapes at the stations."""
    n, count = shapes.elements, shapes.stations
    if count >= n:
        return shapes.mean, shapes.shapes
    carry = gram_polynomials(n, count - 1, x) @ gram_polynomials(n, count - 1, points(n)).T
    return shapes.mean @ carry.T, shapes.shapes @ carry.T


def cable_tables(shapes: CableShapes, element: "Element", clamp: Any) -> dict[str, Any]:
    """Tables of one cable.

    Args:
        shapes: its fields.
        element: masses and springs of an element.
        clamp: alpha and beta of the relaxed direction at the exit; None for a hinge.
    """
    n, d = shapes.elements, shapes.directions
    x, weight = gauss_rule(n, shapes.stations)
    mean, at = at_stations(shapes, x)
    sums = middle_sums(n, x)
    mass = weight * 2 * element.first.mass
    K, D, L = filled_up(len(x)), filled_up(d), filled_up(shapes.count - d)
    # padding stations have zero weight, but need a nonzero length, because the kernels divide by it
    whole = np.zeros((3, K))
    whole[2] = 1.0
    whole[:, : len(x)] = mean
    alpha, beta, length = (padded(part, part.shape[0], K) for part in (at[0, :d], at[1, :d], at[2, d:]))
    return {
        "counts": np.array([K, d, shapes.count, shapes.is_spatial, D, D + L]),
        "mean": whole,
        "alpha": alpha,
        "beta": beta,
        "length": length,
        "alpha_at": padded(alpha.T, K, D),
        "beta_at": padded(beta.T, K, D),
        "length_at": padded(length.T, K, L),
        "weight": padded(weight, K),
        "sums": padded(sums, K, K),
        "mass": padded(mass, K),
        "rotary": padded(weight * 2 * element.first.inertia[0][0], K),
        "quarter": np.array(element.length / 4),
        "mass_between": padded(sums.T @ (mass[:, None] * sums), K, K),
        "mass_beyond": padded(sums.T @ mass, K),
        "mass_total": mass.sum(),
        **elastic_tables(shapes, element, clamp),
    }


def filled_up(count: int) -> int:
    """The next multiple of eight, not below a number."""
    return -(-count // 8) * 8


def padded(array: np.ndarray, *shape: int) -> np.ndarray:
    """The array padded with zeros."""
    return np.pad(array, [(0, size - have) for size, have in zip(shape, array.shape, strict=True)])


def elastic_tables(shapes: CableShapes, element: "Element", clamp: Any) -> dict[str, Any]:
    """Stiffness, damping, forces and energy of the mean shape: bends between neighbours, clamp at the exit, stretch."""
    B, b = bends_of(shapes, clamp)
    S, s = shapes.shapes[2], shapes.mean[2] - element.stretch.free
    bend, stretch = element.bend, element.stretch
    squares, lengths = B @ B.T, S @ S.T
    for part in (squares, lengths):
        if np.abs(part - np.diag(np.diag(part))).max() > 1e-8 * np.abs(part).max():
            raise ValueError("the shapes of a reduced cable must not share their elastic energy: see diagonal_shapes")
    bent, stretched = np.diag(squares), np.diag(lengths)
    return {
        # the two halves of an element move apart by half of its stretch
        "mass_along": 0.5 * element.first.mass * stretched,
        "stiffness": bend.stiffness * bent + stretch.stiffness * stretched,
        "damping": bend.damping * bent + stretch.damping * stretched,
        "rest": bend.stiffness * B @ b + stretch.stiffness * S @ s,
        "energy": 0.5 * bend.stiffness * b @ b + 0.5 * stretch.stiffness * s @ s,
    }


def bends_of(shapes: CableShapes, clamp: Any) -> tuple[np.ndarray, np.ndarray]:
    """Bends between neighbours and at a clamp, of the shapes [shape, bend] and of the mean [bend].

    Bends are differences of alpha and beta; in space alpha counts with the cosine of the mean beta.
    """
    bends, offsets = [], []
    for field in (0, 1) if shapes.is_spatial else (0,):
        share = np.cos(shapes.mean[1]) if field == 0 else np.ones(shapes.elements)
        between = 0.5 * (share[1:] + share[:-1])
        bends.append(between * np.diff(shapes.shapes[field], axis=1))
        offsets.append(between * np.diff(shapes.mean[field]))
        if clamp is not None:
            bends.append(share[:1] * shapes.shapes[field][:, :1])
            offsets.append(share[:1] * (shapes.mean[field][:1] - clamp[field]))
    return np.concatenate(bends, axis=1), np.concatenate(offsets)


def diagonal_shapes(shapes: CableShapes, *, is_clamped: bool) -> CableShapes:
    """Shapes of an equal span without mutual bending energy, soft ones first."""
    B, _ = bends_of(shapes, (0.0, 0.0) if is_clamped else None)
    d = shapes.directions
    _, Q = np.linalg.eigh(B[:d] @ B[:d].T)
    turned = shapes.shapes.copy()
    turned[:, :d] = np.einsum("ab,fae->fbe", Q, shapes.shapes[:, :d])
    return replace(shapes, shapes=turned)


def stack_tables(cables: list[dict[str, Any]]) -> ReducedTables:
    """Tables of all cables in arrays; what a smaller cable does not use is zero."""
    if not cables:
        return no_reduced_tables()
    stacked = {}
    for name in ReducedTables._fields:
        parts = [np.asarray(cable[name]) for cable in cables]
        shape = tuple(max(part.shape[k] for part in parts) for k in range(parts[0].ndim))
        whole = np.zeros((len(parts), *shape), np.int64 if name == "counts" else float)
        for k, part in enumerate(parts):
            whole[(k, *(slice(0, size) for size in part.shape))] = part
        whole.setflags(write=False)
        stacked[name] = whole
    return ReducedTables(**stacked)
