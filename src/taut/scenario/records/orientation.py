"""Orientation of a frame, written in one of four ways and read as a rotation matrix or a quaternion (w, x, y, z)."""

import re
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import AfterValidator, model_validator

from taut.scenario.base import Matrix3, Quaternion, Record, Vec3, fault, note, quantity

ORTHOGONAL = 1e-6


def _check_sequence(value: str) -> str:
    if not re.fullmatch("[xyz]{3}", value) or value[0] == value[1] or value[1] == value[2]:
        raise fault("must be three of the letters x, y, z, no letter twice in a row, for example xyz or zyz")
    return value


class Orientation(Record):
    """R turns vectors of the described frame into the frame it is described in; give one of the four forms."""

    quaternion: Quaternion | None = note("[w, x, y, z]; normalised on reading", None)
    euler: Vec3 | None = quantity(
        "angles about the axes of `sequence`, each about the turned axes (intrinsic)", "rad", None
    )
    sequence: Annotated[str, AfterValidator(_check_sequence)] = note("axes of the Euler angles", "xyz")
    rotation_vector: Vec3 | None = quantity("axis times angle", "rad", None)
    matrix: Matrix3 | None = note("rotation matrix, by rows", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [key for key in ("quaternion", "euler", "rotation_vector", "matrix") if getattr(self, key) is not None]
        if len(given) != 1:
            raise fault(
                f"needs exactly one of quaternion, euler, rotation_vector, matrix; found {', '.join(given) or 'none'}"
            )
        if "sequence" in self.model_fields_set and self.euler is None:
            raise fault("goes with euler only", at="sequence")
        if self.quaternion is not None and np.linalg.norm(self.quaternion) < ORTHOGONAL:
            raise fault("must not be zero", at="quaternion")
        if self.matrix is not None and not is_rotation(np.array(self.matrix)):
            raise fault("must be a rotation matrix: orthogonal rows, determinant +1", at="matrix")
        return self

    def rotation(self) -> np.ndarray:
        """Return the rotation matrix R, shape [3, 3]."""
        if self.quaternion is not None:
            return rotation_from_quaternion(np.array(self.quaternion))
        if self.euler is not None:
            parts = [rotation_about(axis, angle) for axis, angle in zip(self.sequence, self.euler, strict=True)]
            return parts[0] @ parts[1] @ parts[2]
        if self.rotation_vector is not None:
            return rotation_from_vector(np.array(self.rotation_vector))
        u, _, vt = np.linalg.svd(np.array(self.matrix))
        return u @ vt


def is_rotation(matrix: np.ndarray) -> bool:
    """Return whether the matrix is orthogonal with determinant +1, to 1e-6."""
    with np.errstate(over="ignore", invalid="ignore"):
        error = np.abs(matrix @ matrix.T - np.eye(3)).max()
        return bool(error < ORTHOGONAL and np.linalg.det(matrix) > 0)


def rotation_about(axis: Literal["x", "y", "z"] | str, angle: float) -> np.ndarray:
    """Return the rotation by `angle` [rad] about a coordinate axis."""
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.eye(3)
    R[j, j] = R[k, k] = np.cos(angle)
    R[k, j] = np.sin(angle)
    R[j, k] = -np.sin(angle)
    return R


def rotation_from_quaternion(quaternion: np.ndarray) -> np.ndarray:
    """Return R for a quaternion (w, x, y, z) of any length."""
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def rotation_from_vector(vector: np.ndarray) -> np.ndarray:
    """Return R for a rotation vector (axis times angle)."""
    half = 0.5 * np.linalg.norm(vector)
    return rotation_from_quaternion(np.concatenate([[np.cos(half)], 0.5 * np.sinc(half / np.pi) * vector]))


def quaternion_from_rotation(R: np.ndarray) -> np.ndarray:
    """Return the quaternion (w, x, y, z) with w >= 0 of a rotation matrix, from its largest entry."""
    squares = np.array([1 + np.trace(R), *(1 - np.trace(R) + 2 * np.diag(R))])
    i = int(np.argmax(squares))
    w = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    rows = np.array([
        [squares[0], *w],
        [w[0], squares[1], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
        [w[1], R[0, 1] + R[1, 0], squares[2], R[1, 2] + R[2, 1]],
        [w[2], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], squares[3]],
    ])  # fmt: skip
    quaternion = rows[i] / np.linalg.norm(rows[i])
    return quaternion if quaternion[0] >= 0 else -quaternion
