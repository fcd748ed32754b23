"""The paper's time integration: index 1 with Baumgarte's feedback, by a variable-order BDF method at its defaults."""

import time as wall
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from taut.analyses.piecewise.kernels import loop_accelerations
from taut.integrate.start.start_state import start_state
from taut.model import Model, new_data, new_factor

RELATIVE, ABSOLUTE = 1e-3, 1e-6  # tolerances: the defaults of MATLAB's ode15s
STEP = 1e-7  # step of the differences for the Jacobian
# largest step [s]; a longer one could skip the force, because the machine is at rest before it acts
LARGEST_STEP = 0.05


@dataclass(frozen=True)
class Outcome:
    """Motion and computing time of one run."""

    time: np.ndarray  # times of the samples [s]
    q: np.ndarray  # coordinates [time, column]
    seconds: float  # wall time of the run [s]
    evaluations: int  # evaluations of the right-hand side, including those for Jacobians
    is_complete: bool
    seconds_of_one: float  # processor time of one right-hand side [s]


def right_hand_side(model: Model, alpha: float, beta: float) -> Callable[[float, np.ndarray], np.ndarray]:
    """The derivative of (q, v) in time: Eq. (7) with the forces of the model, exact or those of Eq. (9)."""
    data, factor, n = new_data(model), new_factor(model), model.column_count

    def derivative(time: float, y: np.ndarray) -> np.ndarray:
        data.time[0], data.q[:], data.v[:] = time, y[:n], y[n:]
        loop_accelerations(model.tables, data, factor, alpha, beta)
        return np.concatenate([data.v, data.acceleration])

    return derivative


def jacobian(derivative: Callable[[float, np.ndarray], np.ndarray], time: float, y: np.ndarray) -> np.ndarray:
    """Jacobian by differences of one size: coordinates and rates of a stiff cable are small, and all of them matter."""
    base, found = derivative(time, y), np.zeros((len(y), len(y)))
    for k in range(len(y)):
        away = y.copy()
        away[k] += STEP
        found[:, k] = (derivative(time, away) - base) / STEP
    return found


def seconds_of(derivative: Callable[[float, np.ndarray], np.ndarray], y: np.ndarray, count: int = 50) -> float:
    """Processor time of one right-hand side [s]."""
    begin = wall.process_time()
    for _ in range(count):
        derivative(0.0, y)
    return (wall.process_time() - begin) / count


def integrate_forces(model: Model, *, alpha: float = 10.0, beta: float = 10.0) -> Outcome:
    """Integrate a run of a machine with exact or piecewise linear forces; a run that diverges ends early."""
    from scipy.integrate import solve_ivp

    run = model.scenario.run
    start = start_state(replace(model, tables=model.exact_tables, points=None)).data
    derivative = right_hand_side(model, alpha, beta)
    y = np.concatenate([start.q, start.v])
    times = np.arange(int(round(run.duration / run.save_every)) + 1) * run.save_every
    derivative(0.0, y)
    begin = wall.perf_counter()
    settings: dict[str, Any] = {"rtol": RELATIVE, "atol": ABSOLUTE, "first_step": 1e-3, "max_step": LARGEST_STEP}
    slopes = partial(jacobian, derivative)
    found = solve_ivp(derivative, (0.0, run.duration), y, "BDF", times, jac=slopes, **settings)
    seconds = wall.perf_counter() - begin
    one = min(seconds_of(derivative, y) for _ in range(20))
    q = found.y[: model.column_count].T
    calls = found.nfev + (len(y) + 1) * found.njev
    return Outcome(found.t, q, seconds, calls, bool(found.success), one)
