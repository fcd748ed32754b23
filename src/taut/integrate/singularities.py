"""Singular poses of a closed-loop machine, watched in every run: which matrix, which directions, which pose.

Gain type: with the actuators held the platform can still move; the closures' Jacobian by everything but the actuators
is singular. Loss type: with the platform held an actuator can still move; the Jacobian by everything but the platform
is singular [Muralidharan2018; Sathuluri, sec. 3.2, 4.2-4.3]. Both matrices are square once redundant rows and internal
motions (a coupler's spin) are left out; a singular pose between two samples shows as a change of the determinant's
sign, and is located on the cubic interpolation of the positions, with the loops closed again.
Condition numbers are of the matrices in SI units and radians.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.dynamics.constraints.closures import closures
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.residual import place
from taut.dynamics.spaces.equations import coordinate_rates, unit_quaternions
from taut.dynamics.tree.kinematics import kinematics
from taut.integrate.coordinates import Choice, choose_columns, has_task
from taut.integrate.start.start_state import close_loops
from taut.kernels.jit import entry
from taut.model import Data, Model, data_beside
from taut.scenario.errors import ScenarioError

MATRICES = {
    "gain": ("extended-to-actuator", "J_eta,qx (closures by the platform's pose and the passive joints)"),
    "loss": ("extended-to-task", "J_eta,q (closures by the joints)"),
}
SHOWN = 3  # number of singular values shown in a message
SHARE = 0.3  # components of a direction below this share of the largest are not named
BISECTIONS = 40
CLOSED = 1e-13
LARGEST = 1e16  # larger condition numbers are reported as this


@dataclass(frozen=True)
class Singularity:
    """A singular pose."""

    kind: str  # kind of singularity: gain or loss of freedom
    time: float  # time of the singular position [s]
    matrix: str
    values: tuple[float, ...]  # smallest singular values, smallest first
    condition: float
    directions: tuple[str, ...]  # directions of the lost motions, by the components of the singular vectors
    pose: tuple[float, ...]  # position [m] and Rodrigues parameters of the platform

    def __str__(self) -> str:
        """The singular pose in words."""
        values = ", ".join(f"{value:.3g}" for value in self.values)
        p, c = self.pose[:3], self.pose[3:]
        pose = f"platform at ({p[0]:.6g}, {p[1]:.6g}, {p[2]:.6g}) m"
        turn = f", Rodrigues parameters ({c[0]:.3g}, {c[1]:.3g}, {c[2]:.3g})" if len(c) else ""
        what = f"{self.kind}-type singularity at t = {self.time:.9g} s: {self.matrix} loses rank"
        sizes = f"smallest singular values {values}, condition number {self.condition:.3g}"
        return f"{what}; {sizes}; directions {'; '.join(self.directions)}; {pose}{turn}"


@entry
def jacobians_at(model, data, q, J):
    """The closures' Jacobians at many positions."""
    for i in range(len(q)):
        for k in range(len(data.q)):
            data.q[k] = q[i, k]
        kinematics(model, data)
        closures(model, data)
        closure_jacobian(model, data, J[i])


@entry
def rates_at(model, q, v, dq):
    """Rates of the coordinates at many states."""
    for i in range(len(q)):
        coordinate_rates(model, q[i], v[i], dq[i])


