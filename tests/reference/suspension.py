"""The suspended platform of [Wang2018] as dense matrices, slow and obvious: integrals by quadrature, one big system.

Coordinates per cable q (longitudinal), px, pz (lateral), phi (torsion); then the platform's wx, u, wz, thx, thy, thz.
y points down, the lengths of all cables are l(t). M r'' + C r' + K r = f + constraint forces.
"""

from dataclasses import dataclass

import numpy as np

RHO, J_C, Q1, Q4, Q23 = 6.0, 1.5e-3, 9e7, 3e3, 3e5
DAMPING = {"q": 20.0, "p": 2.0, "phi": 2.0}
MASS, INERTIA, G = 8000.0, (3.8e4, 3.6e4, 3.8e4), 9.81
HEIGHT = 2.74
PLACES = 3.0 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])  # X, Z of the attachment points [m]
SIGNS = np.array([1, -1, 1, -1])  # sign of the lay coupling of each rope
TENSION = MASS * G / 4


def length(t):
    """Length, speed and acceleration of the ropes: from 0 to 0.5 m/s in 10 s, constant until 90 s, at rest at 100 s."""
    if t < 10:
        return 100 + 0.025 * t**2, 0.05 * t, 0.05
    if t < 90:
        return 102.5 + 0.5 * (t - 10), 0.5, 0.0
    s = min(t, 100.0) - 90
    return 142.5 + 0.5 * s - 0.025 * s**2, 0.5 - 0.05 * s, -0.05 if t < 100 else 0.0


def sine(amplitude, omega):
    """Value and two derivatives of a sine, as a function of time."""
    return lambda t: np.array([amplitude * np.sin(omega * t), amplitude * omega * np.cos(omega * t),
                               -amplitude * omega**2 * np.sin(omega * t)])  # fmt: skip


@dataclass
class Suspension:
    """The machine with n modes per field."""

    n: int = 20
    vertical: float = 0.1  # amplitude of the driving errors e_1^y, e_2^y [m]
    lateral: float = 0.02  # amplitude of e^z [m]
    tension: float = TENSION

    def __post_init__(self):
        """Integrals of the shape functions, by quadrature."""
        self.k = (2 * np.arange(1, self.n + 1) - 1) * np.pi / 2
        x, w = np.polynomial.legendre.leggauss(6 * self.n + 20)
        x, w = 0.5 * (x + 1), 0.5 * w
        eta = np.sqrt(2) * np.sin(np.outer(self.k, x))
        slope = np.sqrt(2) * self.k[:, None] * np.cos(np.outer(self.k, x))
        self.D = (slope * w) @ slope.T
        self.B = (eta * w * (1 - x)) @ slope.T
        self.H = (slope * w * (1 - x)) @ slope.T
        self.G = (slope * w * (1 - x) ** 2) @ slope.T
        self.E = np.sqrt(2) * np.sin(self.k)
        self.I = eta @ w
        self.b = eta @ (w * (1 - x))
        zero = sine(0.0, 1.0)
        self.e_y = [sine(self.vertical, 2 * np.pi / 15), sine(self.vertical, 0.1 * np.pi), zero, zero]
        self.e_z = sine(self.lateral, np.pi)
        self.size = 16 * self.n + 6

    def field(self, cable, which):
        """Entries of one field: 0 q, 1 px, 2 pz, 3 phi."""
        first = (4 * cable + which) * self.n
        return slice(first, first + self.n)

    def system(self, t):
        """Matrices M, C, K and forces f at a time."""
        l, v, a = length(t)  # noqa: E741
        e, e1, e2 = self.e_z(t)
        M, C, K = (np.zeros((self.size, self.size)) for _ in range(3))
        f = np.zeros(self.size)
        load = self.tension * self.E + RHO * G * l * self.I
        for i in range(4):
            q, px, pz, phi = (self.field(i, k) for k in range(4))
            for at, m, c in ((q, RHO, "q"), (px, RHO, "p"), (pz, RHO, "p"), (phi, J_C, "phi")):
                M[at, at] = m * l * np.eye(self.n)
                C[at, at] = 2 * m * v * self.B + DAMPING[c] / l * self.D
                K[at, at] = m * a * self.B - m * v**2 / l * self.G
            K[q, q] += Q1 / l * self.D
            K[phi, phi] += Q4 / l * self.D
            K[q, phi] = K[phi, q] = SIGNS[i] * Q23 / l * self.D
            for at in (px, pz):
                K[at, at] += self.tension / l * self.D + RHO * G * self.H
            f[q] = -RHO * l * a * self.I - self.tension * self.E
            f[phi] = -SIGNS[i] * Q23 / Q1 * load
            f[pz] = -RHO * (l * e2 - a * e) * self.b + 2 * RHO * v * (e1 - v / l * e) * self.b + e / l * load
        M[-6:, -6:] = np.diag([MASS, MASS, MASS, *INERTIA])
        f[-5] = MASS * (G - a)
        return M, C, K, f

    def unilateral(self, r, t):
        """psi^U, its Jacobian and its time derivative at rest."""
        psi, J, rate = np.zeros(4), np.zeros((4, self.size)), np.zeros(4)
        thx, thz = r[-3], r[-1]
        for i, (X, Z) in enumerate(PLACES):
            e = self.e_y[i](t)
            psi[i] = self.E @ r[self.field(i, 0)] + e[0] - (r[-5] + X * np.sin(thz) - Z * np.sin(thx))
            J[i, self.field(i, 0)] = self.E
            J[i, -6:] = 0, -1, 0, Z * np.cos(thx), 0, -X * np.cos(thz)
            rate[i] = e[1]
        return psi, J, rate

    def bilateral(self, r):
        """psi^b (T1..T4, x1, z1, .. x4, z4) and its Jacobian."""
        J = np.zeros((12, self.size))
        for i, (X, Z) in enumerate(PLACES):
            J[i, self.field(i, 3)] = self.E
            J[i, -2] = -1
            J[4 + 2 * i, self.field(i, 1)] = self.E
            J[4 + 2 * i, -6:] = -1, 0, 0, 0, -Z, -HEIGHT
            J[5 + 2 * i, self.field(i, 2)] = self.E
            J[5 + 2 * i, -6:] = 0, 0, -1, HEIGHT, X, 0
        return J @ r, J

    def rest(self):
        """Static state and its multipliers: U, b."""
        _, _, K, f = self.system(0.0)
        f = f.copy()
        f[-5] = MASS * G  # the drive stands still
        for i in range(4):
            f[self.field(i, 0)] = -self.tension * self.E
        r = np.zeros(self.size)
        for _ in range(5):
            psi, J_U, _ = self.unilateral(r, 0.0)
            gap, J_b = self.bilateral(r)
            J = np.vstack([J_U, -J_b])
            A = np.block([[K, -J.T], [J, np.zeros((16, 16))]])
            x = np.linalg.solve(A, np.concatenate([f - K @ r, -psi, gap]))
            r, lam = r + x[: self.size], x[self.size :]
        return r, lam[:4], lam[4:]


