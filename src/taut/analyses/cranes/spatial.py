"""The crane in space: q = (x, y, two angles per link, lengths).

Link k points along d_k = R_k (0, 0, -1). Relative angles: R_k = R_{k-1} Y(a_k) X(b_k); absolute: R_k = Y(a_k) X(b_k),
with Y(a) the turn about -y (so that a positive angle swings the link towards +x, as in the plane) and X(b) that about
x (towards +y). Both are universal joints; the relative ones are those of the engine. With w the world axis of an
angle, the columns of J_i are
    w x (p_i - p_{n-1})  (relative)   or   w x l_n d_n  (absolute),     d_n for the lengths                    (1)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.analyses.cranes.lumped import LumpedCrane

FIRST, SECOND, DOWN = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -1.0])


def turn_y(a: Any) -> np.ndarray:
    """Rotation matrix of a turn about -y."""
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])


def turn_x(b: Any) -> np.ndarray:
    """Rotation matrix of a turn about x."""
    c, s = np.cos(b), np.sin(b)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


@dataclass(frozen=True)
class SpatialCrane(LumpedCrane):
    """Trolley on a bridge, N links in space; the bridge's own mass moves along y only."""

    bridge: float = 0.0

    @property
    def rail_count(self) -> int:
        """Number of rail coordinates: x of the trolley, y of the bridge."""
        return 2

    @property
    def size(self) -> int:
        """Number of coordinates: x, y, 2 N angles, N lengths."""
        return 2 + 3 * self.count

    def rail_masses(self) -> np.ndarray:
        """Masses that move with the rail coordinates: the trolley along x, trolley and bridge along y."""
        return np.array([self.trolley, self.trolley + self.bridge])

    def frames(self, q: Any) -> tuple[np.ndarray, np.ndarray]:
        """World axes of the angles [link, 2, 3] and directions of the links [link, 3]."""
        q = np.asarray(q)
        R, axes, along = np.eye(3), [], []
        for k in range(self.count):
            a, b = q[2 + 2 * k], q[3 + 2 * k]
            base = R if self.angles == "relative" else np.eye(3)
            turned = base @ turn_y(a)
            axes.append([base @ FIRST, turned @ SECOND])
            R = turned @ turn_x(b)
            along.append(R @ DOWN)
        return np.array(axes), np.array(along)

    def positions(self, q: Any) -> np.ndarray:
        """Positions (x, y, z) of every mass [m]."""
        q = np.asarray(q)
        _, along = self.frames(q)
        arms = q[2 + 2 * self.count :, None] * along
        return np.cumsum(arms, axis=0) + np.array([q[0], q[1], 0.0])

    def jacobians(self, q: Any) -> np.ndarray:
        """Jacobians of the nodes' positions, Eq. (1)."""
        q, n = np.asarray(q), self.count
        axes, along = self.frames(q)
        arms = q[2 + 2 * n :, None] * along
        ends = np.cumsum(arms, axis=0)
        J = np.zeros((n, 3, self.size), axes.dtype)
        J[:, 0, 0] = J[:, 1, 1] = 1.0
        for k in range(n):
            lever = (
                ends[k:] - (ends[k] - arms[k]) if self.angles == "relative" else np.repeat(arms[k : k + 1], n - k, 0)
            )
            for side in range(2):
                J[k:, :, 2 + 2 * k + side] = np.cross(axes[k, side], lever)
            J[k:, :, 2 + 2 * n + k] = along[k]
        return J
