"""A move without residual swing, by flatness: the load's path determines everything else.

For point masses on massless links in the plane the load's path p_N(t) is a flat output. From below upwards, with the
force f_n = sum_{i>=n} m_i (p_i'' - gravity) that link n carries [N],
    p_{n-1} = p_n + l_n f_n / |f_n|                                                                (1)
for fixed lengths; the top link ends on the rail, so that its length follows:
    p_0 = p_1 + f_1 (h - z_1) / f_1z,       l_1 = |p_0 - p_1|                                      (2)
Second derivatives are taken of truncated Taylor series, which are exact; N links ask for 2 N derivatives of the path.
"""

from dataclasses import dataclass
from math import comb

import numpy as np

from taut.analyses.cranes.planar import PlanarCrane


@dataclass(frozen=True)
class FlatMove:
    """Samples of a move: the trolley and the top link's length that carry the load along its path."""

    times: np.ndarray  # times of the samples [s]
    trolley: np.ndarray  # position of the trolley [m]
    length: np.ndarray  # length of the first link [m]
    load: np.ndarray  # position of the load (x, z below the rail) [m], shape [time, 2]


def flat_move(crane: PlanarCrane, lengths: tuple[np.ndarray, np.ndarray], distance: float, duration: float,
              step: float = 0.01) -> FlatMove:  # fmt: skip
    """Rest to rest over a distance [m] in a duration [s], from the lengths at the start to those at the end.

    Only the first link's length may change. The load follows a polynomial with 2 N + 2 derivatives zero at both ends.
    """
    before, after = (np.asarray(part, float) for part in lengths)
    if np.any(before[1:] != after[1:]):
        raise ValueError("only the first link's length can follow from the path of the load")
    times = np.append(np.arange(0.0, duration, step), duration)
    depth = 2 * crane.count + 2
    share = smooth_step(times / duration, depth, depth + 1) / duration ** np.arange(depth + 1)[:, None]
    start, end = np.array([0.0, -before.sum()]), np.array([distance, -after.sum()])
    p = (end - start)[:, None, None] * share
    p[:, 0] += start[:, None]
    load = p[:, 0].T.copy()
    force = np.zeros_like(p)
    weight = np.array([0.0, crane.gravity])
    for n in range(crane.count - 1, -1, -1):
        second = shifted(p)
        second[:, 0] += weight[:, None]
        force = force[:, : second.shape[1]] + crane.masses[n] * second
        p = p[:, : second.shape[1]]
        if n > 0:
            p = p + before[n] * product(
                force, reciprocal_root(product(force[0], force[0]) + product(force[1], force[1]))
            )
    x, z, f = p[0, 0], p[1, 0], force[:, 0]
    trolley = x - f[0] * z / f[1]
    return FlatMove(times, trolley, np.hypot(trolley - x, z), load)


def smooth_step(s: np.ndarray, flat: int, count: int) -> np.ndarray:
    """0 to 1 with ``flat`` derivatives zero at both ends: Taylor coefficients [count, time] at s in [0, 1]."""
    # smoothstep polynomial of continuity k: s^(k+1) sum_j C(k + j, j) C(2 k + 1, k - j) (-s)^j
    k = flat
    polynomial = np.zeros(2 * k + 2)
    for j in range(k + 1):
        polynomial[k + 1 + j] = comb(k + j, j) * comb(2 * k + 1, k - j) * (-1.0) ** j
    rows = []
    for order in range(count):
        rows.append(np.polynomial.polynomial.polyval(s, polynomial))
        polynomial = np.polynomial.polynomial.polyder(polynomial) / (order + 1)
    return np.array(rows)


def shifted(p: np.ndarray) -> np.ndarray:
    """Second derivative of Taylor series along axis 1, two coefficients shorter."""
    k = np.arange(p.shape[1] - 2)
    return p[:, 2:] * ((k + 1) * (k + 2))[:, None]


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Product of Taylor series [..., order, time], as long as the shorter."""
    count = min(a.shape[-2], b.shape[-2])
    return np.stack([sum(a[..., j, :] * b[..., k - j, :] for j in range(k + 1)) for k in range(count)], axis=-2)


def reciprocal_root(a: np.ndarray) -> np.ndarray:
    """a^(-1/2) of a Taylor series [order, time], by the recursion of powers."""
    power, found = -0.5, np.zeros_like(a)
    found[0] = a[0] ** power
    for k in range(1, len(a)):
        total = sum((power * j - (k - j)) * a[j] * found[k - j] for j in range(1, k + 1))
        found[k] = total / (k * a[0])
    return found
