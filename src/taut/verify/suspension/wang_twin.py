"""The published suspension in its published steps, once more: plain matrices, nothing of the engine [Wang2018].

Coordinates are w, both lateral fields of every rope [modes, 8] (x1, z1, x2, ..), s, its longitudinal and torsional
fields [2 modes, 4], the torsion counted with the sign of the rope's lay, so that one matrix serves all ropes, and p,
the platform's wx, depth, wz, thx, thy, thz. Rows are w (8), torsion (4), pull (4); multipliers P push along their rows.
With the abbreviations of ``nonsmooth.impulse_newton``, b = beta h / gamma - h / 2 and G = g M + b K, a step solves
    g M dv~ + b K dv~ + (C + h/2 K) dv = -R,     M (dv - dv~) - J^T dP = -(M (v - v~) - J^T P) = -e,
hence dv~ = dv + M^-1 (e - J^T dP) and (g M + C + beta h / gamma K) dv = -R - G M^-1 e + G M^-1 J^T dP             (1)
by inverses of the matrices, 20 by 20 and 40 by 40, that are made anew in every step. All terms of Newton's matrix but
the turning of the rows are there, and two iterations are enough.
"""

from itertools import product

import numpy as np

LINE, SPIN, AXIAL, TURN, LAY = 6.0, 1.5e-3, 9e7, 3e3, 3e5
DAMPING = (20.0, 2.0, 2.0)  # coefficients of axial, lateral and torsional damping
MASSES = np.array([8000.0, 8000.0, 8000.0, 3.8e4, 3.6e4, 3.8e4])
GRAVITY, HEIGHT = 9.81, 2.74
X, Z = 3.0 * np.array([[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0]])  # positions of the attachment points [m]
SIGNS = np.array([1.0, -1.0, 1.0, -1.0])
TENSION = MASSES[0] * GRAVITY / 4
DRIVES = (2 * np.pi / 15, 0.1 * np.pi)  # circular frequencies of the drives of ropes 1 and 2 [rad/s]
SHAKE = (0.02, np.pi)
PUSHED = 12  # number of two-sided rows, which come before the one-sided ones


def lowered(t: float) -> tuple[float, float, float]:
    """Length, rate and second rate up to 100 s; where the last one jumps it is the later one."""
    if t < 10.0:
        return 100.0 + 0.025 * t * t, 0.05 * t, 0.05
    if t < 90.0:
        return 102.5 + 0.5 * (t - 10.0), 0.5, 0.0
    s = t - 90.0
    return 142.5 + 0.5 * s - 0.025 * s * s, 0.5 - 0.05 * s, -0.05


def shapes(n: int) -> dict[str, np.ndarray]:
    """Integrals of the shape functions by quadrature."""
    k = (2 * np.arange(1, n + 1) - 1) * np.pi / 2
    x, weight = np.polynomial.legendre.leggauss(6 * n + 20)
    x, weight = 0.5 * (x + 1), 0.5 * weight
    eta, slope = np.sqrt(2) * np.sin(np.outer(k, x)), np.sqrt(2) * k[:, None] * np.cos(np.outer(k, x))
    far = 1 - x
    found = {"D": (slope * weight) @ slope.T, "B": (eta * weight * far) @ slope.T}
    found |= {"H": (slope * weight * far) @ slope.T, "G": (slope * weight * far**2) @ slope.T}
    return found | {"end": np.sqrt(2) * np.sin(k), "area": eta @ weight, "lean": eta @ (weight * far)}


def solve_by_trial(W: np.ndarray, f: np.ndarray) -> np.ndarray:
    """0 <= W z + f complementary to z >= 0: every set of closed rows, all of them first."""
    for closed in product((True, False), repeat=len(f)):
        on, z = np.array(closed, bool), np.zeros(len(f))
        if on.any():
            z[on] = np.linalg.solve(W[np.ix_(on, on)], -f[on])
        if (z >= 0).all() and (W @ z + f >= -1e-13 * (1 + np.abs(f).max(initial=0.0)))[~on].all():
            return z
    raise ValueError("no solution")


