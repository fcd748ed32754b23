"""Coefficient matrices of a machine in every space: M x'' + C x' + G = Q + J^T lam, exact, from one model.

Coordinates are those of the joints; free and spherical joints count by Rodrigues parameters c,
R = (1 - [c])^-1 (1 + [c]), so that all of them are true coordinates:
    v = T x',   w = 2/(1 + c.c) (1 + [c]) c'                                                              (1)
Then forces and closure biases are quadratic forms of x', and their polar forms
    C e_j = 1/2 (h(x' + e_j) - h(x') - h(e_j)),    J' e_j likewise                                        (2)
are Christoffel's C (dM/dt - 2C is skew) and the rate of J, without any differentiation. A space follows from a larger
one by x' = Gamma u [Sathuluri, Eqs. 12-14, 18, 23-25]:
    M_u = Gamma^T M Gamma,   C_u = Gamma^T (C Gamma + M Gamma'),   G_u = Gamma^T G,   J_u = J Gamma       (3)
"""

from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from taut.dynamics.constraints.closures import closures
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.forces.acting import external_wrenches, joint_forces
from taut.dynamics.inverse import inverse
from taut.dynamics.tree.kinematics import kinematics
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.integrate.coordinates import check_space, choose_columns
from taut.model import Data, Model, new_data, new_factor, set_moment
from taut.scenario.errors import Problem, ScenarioError

HALF_TURN = 1e-6  # least scalar part w of a quaternion: Rodrigues parameters are infinite at a half turn


@dataclass(frozen=True)
class Coefficients:
    """The equations of motion in one space, at one state."""

    space: str
    names: tuple[str, ...]  # names of the coordinates of the space
    rows: tuple[str, ...]  # names of the constraints that remain in the space
    rate: np.ndarray  # rates x' of the coordinates
    M: np.ndarray
    C: np.ndarray
    G: np.ndarray
    Q: np.ndarray  # forces of springs, dampers, signals and loads
    J: np.ndarray  # Jacobian J_eta of the constraints that remain
    J_rate: np.ndarray
    Gamma: np.ndarray  # Jacobian of the extended coordinates' rates with respect to the rates in this space
    Gamma_rate: np.ndarray

    def accelerations(self) -> np.ndarray:
        """x'' by a dense solve with the remaining constraints."""
        n, c = len(self.M), len(self.J)
        K = np.block([[self.M, -self.J.T], [self.J, np.zeros((c, c))]])
        b = np.concatenate([self.Q - self.C @ self.rate - self.G, -self.J_rate @ self.rate])
        return np.linalg.solve(K, b)[:n]

    def to_xarray(self) -> xr.Dataset:
        """The matrices as a dataset; units are SI, by the coordinates."""
        across, rows = ("coordinate", "by"), ("row", "by")
        dims = {"rate": "coordinate", "M": across, "C": across, "G": "coordinate", "Q": "coordinate", "J": rows,
                "J_rate": rows, "Gamma": ("extended", "by"), "Gamma_rate": ("extended", "by")}  # fmt: skip
        found = {name: (along, getattr(self, name)) for name, along in dims.items()}
        names = list(self.names)
        coords = {"coordinate": names, "by": names, "row": list(self.rows)}
        return xr.Dataset(found, coords=coords, attrs={"space": self.space, "units": "SI, by the coordinates"})


def coefficients(model: Model, data: Data, space: str, body: str = "platform") -> Coefficients:
    """M, C, G, J of a space at a state whose loops are closed.

    Args:
        model: the machine.
        data: where it stands (time, q, v).
        space: ``extended``, ``configuration``, ``actuator``, ``task``, ``extended-to-task``, ``extended-to-actuator``.
        body: the body whose motion is the task.
    """
    check_space(space)
    full = extended(model, data)
    if space == "extended":
        choice = choose_columns(model, data, space, body)
        return _with_rows(full, list(choice.rest))
    if space in ("extended-to-task", "extended-to-actuator"):
        choice = choose_columns(model, data, space, body)
        return eliminated(full, space, list(choice.eliminated), list(choice.pivot_rows), order=list(choice.kept))
    choice = choose_columns(model, data, "configuration", body)
    inner = eliminated(full, "configuration", list(choice.eliminated), list(choice.pivot_rows), order=list(choice.kept))
    inner = _with_rows(inner, [inner.rows.index(model.names.rows[row]) for row in choice.rest])
    if space == "configuration":
        return inner
    return mapped(inner, full, space, coefficients(model, data, f"extended-to-{space}", body))


def extended(model: Model, data: Data) -> Coefficients:
    """The whole machine, all closures as constraints; Eqs. (1), (2)."""
    n, tables = model.column_count, model.tables
    at = new_data(model)
    at.q[:], at.z[:] = data.q, data.z
    set_moment(at, data)
    T = chart(model, data.q)
    rate = np.linalg.solve(T, data.v)
    M, J, loaded = np.zeros((n, n)), np.zeros((model.row_count, n)), np.zeros(n)
    weight, _ = _forms(model, at, T, np.zeros(n), np.zeros(n))
    mass_matrix(tables, at, new_factor(model), M)
    closure_jacobian(tables, at, J)
    forms = [_forms(model, at, T, x, weight) for x in (rate, *np.eye(n), *(rate + np.eye(n)))]
    h, b = (np.array([form[k] for form in forms]) for k in range(2))
    C = 0.5 * (h[n + 1 :] - h[0] - h[1 : n + 1]).T
    J_rate = 0.5 * (b[n + 1 :] - b[0] - b[1 : n + 1]).T
    at.v[:] = data.v
    kinematics(tables, at)
    joint_forces(tables, at)
    external_wrenches(tables, at)
    inverse(tables, at, np.zeros(n), loaded)
    # applied loads, as the difference between the forces needed without and with them
    loads = T.T @ (at.force + forces_of(model, at) - loaded)
    weight = T.T @ weight
    return Coefficients("extended", chart_names(model), model.names.rows, rate, T.T @ M @ T, C, weight, loads, J @ T,
                        J_rate, np.eye(n), np.zeros((n, n)))  # fmt: skip