class Watch:
    """The two closure Jacobians of one machine, whose singular values are watched."""

    def __init__(self, model: Model, data: Data, body: str = "platform") -> None:
        """Choose rows and columns of the matrices at a placed state."""
        self.model, self.body = model, body
        self.data = data_beside(model, data)
        self.choices = {kind: choose_columns(model, data, space, body) for kind, (space, _) in MATRICES.items()}

    def jacobians(self, q: np.ndarray) -> np.ndarray:
        """Closure Jacobians at positions [time, coordinate]."""
        J = np.zeros((len(q), self.model.row_count, self.model.column_count))
        jacobians_at(self.model.tables, self.data, np.ascontiguousarray(q), J)
        return J

    def matrix(self, kind: str, J: np.ndarray) -> np.ndarray:
        """The watched matrix of a kind, from one Jacobian or many."""
        choice = self.choices[kind]
        return J[..., list(choice.pivot_rows), :][..., list(choice.eliminated)]

    def conditions(self, J: np.ndarray) -> dict[str, np.ndarray]:
        """Condition numbers of both kinds [time]."""
        found = {}
        for kind in MATRICES:
            values = np.linalg.svd(self.matrix(kind, J), compute_uv=False)
            with np.errstate(divide="ignore"):
                found[kind] = np.minimum(values[:, 0] / values[:, -1], LARGEST) if values.size else np.ones(len(J))
        return found

    def located(self, times: np.ndarray, q: np.ndarray, v: np.ndarray, J: np.ndarray) -> list[Singularity]:
        """Every change of sign of a determinant between two samples, in the order of time."""
        rates = np.zeros_like(q)
        rates_at(self.model.tables, np.ascontiguousarray(q), np.ascontiguousarray(v), rates)
        found = []
        for kind in MATRICES:
            signs = np.linalg.slogdet(self.matrix(kind, J))[0]
            for i in np.flatnonzero(signs[1:] * signs[:-1] < 0.0):
                span = (times[i], times[i + 1], q[i], q[i + 1], rates[i], rates[i + 1])
                found.append(self._locate(kind, span, signs[i]))
        return sorted(found, key=lambda s: s.time)

    def _locate(self, kind: str, span: tuple[Any, ...], sign: float) -> Singularity:
        """Find a singular position by bisection on the interpolated motion."""
        low, high, q0, q1, r0, r1 = span
        h = high - low
        left, right = 0.0, 1.0
        J = np.zeros((self.model.row_count, self.model.column_count))
        for _ in range(BISECTIONS):
            s = 0.5 * (left + right)
            J = self._between(q0, q1, h * r0, h * r1, s)
            if np.linalg.slogdet(self.matrix(kind, J))[0] == sign:
                left = s
            else:
                right = s
        return self.explain(kind, low + right * h, J)

    def _between(self, q0: np.ndarray, q1: np.ndarray, m0: np.ndarray, m1: np.ndarray, s: float) -> np.ndarray:
        """Jacobian at the cubic through both ends and their rates, loops closed."""
        a, b = s * s * (3.0 - 2.0 * s), s * (1.0 - s)
        q = q0 + a * (q1 - q0) + b * ((1.0 - s) * m0 - s * m1)
        unit_quaternions(self.model.tables, q)
        self.data.q[:] = q
        close_loops(self.model, self.data, CLOSED, is_solved=True)
        q[:] = self.data.q
        return self.jacobians(q[None])[0]

    def explain(self, kind: str, time: float, J: np.ndarray) -> Singularity:
        """The singularity near the state in the watch's data, with its Jacobian."""
        return explain(
            self.model,
            self.choices[kind],
            self.matrix(kind, J),
            (kind, time, pose_of(self.model, self.data, self.body)),
        )


def explain(
    model: Model, choice: Choice, matrix: np.ndarray, what: tuple[str, float, tuple[float, ...]]
) -> Singularity:
    """Smallest singular values and their directions in words."""
    kind, time, pose = what
    _, values, vectors = np.linalg.svd(matrix)
    names = [model.names.columns[c] for c in choice.eliminated]
    directions = tuple(_words(names, vector) for vector in vectors[::-1][:SHOWN])
    smallest = tuple(float(value) for value in values[::-1][:SHOWN])
    condition = float(values[0] / values[-1]) if values[-1] > 0.0 else np.inf
    return Singularity(kind, time, MATRICES[kind][1], smallest, condition, directions, pose)


def _words(names: list[str], vector: np.ndarray) -> str:
    """A direction in words, by its largest components; by those of the platform if it has any."""
    platform = [i for i, name in enumerate(names) if name.startswith("platform.")]
    chosen = platform if platform and np.abs(vector[platform]).max() > 0.1 * np.abs(vector).max() else range(len(names))
    largest = max(chosen, key=lambda i: abs(vector[i]))
    parts = [i for i in chosen if abs(vector[i]) >= SHARE * abs(vector[largest])]
    return " ".join(
        f"{vector[i] / vector[largest]:+.2g} {names[i]}" for i in sorted(parts, key=lambda i: -abs(vector[i]))
    )


def pose_of(model: Model, data: Data, body: str = "platform") -> tuple[float, ...]:
    """Position [m] and Rodrigues parameters of a body in a placed state."""
    here = data.nodes[model.names.bodies[body]]
    return tuple(float(x) for x in (*here.x, *rodrigues(np.reshape(here.R, (3, 3)))))


def rodrigues(R: np.ndarray) -> np.ndarray:
    """Rodrigues (Gibbs) parameters of a rotation."""
    S = (R - np.eye(3)) @ np.linalg.inv(R + np.eye(3)) if abs(np.trace(R) + 1.0) > 1e-12 else np.full((3, 3), np.inf)
    return np.array([S[2, 1], S[0, 2], S[1, 0]])


def watched(model: Model, data: Data, arrays: dict[str, np.ndarray]) -> tuple[dict[str, np.ndarray], list[Any]]:
    """Condition numbers of a run at its samples, as channels, and the singular poses it passed, as events."""
    if not has_task(model) or not len(arrays["time"]):
        return {}, []
    times, q, v = arrays["time"], arrays["joint_position"], arrays["joint_velocity"]
    start = data_beside(model, data)
    start.q[:] = q[0]
    place(model.tables, start)
    try:
        watch = Watch(model, start)
    except ScenarioError:  # too few actuators to hold the platform: the matrices are not square
        return {}, []
    J = watch.jacobians(q)
    channels = {f"condition_{kind}": values for kind, values in watch.conditions(J).items()}
    events = [{"time": s.time, "name": f"{s.kind} singularity", "what": str(s)} for s in watch.located(times, q, v, J)]
    return channels, events