class Twin:
    """The machine and its state; ``step`` advances it.

    The platform's depth is measured from the ropes' length, as published, or from the world, as the engine does. The
    two differ where the length's second rate jumps.
    """

    def __init__(self, modes: int = 20, h: float = 1e-3, *, error: float = 0.1, is_relative: bool = False) -> None:
        self.n, self.h, self.is_relative, self.shapes = modes, h, is_relative, shapes(modes)
        self.error = error  # amplitude of the drives' errors [m]
        rho = 0.8
        self.alpha_m, self.alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.alpha_f - self.alpha_m
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        self.steps, self.iterations, self.overlap, self.switches = 0, 0, 0.0, 0
        self.set_time(0.0)
        self.r = self.rest()
        self.v = [np.zeros_like(part) for part in self.r]
        self.smooth_rate = [-part / mass for part, mass in zip(self.needs(self.r, self.v), self.mass, strict=True)]
        self.a = self.smooth_rate
        self.P, self.is_taut = np.zeros(16), np.ones(4, bool)

    def set_time(self, t: float) -> None:
        """Matrices, loads and prescribed motions."""
        D, B, H, G = (self.shapes[key] for key in "DBHG")
        end, area, lean, n = self.shapes["end"], self.shapes["area"], self.shapes["lean"], self.n
        l, v, a = lowered(t)  # noqa: E741
        flow = a * B - v * v / l * G
        self.C_w = 2 * LINE * v * B + DAMPING[1] / l * D
        self.K_w = LINE * flow + TENSION / l * D + LINE * GRAVITY * H
        self.C_s, self.K_s = np.zeros((2 * n, 2 * n)), np.kron([[AXIAL, LAY], [LAY, TURN]], D / l)
        for k, (density, damping) in enumerate(((LINE, DAMPING[0]), (SPIN, DAMPING[2]))):
            part = slice(k * n, (k + 1) * n)
            self.C_s[part, part] = 2 * density * v * B + damping / l * D
            self.K_s[part, part] += density * flow
        self.mass = [LINE * l, l * np.repeat([LINE, SPIN], n)[:, None], MASSES]
        e, e_rate, e_second = sine(SHAKE, t)
        load = TENSION * end + LINE * GRAVITY * l * area
        across = LINE * lean * (2 * v * (e_rate - v / l * e) - (l * e_second - a * e)) + e / l * load
        along = np.concatenate([-LINE * l * a * area - TENSION * end, -LAY / AXIAL * load])
        self.load = [np.outer(across, [0, 1] * 4), np.outer(along, np.ones(4)), np.zeros(6)]
        self.load[2][1] = MASSES[1] * (GRAVITY - (a if self.is_relative else 0.0))
        self.lift, self.lift_rate = np.zeros(4), np.zeros(4)
        for k, omega in enumerate(DRIVES):
            self.lift[k], self.lift_rate[k], _ = sine((self.error, omega), t)
        if not self.is_relative:
            self.lift, self.lift_rate = self.lift + l, self.lift_rate + v
        self.length = l

    def needs(self, r: list, v: list) -> list:
        """Forces C v + K r - f, without those of accelerations."""
        return [self.C_w @ v[0] + self.K_w @ r[0] - self.load[0], self.C_s @ v[1] + self.K_s @ r[1] - self.load[1],
                -self.load[2]]  # fmt: skip

    def platform_rows(self, p: np.ndarray) -> np.ndarray:
        """The platform's part of the Jacobian [16, 6]."""
        J = np.zeros((16, 6))
        J[0:8:2, [0, 4, 5]] = np.column_stack([-np.ones(4), -Z, np.full(4, -HEIGHT)])
        J[1:8:2, [2, 3, 4]] = np.column_stack([-np.ones(4), np.full(4, HEIGHT), X])
        J[8:12, 4] = -1.0
        J[12:, [1, 3, 5]] = np.column_stack([-np.ones(4), Z * np.cos(p[3]), -X * np.cos(p[5])])
        return J

    def rows(self, x: list, J: np.ndarray) -> np.ndarray:
        """Product J x of all rows."""
        end, n = self.shapes["end"], self.n
        return np.concatenate([end @ x[0], SIGNS * (end @ x[1][n:]), end @ x[1][:n]]) + J @ x[2]

    def pushes(self, P: np.ndarray, J: np.ndarray) -> list:
        """Forces J^T P of impulses P."""
        end = self.shapes["end"]
        return [np.outer(end, P[:8]), np.vstack([np.outer(end, P[12:]), np.outer(end, SIGNS * P[8:12])]), J.T @ P]

    def gaps(self, r: list) -> np.ndarray:
        """Gaps of the pull rows, positive when slack [m]."""
        p = r[2]
        depth = p[1] + X * np.sin(p[5]) - Z * np.sin(p[3])
        return self.shapes["end"] @ r[1][: self.n] + self.lift - depth

    def rest(self) -> list:
        """Balance at time zero, drives at rest: all ropes are loaded alike, and the torsion is held at the end."""
        end, n = self.shapes["end"], self.n
        _, _, a = lowered(0.0)
        load = self.load[1][:, 0] + np.concatenate([LINE * self.length * a * self.shapes["area"], np.zeros(n)])
        K = self.K_s - np.kron(np.diag([LINE, SPIN]), a * self.shapes["B"])
        A = np.zeros((2 * n + 1, 2 * n + 1))
        A[:-1, :-1], A[n:-1, -1], A[-1, n:-1] = K, end, end
        s = np.linalg.solve(A, np.concatenate([load + np.concatenate([TENSION * end, np.zeros(n)]), [0.0]]))[:-1]
        depth = end @ s[:n] + (0.0 if self.is_relative else self.length)
        return [np.zeros((n, 8)), np.outer(s, np.ones(4)), np.array([0, depth, 0, 0, 0, 0.0])]

    def step(self) -> np.ndarray:
        """Advance; returns the pulls of the ropes [N]."""
        h, gamma, last = self.h, self.gamma, self.a
        self.steps += 1
        self.set_time(self.steps * h)
        self.a = [(self.alpha_f * s - self.alpha_m * a) / (1 - self.alpha_m)
                  for s, a in zip(self.smooth_rate, last, strict=True)]  # fmt: skip
        smooth = [v + h * (1 - gamma) * a0 + h * gamma * a for v, a0, a in zip(self.v, last, self.a, strict=True)]
        self.r = [r + h * v + h * h * ((0.5 - self.beta) * a0 + self.beta * a)
                  for r, v, a0, a in zip(self.r, self.v, last, self.a, strict=True)]  # fmt: skip
        self.v, self.smooth, self.P = [v.copy() for v in smooth], smooth, np.zeros(16)
        self.smooth_rate = [np.zeros_like(v) for v in smooth]
        is_active = self.gaps(self.r) <= 0.0
        self.prepare()
        while self.correct(is_active) > 1e-10:
            pass
        f = (1 - self.alpha_f) / (1 - self.alpha_m)
        self.a = [a + f * s for a, s in zip(self.a, self.smooth_rate, strict=True)]
        self.count(is_active)
        return self.P[PUSHED:] / h

    def prepare(self) -> None:
        """Matrices of Eq. (1), and how the ropes' ends answer to impulses."""
        h, n, end = self.h, self.n, self.shapes["end"]
        self.g = (1 - self.alpha_m) / ((1 - self.alpha_f) * self.gamma * h)
        self.b, c = self.beta * h / self.gamma - h / 2, self.beta * h / self.gamma
        self.S_w = np.linalg.inv(self.g * self.mass[0] * np.eye(n) + self.C_w + c * self.K_w)
        self.S_s = np.linalg.inv(self.g * np.diag(self.mass[1][:, 0]) + self.C_s + c * self.K_s)
        ends = np.kron(np.eye(2), end[:, None])
        self.y_w = self.S_w @ (self.g * end + self.b * (self.K_w @ end) / self.mass[0])
        self.y_s = self.S_s @ (self.g * ends + self.b * (self.K_s @ (ends / self.mass[1])))
        own = ends.T @ self.y_s  # compliance of a rope's end in pull and torsion, which are coupled
        self.W_ropes = np.diag(np.repeat([end @ self.y_w, own[1, 1], own[0, 0]], [8, 4, 4]))
        self.W_ropes[range(8, 12), range(12, 16)] = SIGNS * own[1, 0]
        self.W_ropes[range(12, 16), range(8, 12)] = SIGNS * own[0, 1]

    def correct(self, is_active: np.ndarray) -> float:
        """One iteration of Eq. (1); returns the largest change of a velocity."""
        g, b, h = self.g, self.b, self.h
        J = self.platform_rows(self.r[2])
        pairs = zip(self.v, self.smooth, self.mass, self.pushes(self.P, J), strict=True)
        e = [mass * (v - smooth) - push for v, smooth, mass, push in pairs]
        lag = [part / mass for part, mass in zip(e, self.mass, strict=True)]
        R = [m * s + need for m, s, need in zip(self.mass, self.smooth_rate, self.needs(self.r, self.v), strict=True)]
        free = [self.S_w @ (-R[0] - g * e[0] - b * (self.K_w @ lag[0])),
                self.S_s @ (-R[1] - g * e[1] - b * (self.K_s @ lag[1])), (-R[2] - g * e[2]) / (g * MASSES)]  # fmt: skip
        W = self.W_ropes + J @ (J / MASSES).T
        rates = self.rows([v + x for v, x in zip(self.v, free, strict=True)], J)
        rates[PUSHED:] += self.lift_rate
        dP = self.impulses(W, rates, is_active) - self.P
        turn = np.outer(self.y_s[:, 0], dP[12:]) + np.outer(self.y_s[:, 1], SIGNS * dP[8:12])
        dv = [free[0] + np.outer(self.y_w, dP[:8]), free[1] + turn, free[2] + J.T @ dP / MASSES]
        pairs = zip(dv, e, self.pushes(dP, J), self.mass, strict=True)
        ds = [x + (part - push) / mass for x, part, push, mass in pairs]
        self.P = self.P + dP
        for k in range(3):
            self.v[k] += dv[k]
            self.smooth[k] += ds[k]
            self.r[k] = self.r[k] + b * ds[k] + 0.5 * h * dv[k]
            self.smooth_rate[k] += g * ds[k]
        self.iterations += 1
        return max(float(np.abs(part).max()) for part in (*dv, *ds))

    def impulses(self, W: np.ndarray, rates: np.ndarray, is_active: np.ndarray) -> np.ndarray:
        """Impulses after which two-sided rows rest and active ropes pull or part; ``rates``: of the rows before."""
        held, sided = np.arange(PUSHED), PUSHED + np.flatnonzero(is_active)
        P = self.P.copy()
        answer = np.linalg.solve(W[np.ix_(held, held)], np.column_stack([rates[held], W[np.ix_(held, sided)]]))
        M = W[np.ix_(sided, sided)] - W[np.ix_(sided, held)] @ answer[:, 1:]
        P[sided] = solve_by_trial(M, rates[sided] - W[np.ix_(sided, held)] @ answer[:, 0] - M @ self.P[sided])
        P[held] -= answer[:, 0] + answer[:, 1:] @ (P[sided] - self.P[sided])
        return P

    def count(self, is_active: np.ndarray) -> None:
        """Changes between slack and taut, and how far pull and gap rate are positive together."""
        rates = (self.rows(self.v, self.platform_rows(self.r[2]))[PUSHED:] + self.lift_rate)[is_active]
        if len(rates) > 0:
            self.overlap = max(self.overlap, float(np.abs(np.minimum(rates, self.P[PUSHED:][is_active])).max()))
        is_taut = self.P[PUSHED:] > 0.0
        self.switches += int((is_taut != self.is_taut).sum())
        self.is_taut = is_taut

    def platform(self) -> np.ndarray:
        """wx, u, wz, thx, thy, thz, the depth from the ropes' length."""
        p = self.r[2].copy()
        p[1] -= 0.0 if self.is_relative else self.length
        return p


def sine(drive: tuple[float, float], t: float) -> tuple[float, float, float]:
    """Value and two derivatives of a drive's sine."""
    amplitude, omega = drive
    value, rate = amplitude * np.sin(omega * t), amplitude * omega * np.cos(omega * t)
    return value, rate, -omega * omega * value