def forces_of(model: Model, data: Data) -> np.ndarray:
    """Generalised forces at joint acceleration zero, without applied loads."""
    bare = new_data(model)
    bare.q[:], bare.v[:] = data.q, data.v
    set_moment(bare, data)
    kinematics(model.tables, bare)
    force = np.zeros(model.column_count)
    inverse(model.tables, bare, np.zeros(model.column_count), force)
    return force


def _forms(
    model: Model, at: Data, T: np.ndarray, rate: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Forces less the weight, and closure biases, at rates x' and x'' = 0; the weight itself if none is given."""
    n = model.column_count
    at.v[:] = T @ rate
    kinematics(model.tables, at)
    force = np.zeros(n)
    inverse(model.tables, at, chart_rate(model, at.q, rate), force)
    closures(model.tables, at)
    if not rate.any():
        return force, np.zeros(model.row_count)
    return T.T @ (force - weight), at.rows["bias"].copy()


def chart(model: Model, q: np.ndarray) -> np.ndarray:
    """Matrix T of Eq. (1) at coordinates q.

    Raises:
        ScenarioError: a body has made a half turn, which Rodrigues parameters cannot express.
    """
    T = np.eye(model.column_count)
    for name, k, c in _turning(model, q):
        if not np.all(np.isfinite(c)):
            raise ScenarioError([Problem(f"{name} has made a half turn: it has no Rodrigues parameters there")])
        T[k : k + 3, k : k + 3] = 2.0 / (1.0 + c @ c) * (np.eye(3) + cross(c))
    return T


def chart_rate(model: Model, q: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Product T' x' of Eq. (1)."""
    a = np.zeros(model.column_count)
    for _, k, c in _turning(model, q):
        d = rate[k : k + 3]
        s = 1.0 + c @ c
        a[k : k + 3] = -4.0 * (c @ d) / s**2 * (d + np.cross(c, d))
    return a


def chart_names(model: Model) -> tuple[str, ...]:
    """Names of the coordinates: c1, c2, c3 in place of the turns of free and spherical joints."""
    names = list(model.names.columns)
    for name, k, _ in _turning(model, model.start_coordinates):
        names[k : k + 3] = [f"{name}.c{i}" for i in (1, 2, 3)]
    return tuple(names)


def _turning(model: Model, q: np.ndarray) -> list[tuple[str, int, np.ndarray]]:
    """Name, first turning column and Rodrigues parameters of every joint with a quaternion."""
    found = []
    for k, column in enumerate(model.tables.columns):
        if column.component == 0:
            j = int(column.coordinate)
            w = q[j]
            c = q[j + 1 : j + 4] / w if abs(w) > HALF_TURN else np.full(3, np.inf)
            found.append((model.names.nodes[int(column.node)], k, c))
    return found


def cross(c: np.ndarray) -> np.ndarray:
    """[c]: the matrix of the cross product."""
    return np.array([[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]])


def eliminated(
    base: Coefficients, space: str, columns: list[int], rows: list[int], *, order: list[int]
) -> Coefficients:
    """Equations with some coordinates expressed by the others through some constraint rows; the other rows remain."""
    n = len(base.M)
    kept = [c for c in order if c not in columns]
    inverse_J = np.linalg.inv(base.J[np.ix_(rows, columns)])
    Gamma, Gamma_rate = np.zeros((n, len(kept))), np.zeros((n, len(kept)))
    Gamma[kept, range(len(kept))] = 1.0
    Gamma[columns] = -inverse_J @ base.J[np.ix_(rows, kept)]
    Gamma_rate[columns] = -inverse_J @ (base.J_rate[rows] @ Gamma)
    rest = [row for row in range(len(base.J)) if row not in rows]
    return projected(_with_rows(base, rest), space, [base.names[c] for c in kept], Gamma, Gamma_rate)


def mapped(inner: Coefficients, full: Coefficients, space: str, small: Coefficients) -> Coefficients:
    """Configuration space mapped to the coordinates of a smaller one: q' = J_qu u."""
    at = [full.names.index(name) for name in inner.names]
    return projected(_with_rows(inner, []), space, list(small.names), small.Gamma[at], small.Gamma_rate[at])


def projected(
    base: Coefficients, space: str, names: list[str], Gamma: np.ndarray, Gamma_rate: np.ndarray
) -> Coefficients:
    """The equations of motion projected by Eq. (3); ``Gamma`` expresses the coordinates of the base."""
    # rates of the kept coordinates: the least-squares solution is exact, because the base's rates obey the constraints
    rate = np.linalg.lstsq(Gamma, base.rate, rcond=None)[0]
    return Coefficients(
        space=space,
        names=tuple(names),
        rows=base.rows,
        rate=rate,
        M=Gamma.T @ base.M @ Gamma,
        C=Gamma.T @ (base.C @ Gamma + base.M @ Gamma_rate),
        G=Gamma.T @ base.G,
        Q=Gamma.T @ base.Q,
        J=base.J @ Gamma,
        J_rate=base.J_rate @ Gamma + base.J @ Gamma_rate,
        Gamma=base.Gamma @ Gamma,
        Gamma_rate=base.Gamma_rate @ Gamma + base.Gamma @ Gamma_rate,
    )


def _with_rows(base: Coefficients, rows: list[int]) -> Coefficients:
    return replace(base, rows=tuple(base.rows[i] for i in rows), J=base.J[rows], J_rate=base.J_rate[rows])
