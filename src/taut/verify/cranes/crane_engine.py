"""A crane in the engine and in closed form, at random states: mass matrix and forces of both."""

from typing import Any

import numpy as np

from taut.analyses.cranes import PlanarCrane, SpatialCrane
from taut.build import build
from taut.dynamics.inverse import inverse
from taut.dynamics.tree.kinematics import kinematics
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.model import Data, Model, new_data, new_factor
from taut.scenario.builder import Machine

CRANES = {"planar": PlanarCrane, "spatial": SpatialCrane}
TIME = 0.37  # time at which driven lengths are compared [s]
State = tuple[np.ndarray, np.ndarray, np.ndarray]


def make_crane(kind: str, count: int, lengths: str = "free", angles: str = "relative") -> Any:
    """A crane with random masses; `mixed` lengths are driven, free and fixed in turn."""
    masses = tuple(np.random.default_rng(count).uniform(0.5, 2.0, count))
    options: Any = tuple(("driven", "free", "fixed")[n % 3] for n in range(count)) if lengths == "mixed" else lengths
    more = {"bridge": 7.0} if kind == "spatial" else {}
    return CRANES[kind](20.0, masses, angles, options, **more)


def random_state(crane: Any, seed: int) -> State:
    """All coordinates, rates and accelerations; lengths are positive, fixed ones stand, driven ones accelerate."""
    rng, first = np.random.default_rng(seed), crane.size - crane.count
    q = np.concatenate([rng.normal(size=first), rng.uniform(0.5, 2.0, crane.count)])
    v, a = rng.normal(size=(2, crane.size))
    kinds = np.array(crane.length_kinds)
    v[first:] *= kinds != "fixed"
    a[:first] = 0.0
    a[first:] *= kinds == "driven"
    return q, v, a


def crane_link(crane: Any, n: int, state: State) -> dict[str, Any]:
    """One link in the words of a scenario."""
    q, v, a = state
    k, rails = crane.size - crane.count + n, crane.rail_count
    part = slice(rails + rails * n, rails + rails * (n + 1))
    angle, rate = (q[part].tolist(), v[part].tolist()) if rails == 2 else (float(q[1 + n]), float(v[1 + n]))
    link: dict[str, Any] = {"mass": crane.masses[n], "angle": angle, "rate": rate}
    kind = crane.length_kinds[n]
    if kind == "driven":
        # parabola that has the wanted position, rate and acceleration at TIME
        place, speed, half = float(q[k]), float(v[k]), 0.5 * float(a[k])
        start = [place - speed * TIME + half * TIME**2, speed - 2.0 * half * TIME, half]
        return link | {"motion": {"kind": "polynomial", "breaks": [0.0, 2.0 * TIME], "coefficients": [start]}}
    return link | {"length": float(q[k])} | ({"stretch": {"stiffness": 0.0}} if kind == "free" else {})


def engine_crane(crane: Any, state: State) -> tuple[Model, Data]:
    """The crane in the engine, placed at the state."""
    q, v, _ = state
    machine, keys = Machine("crane"), {}
    keys["trolley"] = {"mass": crane.trolley, "position": float(q[0]), "velocity": float(v[0])}
    if crane.rail_count == 2:
        keys["bridge"] = {"mass": crane.bridge, "position": float(q[1]), "velocity": float(v[1])}
    links = [crane_link(crane, n, state) for n in range(crane.count)]
    machine.crane(kind="planar" if crane.rail_count == 1 else "spatial", links=links, **keys)
    model = build(machine.scenario())
    data = new_data(model)
    data.time[0] = TIME
    for n, kind in enumerate(crane.length_kinds):
        if kind == "free":
            data.v[model.names.columns.index(f"link{n + 1}")] = v[crane.size - crane.count + n]
    kinematics(model.tables, data)
    return model, data


def columns_of(crane: Any, model: Model) -> list[int]:
    """Columns of the engine in the order of the closed form."""
    names = list(model.names.columns)
    found, sides = (["trolley"], [""]) if crane.rail_count == 1 else (["trolley", "bridge"], [".1", ".2"])
    for n, kind in enumerate(crane.length_kinds, 1):
        found += [f"link{n}{side}" if kind == "fixed" else f"link{n}-rope{side}" for side in sides]
    found += [f"link{n}" for n, kind in enumerate(crane.length_kinds, 1) if kind == "free"]
    return [names.index(name) for name in found]


def engine_matrices(crane: Any, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Mass matrix and bias forces of the engine, in the order of the closed form."""
    model, data = engine_crane(crane, state)
    n, columns = model.column_count, columns_of(crane, model)
    M, h = np.zeros((n, n)), np.zeros(n)
    mass_matrix(model.tables, data, new_factor(model), M)
    inverse(model.tables, data, np.zeros(n), h)
    return M[np.ix_(columns, columns)], h[columns]


def relative_error(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference against the largest entry."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def mass_matrix_error(kind: str, count: int, lengths: str) -> float:
    """Engine against closed form."""
    crane = make_crane(kind, count, lengths)
    state = random_state(crane, count)
    return relative_error(engine_matrices(crane, state)[0], crane.reduced_mass_matrix(state[0]))


def bias_error(kind: str, count: int, lengths: str) -> float:
    """Engine against the closed form by Christoffel's symbols."""
    crane = make_crane(kind, count, lengths)
    state = random_state(crane, count)
    return relative_error(engine_matrices(crane, state)[1], crane.bias(*state))


def mass_matrix_rates(crane: Any, q: np.ndarray) -> np.ndarray:
    """dM/dq_i, shape [i, row, column], by complex steps: exact to rounding."""
    step = 1e-30
    return np.array([np.imag(crane.mass_matrix(q + 1j * step * unit)) / step for unit in np.eye(crane.size)])


def skew_error(kind: str, count: int, angles: str) -> float:
    """Symmetric part of dM/dt - 2 C, and C against Christoffel's symbols of M, whichever is worse."""
    crane = make_crane(kind, count, "free", angles)
    q, v, _ = random_state(crane, count)
    dM, C = mass_matrix_rates(crane, q), crane.coriolis(q, v)
    # C_kj = sum_i 1/2 (d_i M_kj + d_j M_ki - d_k M_ij) v_i
    M_rate = np.einsum("ikj,i->kj", dM, v)
    mixed = np.einsum("jki,i->kj", dM, v)
    symbols = 0.5 * (M_rate + mixed - mixed.T)
    skew = M_rate - 2.0 * C
    return max(relative_error(skew, -skew.T), relative_error(C, symbols))
