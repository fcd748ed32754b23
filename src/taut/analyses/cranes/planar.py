"""The crane in the plane: q = (x, angles, lengths), a positive angle swings the link from straight down towards +x.

With d_k = (sin a_k, -cos a_k) along link k, e_k = dd_k/da_k = (cos a_k, sin a_k), a_k the absolute angles and
r_{n,i} = sum_{k=n..i} l_k e_k, the columns of J_i (i >= n) are
    x: (1, 0),    theta_n: r_{n,i}  (relative)  or  alpha_n: l_n e_n  (absolute),    l_n: d_n             (1)
"""

from typing import Any

import numpy as np

from taut.analyses.cranes.lumped import LumpedCrane


class PlanarCrane(LumpedCrane):
    """Trolley on a rail, N links in the plane [Brogliato2022, sec. 2]."""

    @property
    def rail_count(self) -> int:
        """Number of rail coordinates: the trolley's x alone."""
        return 1

    @property
    def size(self) -> int:
        """Number of coordinates: x, N angles, N lengths."""
        return 1 + 2 * self.count

    def rail_masses(self) -> np.ndarray:
        """Mass that moves with the rail coordinate: the trolley's."""
        return np.array([self.trolley])

    def parts(self, q: Any) -> tuple[Any, np.ndarray, np.ndarray]:
        """Trolley, absolute angles, lengths."""
        n = self.count
        angles = np.asarray(q)[1 : 1 + n]
        return q[0], np.cumsum(angles) if self.angles == "relative" else angles, np.asarray(q)[1 + n :]

    def positions(self, q: Any) -> np.ndarray:
        """Positions (x, z) of every mass [m]."""
        x, a, l = self.parts(q)  # noqa: E741
        return np.cumsum(np.stack([l * np.sin(a), -l * np.cos(a)], axis=1), axis=0) + np.array([x, 0.0])

    def jacobians(self, q: Any) -> np.ndarray:
        """Jacobians of the nodes' positions, Eq. (1)."""
        _, a, l = self.parts(q)  # noqa: E741
        e, d = np.stack([np.cos(a), np.sin(a)]), np.stack([np.sin(a), -np.cos(a)])
        return self._filled(l * e, d)

    def jacobian_rates(self, q: Any, v: Any) -> np.ndarray:
        """Rates of the Jacobians by Eq. (1) differentiated: de/dt = -a' d, dd/dt = a' e."""
        _, a, l = self.parts(q)  # noqa: E741
        _, a_rate, l_rate = self.parts(v)
        e, d = np.stack([np.cos(a), np.sin(a)]), np.stack([np.sin(a), -np.cos(a)])
        rates = self._filled(l_rate * e - l * a_rate * d, a_rate * e)
        rates[:, 0, 0] = 0.0
        return rates

    def _filled(self, arms: np.ndarray, along: np.ndarray) -> np.ndarray:
        """J_i from l_k e_k and d_k (or their rates), shape [2, link] each."""
        n = self.count
        J = np.zeros((n, 2, self.size), arms.dtype)
        J[:, 0, 0] = 1.0
        below = np.arange(n)[:, None] >= np.arange(n)[None, :]  # entry [i, n]: whether mass i hangs below link n
        reach = np.cumsum(arms, axis=1)
        if self.angles == "relative":
            before = reach - arms
            J[:, :, 1 : 1 + n] = np.where(below[:, None], reach.T[:, :, None] - before[None], 0.0)
        else:
            J[:, :, 1 : 1 + n] = np.where(below[:, None], arms[None], 0.0)
        J[:, :, 1 + n :] = np.where(below[:, None], along[None], 0.0)
        return J
