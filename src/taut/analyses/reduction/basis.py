"""Shapes of one cable from its fields in training: the directions in which most of the motion lies.

The fields are expanded in Gram polynomials of the element's number first, which leaves out what varies from element to
element; of their coefficients the principal components are the shapes (proper orthogonal decomposition). Shapes of
direction are scaled to a mean square of one, so that their coordinates are angles; those of length such that the
coordinate is the stretch of the whole cable.
"""

from dataclasses import dataclass

import numpy as np

from taut.build.reduction.reduced import CableShapes, diagonal_shapes
from taut.build.reduction.stations import gram_polynomials, points

# stations beyond the degree of the polynomials, so that sums of products of two shapes are accurate to a few 1e-8
SPARE_STATIONS = 4


@dataclass(frozen=True)
class Size:
    """Size of a reduced cable: how much of its motion is kept."""

    directions: int  # number of shapes of direction
    lengths: int  # number of shapes of length
    degree: int  # degree of the polynomials


def coefficients(fields: np.ndarray, degree: int) -> np.ndarray:
    """Coefficients of Gram polynomials [..., degree + 1] for fields [..., element]."""
    n = fields.shape[-1]
    return fields @ gram_polynomials(n, degree, points(n))


def principal(samples: np.ndarray, count: int) -> np.ndarray:
    """The first principal components of samples about zero [count, ...], orthonormal."""
    _, sizes, found = np.linalg.svd(samples, full_matrices=False)
    kept = min(count, int(np.sum(sizes > 1e-12 * max(sizes[0], 1e-300))))
    return found[:kept]


def cable_shapes(  # noqa: PLR0913 (all of one cable)
    frame: np.ndarray, fields: np.ndarray, start: np.ndarray, size: Size, *, is_spatial: bool, is_clamped: bool
) -> CableShapes:
    """Shapes of one cable.

    Args:
        frame: its axes.
        fields: of all training samples [sample, 3, element].
        start: at rest, the mean of the sum [3, element].
        size: how much is kept.
        is_spatial: whether beta moves.
        is_clamped: whether the exit holds the direction.
    """
    n = fields.shape[-1]
    degree = min(size.degree, n - 1)
    P = gram_polynomials(n, degree, points(n))
    mean, away = coefficients(start, degree), coefficients(fields - start, degree)
    angles = away[:, :2] if is_spatial else away[:, :1]
    directions = principal(angles.reshape(len(away), -1), size.directions)
    lengths = principal(away[:, 2], size.lengths)
    shapes = np.zeros((3, len(directions) + len(lengths), n))
    found = directions.reshape(len(directions), -1, degree + 1) @ P.T
    scale = np.sqrt(np.mean(found**2, axis=(1, 2), keepdims=True))
    shapes[: found.shape[1], : len(found)] = (found / scale).swapaxes(0, 1)
    along = lengths @ P.T
    # scale to the stretch of the whole cable, by root mean squares, because a shape may sum to zero
    shapes[2, len(found) :] = along / np.sqrt(n)
    made = CableShapes(frame, mean @ P.T, shapes, len(found), min(n, degree + SPARE_STATIONS), is_spatial)
    return diagonal_shapes(made, is_clamped=is_clamped)


def coordinates(shapes: CableShapes, fields: np.ndarray) -> np.ndarray:
    """Coordinates nearest to fields [..., 3, element]: shape [..., shape]."""
    away = fields - shapes.mean
    d = shapes.directions
    first = np.concatenate([shapes.shapes[0, :d], shapes.shapes[1, :d]], axis=1)
    angles = np.concatenate([away[..., 0, :], away[..., 1, :]], axis=-1)
    z = [angles @ np.linalg.pinv(first), away[..., 2, :] @ np.linalg.pinv(shapes.shapes[2, d:])]
    return np.concatenate(z, axis=-1)
