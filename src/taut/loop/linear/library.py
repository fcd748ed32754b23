"""Linear models in python-control: objects with names, and reduction by balanced truncation."""

from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from taut.loop.linear.model import LinearModel
from taut.scenario.errors import Problem, ScenarioError

STABLE = -1e-9  # poles with larger real parts count as not stable: no balanced realisation exists [1/s]


def control_library() -> Any:
    """The package python-control; without it an error that says how to install it."""
    try:
        return import_module("control")
    except ImportError:
        message = "python-control is not installed"
        raise ScenarioError([Problem(message, remedy='pip install "taut[loop]" (or control)')]) from None


def allowed(names: tuple[str, ...]) -> list[str]:
    """Names as python-control takes them: it refuses dots, spaces and brackets."""
    return ["".join(c if c.isalnum() or c == "_" else "_" for c in name) for name in names]


def to_control(model: LinearModel) -> Any:
    """A ``control.StateSpace`` with the names of states, inputs and outputs, underscores instead of dots."""
    made = control_library().ss(model.A, model.B, model.C, model.D, model.period if model.period else 0)
    made.set_states(allowed(model.states))
    made.set_inputs(allowed(model.inputs))
    made.set_outputs(allowed(model.outputs))
    return made


def truncated(model: LinearModel, order: int) -> LinearModel:
    """The model with its least controllable and observable states left out, by balanced truncation.

    Raises:
        ScenarioError: a model with poles that do not decay, as of a free trolley, has no balanced realisation.
    """
    library = control_library()
    worst = model.poles[np.argmax(np.abs(model.poles) if model.period else model.poles.real)]
    grows = np.abs(worst) > 1.0 + STABLE if model.period else worst.real > STABLE
    if grows or not 0 < order < len(model.A):
        message = f"needs poles that decay (this has {worst:.3g}) and an order from 1 to {len(model.A) - 1}"
        raise ScenarioError([Problem(message, "reduce", value=order, remedy="add damping, or hold what moves freely")])
    small = reduced(library, model, order)
    names = tuple(f"balanced {k + 1}" for k in range(order))
    A, B, C, D = (np.asarray(getattr(small, key)) for key in "ABCD")
    return replace(model, A=A, B=B, C=C, D=D, states=names, state_units=("",) * order, drift=np.zeros(order))


def reduced(library: Any, model: LinearModel, order: int) -> Any:
    """Balanced truncation by the library, or in its own square-root form where slycot is missing."""
    try:
        return library.balanced_reduction(to_control(model), order, method="truncate")
    except library.ControlSlycot:
        return library.ss(*square_root(model, order), model.period if model.period else 0)


def square_root(model: LinearModel, order: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Balanced truncation by square roots of the Gramians [Laub1987]: P = Z Z^T, Q = Y Y^T, Y^T Z = U S V^T."""
    from scipy.linalg import solve_continuous_lyapunov, solve_discrete_lyapunov, svd

    A, B, C = model.A, model.B, model.C
    if model.period:
        P, Q = solve_discrete_lyapunov(A, B @ B.T), solve_discrete_lyapunov(A.T, C.T @ C)
    else:
        P, Q = solve_continuous_lyapunov(A, -B @ B.T), solve_continuous_lyapunov(A.T, -C.T @ C)
    Z, Y = root(P), root(Q)
    U, s, Vt = svd(Y.T @ Z)
    scale = 1.0 / np.sqrt(s[:order])
    T, W = Z @ Vt[:order].T * scale, Y @ U[:, :order] * scale
    return W.T @ A @ T, W.T @ B, C @ T, model.D


def root(gramian: np.ndarray) -> np.ndarray:
    """A square root of a Gramian; rounding may make its smallest eigenvalues negative."""
    values, vectors = np.linalg.eigh(0.5 * (gramian + gramian.T))
    return vectors * np.sqrt(np.maximum(values, 0.0))