@dataclass
class Scheme:
    """One step of the non-smooth generalized-alpha method as published, velocity level [facts: Eqs. 26-45]."""

    machine: Suspension
    h: float = 1e-3
    rho_infinity: float = 0.8

    def __post_init__(self):
        """Coefficients, and the machine at rest."""
        rho = self.rho_infinity
        self.alpha_m, self.alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.alpha_f - self.alpha_m
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        self.t, self.r = 0.0, self.machine.rest()[0]
        self.R = np.zeros_like(self.r)
        M, C, K, f = self.machine.system(0.0)
        self.rate = self.a = np.linalg.solve(M, f - C @ self.R - K @ self.r)

    def step(self):
        """Advance; returns the multipliers of cables and of bilateral rows."""
        h, m = self.h, self.machine
        gamma_t = (1 - self.alpha_m) / ((1 - self.alpha_f) * self.gamma * h)
        beta_t = self.beta * h / self.gamma - h / 2
        last, self.t = self.a, self.t + h
        a = (self.alpha_f * self.rate - self.alpha_m * last) / (1 - self.alpha_m)
        smooth = self.R + h * (1 - self.gamma) * last + h * self.gamma * a
        r = self.r + h * self.R + h**2 * (0.5 - self.beta) * last + h**2 * self.beta * a
        R, rate = smooth.copy(), np.zeros_like(r)
        M, C, K, f = m.system(self.t)
        A = m.unilateral(r, self.t)[0] <= 0
        _, J_b = m.bilateral(r)
        n, pull, hold = len(r), np.zeros(4), np.zeros(12)
        for _ in range(30):
            _, J, e = m.unilateral(r, self.t)
            J, e = J[A], e[A]
            res = np.concatenate([M @ rate + C @ R + K @ r - f, M @ (R - smooth) + J_b.T @ hold - J.T @ pull[A],
                                  J_b @ R])  # fmt: skip
            S = np.block([[gamma_t * M + beta_t * K, C + h / 2 * K, np.zeros((n, 12))], [-M, M, J_b.T],
                          [np.zeros((12, n)), J_b, np.zeros((12, 12))]])  # fmt: skip
            b = np.vstack([np.zeros((n, len(J))), J.T, np.zeros((12, len(J)))])
            found = np.linalg.solve(S, np.column_stack([-res, b]))
            W = J @ found[n : 2 * n, 1:]
            new = solve_lcp(W, J @ R + e + J @ found[n : 2 * n, 0] - W @ pull[A])
            x = found[:, 0] + found[:, 1:] @ (new - pull[A])
            pull[A] = new
            smooth, R, hold = smooth + x[:n], R + x[n : 2 * n], hold + x[2 * n :]
            r, rate = r + beta_t * x[:n] + h / 2 * x[n : 2 * n], rate + gamma_t * x[:n]
            if np.abs(x[: 2 * n]).max() < 1e-12:
                break
        self.a = a + (1 - self.alpha_f) / (1 - self.alpha_m) * rate
        self.r, self.R, self.rate = r, R, rate
        return pull / h, hold / h


def solve_lcp(W, f):
    """w = W x + f >= 0, x >= 0, x.w = 0 by trying every set of active rows."""
    n = len(f)
    for number in range(2**n):
        on = np.array([bool(number >> k & 1) for k in range(n)], bool)
        x = np.zeros(n)
        if on.any():
            x[on] = np.linalg.solve(W[np.ix_(on, on)], -f[on])
        if (x >= 0).all() and (W @ x + f >= -1e-12 * (1 + np.abs(f).max()))[~on].all():
            return x
    raise ValueError("no solution")
