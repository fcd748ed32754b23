"""Turns of a platform: Euler angles x, y, z about its own axes, R = Rx(a) Ry(b) Rz(c), and their rates."""

import numpy as np


def rotation(angles: np.ndarray) -> np.ndarray:
    """Rotation matrices R of angles a, b, c; shape [..., 3, 3] for angles [..., 3]."""
    (ca, cb, cc), (sa, sb, sc) = np.moveaxis(np.cos(angles), -1, 0), np.moveaxis(np.sin(angles), -1, 0)
    rows = [[cb * cc, -cb * sc, sb],
            [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
            [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb]]  # fmt: skip
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def euler_angles(R: np.ndarray) -> np.ndarray:
    """Angles a, b, c of a rotation matrix; with b at a right angle, c = 0."""
    b = np.arctan2(R[0, 2], np.hypot(R[0, 0], R[0, 1]))
    if np.hypot(R[0, 0], R[0, 1]) < 1e-12:
        return np.array([np.arctan2(R[2, 1], R[1, 1]), b, 0.0])
    return np.array([np.arctan2(-R[1, 2], R[2, 2]), b, np.arctan2(-R[0, 1], R[0, 0])])


def exponential(r: np.ndarray) -> np.ndarray:
    """The rotation by a vector r about its direction."""
    angle = float(np.linalg.norm(r))
    S = cross_matrix(r)
    if angle < 1e-8:
        return np.eye(3) + S + 0.5 * S @ S
    return np.eye(3) + np.sin(angle) / angle * S + (1.0 - np.cos(angle)) / angle**2 * S @ S


def logarithm(R: np.ndarray) -> np.ndarray:
    """The rotation vector of a matrix whose angle is less than pi."""
    v = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = float(np.linalg.norm(v)), 0.5 * (float(np.trace(R)) - 1.0)
    return v if sine < 1e-12 else v * (np.arctan2(sine, cosine) / sine)


def cross_matrix(r: np.ndarray) -> np.ndarray:
    """Matrix S of the cross product: S x = r x x."""
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def turn_rates(angles: np.ndarray, rates: np.ndarray, seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and acceleration, world axes, of angles with their first and second derivatives."""
    a, b, _ = angles
    first, second = np.array([1.0, 0.0, 0.0]), np.array([0.0, np.cos(a), np.sin(a)])
    third = np.array([np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)])
    before = first * rates[0]
    between = before + second * rates[1]
    omega = between + third * rates[2]
    turning = np.cross(before, second) * rates[1] + np.cross(between, third) * rates[2]
    return omega, first * seconds[0] + second * seconds[1] + third * seconds[2] + turning
