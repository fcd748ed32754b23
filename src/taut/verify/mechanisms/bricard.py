"""Bricard's six-bar linkage, after IFToMM benchmark A03: a loop that moves only by its special dimensions.

Five rods of 1 kg and 1 m, and the ground as the sixth, lie on edges of a cube; hinges, at right angles to both of their
rods, join them. Six hinges in a loop hold everything, but for such dimensions: a closure row is redundant everywhere.

The second solution (``BricardTwin``) has five angles and the one motion t that the loop leaves, the null vector of its
slopes G. With x the ends of all rods, J = dx/dq, and X the masses of rods in terms of their ends,
    q'' = t alpha - G^+ G' q',     t^T J^T (X (J q'' + J' q') - f) = 0.                                       (1)
"""

import numpy as np
from scipy.integrate import solve_ivp

from taut.scenario.builder import Machine

GRAVITY = np.array([9.81, 0.0, 0.0])  # gravity along x, under which the linkage oscillates
SOURCE = "equation of the one motion that is left, by DOP853"
# rods along edges of a cube, starting at the origin; the last edge, which is the ground, closes the loop
EDGES = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, -1], [-1, 0, 0], [0, -1, 0]], float)
AXES = np.cross(np.roll(EDGES, 1, axis=0), EDGES)  # axes of the hinges at the start of every rod
RODS = 5
LAST = EDGES[:RODS].sum(axis=0)  # position of the last hinge
COMPLEX = 1e-30  # step of derivatives by complex steps


def linkage() -> Machine:
    """The machine; frames are parallel to the world's at the start, each at the start of its rod."""
    machine = Machine("Bricard's linkage", gravity=GRAVITY.tolist())
    for k in range(RODS):
        hinge = {"kind": "revolute", "axis": AXES[k].tolist()}
        hinge |= {"parent": f"rod {k}", "origin": EDGES[k - 1].tolist()} if k else {}
        rod = {"length": 1.0, "axis": EDGES[k].tolist()}
        machine.body(f"rod {k + 1}", mass=1.0, com=(0.5 * EDGES[k]).tolist(), rod=rod, joint=hinge)
    machine.closure("last hinge", kind="revolute", bodies=["rod 5", "world"], axis=AXES[5].tolist(),
                    points=[EDGES[4].tolist(), LAST.tolist()])  # fmt: skip
    return machine.run(duration=10, save_every=0.01)


class BricardTwin:
    """The linkage by Eq. (1) in numpy; nothing of the engine is used."""

    def __init__(self) -> None:
        """Masses and weights in terms of both ends of every rod: T = m / 6 (a^2 + a b + b^2)."""
        self.masses = np.kron(np.eye(RODS), np.kron(np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0, np.eye(3)))
        self.weights = np.tile(0.5 * GRAVITY, 2 * RODS)

    def angles(self, times: np.ndarray) -> np.ndarray:
        """All five angles at the times, from rest [T, 5]."""
        start = np.zeros(2 * RODS)
        return solve_ivp(self.rates, (0.0, times[-1]), start, "DOP853", times, rtol=1e-11, atol=1e-12).y[:RODS].T

    def rates(self, _time: float, state: np.ndarray) -> np.ndarray:
        """Rates of angles and velocities by Eq. (1)."""
        q, v = state[:RODS], state[RODS:]
        J, G = slopes(q)
        t = np.linalg.svd(G)[2][-1]
        v = t * (t @ v)
        J_rate, G_rate = (np.imag(part) / COMPLEX for part in slopes(q + 1j * COMPLEX * v))
        own = -np.linalg.lstsq(G, G_rate @ v, rcond=1e-8)[0]
        force = J.T @ (self.weights - self.masses @ (J @ own + J_rate @ v))
        a = own + t * (t @ force) / (t @ J.T @ self.masses @ J @ t)
        return np.concatenate([v, a])


def slopes(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Jacobians J of both ends of all rods [6 rods, angle], and G of the loop [row, angle]; q may be complex."""
    turn, at, places, axes, ends = np.eye(3), np.zeros(3), [], [], []
    for k in range(RODS):
        places.append(at)
        axes.append(turn @ AXES[k])
        turn = turn @ rotation(AXES[k], q[k])
        at = at + turn @ EDGES[k]
        ends.append((places[-1], at))
    J = np.zeros((6 * RODS, RODS), q.dtype)
    for k in range(RODS):
        for j in range(k + 1):
            J[6 * k : 6 * k + 6, j] = np.concatenate([np.cross(axes[j], end - places[j]) for end in ends[k]])
    hinge = turn @ AXES[5]
    G = [np.concatenate([np.cross(axes[j], at - places[j]), np.cross(np.cross(axes[j], hinge), AXES[5])])
         for j in range(RODS)]  # fmt: skip
    return J, np.array(G).T


def rotation(axis: np.ndarray, angle: complex) -> np.ndarray:
    """Rotation matrix about a unit axis."""
    K = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K
