"""The linear model by differences of the full machine: at any state, and a check of the one at rest.

A state is changed in its free coordinates y or their rates; the loops are closed again with these held, the equations
of motion are solved, and the measurements are read. At a state that moves, rotations y of a body that turns at w obey
    y' = dw + w x y                                                                                        (1)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.control.courses import course_at
from taut.dynamics.residual import consistent_accelerations, least_mass_step, place
from taut.dynamics.tree.positions import move
from taut.integrate.start.given import holding
from taut.integrate.start.start_state import ROUNDING, close_loops, machine_size, start_state
from taut.integrate.stepper import Stepper
from taut.loop.linear.inputs import Input, find_inputs
from taut.loop.linear.model import LinearModel
from taut.loop.linear.outputs import measuring
from taut.loop.linear.rest import ENTRIES, LONG_STEPS, USUAL_STEPS, free_columns, signal_slopes, slope
from taut.model import Data, Model, data_beside, new_data, new_factor, set_moment
from taut.model.commands import SINCE

# steps of the differences [m, rad, and their rates]; the extrapolation with the smallest error is used
STEPS = (1e-3, 1e-4, 1e-5, 1e-6)


class FullMachine:
    """x' and y of the full machine near a state, x as in ``rest``."""

    def __init__(self, model: Model, point: Data, free: np.ndarray, inputs: list[Input], chosen: Any) -> None:
        """Take a workspace beside the state ``point``."""
        self.model, self.point, self.free, self.inputs = model, point, free, inputs
        self.X = motions_of(model, point, free)
        self.work = data_beside(model, point)._replace(commands=point.commands.copy())
        set_moment(self.work, point)
        self.see, self.factor = measuring(model, chosen, self.work), new_factor(model)
        self.chains = [one.chain() for one in inputs]
        self.held = np.zeros(model.column_count, bool)
        self.held[free] = True
        self.f, self.m = len(free), model.state_count
        self.size = 2 * self.f + self.m + sum(len(chain.B) for chain in self.chains)

    def look(self, x: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations of the free columns with rates of internal states, and measurements, at a changed state."""
        work, point, f, m = self.work, self.point, self.f, self.m
        pushed = self._set_commands(x[2 * f + m :], u)
        move(self.model.tables, point.q, self.X @ x[:f], work.q)
        work.v[:] = point.v + self.X @ x[f : 2 * f]
        work.z[:] = point.z + x[2 * f : 2 * f + m]
        self._close()
        consistent_accelerations(self.model.tables, work, self.factor)
        rates = work.z_rate.copy()
        if pushed.any():
            self._push(pushed)
        return np.concatenate([work.acceleration[self.free], rates]), self.see.exact(work)

    def _set_commands(self, states: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The courses of the commands; returns generalised forces."""
        self.work.commands[:] = self.point.commands
        forces, first = np.zeros(self.model.column_count), 0
        for k, (one, chain) in enumerate(zip(self.inputs, self.chains, strict=True)):
            x = states[first : first + len(chain.B)]
            first += len(chain.B)
            if one.row < 0:
                forces[one.column] += u[k]
                continue
            for (entry, scale), value in zip(ENTRIES, chain.C @ x + chain.D * u[k], strict=True):
                self.work.commands[one.row, entry] += scale * value
        return forces

    def _close(self) -> None:
        """Close the loops and their rates with the free columns held."""
        model, work = self.model, self.work
        if not model.row_count:
            return
        place(model.tables, work)
        close_loops(model, work, ROUNDING * max(machine_size(work), 1.0), is_solved=True, held=self.held)
        tables, step = holding(model.tables, self.held), np.zeros(model.column_count)
        for _ in range(2):
            place(model.tables, work)
            least_mass_step(tables, work, self.factor, True, step)
            work.v[:] += step
        place(model.tables, work)

    def _push(self, forces: np.ndarray) -> None:
        """Add what generalised forces do to accelerations and multipliers."""
        from taut.dynamics.statics import factor_motion, solve_motion

        model, work = self.model, self.work
        a, lam = work.acceleration.copy(), work.lam.copy()
        factor_motion(model.tables, work, self.factor, 0.0, 0.0)
        x, mu = np.zeros(model.column_count), np.zeros(model.row_count)
        solve_motion(model.tables, work, self.factor, forces, np.zeros(model.row_count), x, mu)
        work.acceleration[:], work.lam[:] = a + x, lam + mu

    def slopes(self) -> tuple[np.ndarray, np.ndarray]:
        """Slopes of accelerations with rates of internal states, and of measurements, along every state and input."""
        count, zero_u = self.size + len(self.inputs), np.zeros(len(self.inputs))
        cut = self.f + self.m
        both = np.zeros((cut + len(self.see.names), count))
        for k in range(count):
            x, u = np.zeros(self.size), zero_u.copy()
            (x if k < self.size else u)[k if k < self.size else k - self.size] = 1.0
            steps = STEPS if k < self.size else self._input_steps(k - self.size)
            both[:, k] = slope(lambda h, x=x, u=u: np.concatenate(self.look(h * x, h * u)), steps)
        return both[:cut], both[cut:]

    def _input_steps(self, k: int) -> tuple[float, ...]:
        """Steps of an input: long ones for a force or a second rate, in which accelerations are linear."""
        is_linear = self.inputs[k].row < 0 or not self.chains[k].D[:2].any()
        return LONG_STEPS if is_linear else USUAL_STEPS

    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Matrices A, B, C, D by differences."""
        moved, seen = self.slopes()
        f, m, n = self.f, self.m, self.size
        rows = np.zeros((n, n + len(self.inputs)))
        rows[:f, f : 2 * f] = np.eye(f)
        rows[:f, :f] = turning(self.model, self.point, self.X)[self.free]  # Eq. (1)
        rows[f : 2 * f + m] = moved
        first = 2 * f + m
        for k, chain in enumerate(self.chains):
            last = first + len(chain.B)
            rows[first:last, first:last], rows[first:last, n + k] = chain.A, chain.B
            first = last
        return rows[:, :n], rows[:, n:], seen[:, :n], seen[:, n:]

    def drift(self) -> tuple[np.ndarray, np.ndarray]:
        """Rates of the states, and the measurements, at the point of linearisation."""
        zero = np.zeros(self.size)
        found, seen = self.look(zero, np.zeros(len(self.inputs)))
        ends = [course_at(self.point.commands[one.row], float(self.point.time[0]))[1 : 1 + len(chain.B)]
                for one, chain in zip(self.inputs, self.chains, strict=True) if len(chain.B)]  # fmt: skip
        return np.concatenate([self.work.v[self.free], found, *ends]), seen


def closure_matrix(model: Model, point: Data) -> np.ndarray:
    """Jacobian J of all closures at a state, and a row for every coordinate that friction holds."""
    work = data_beside(model, point)
    set_moment(work, point)
    work.q[:], J = point.q, np.zeros((model.row_count, model.column_count))
    for c in range(model.column_count):
        for sign in (1.0, -1.0):
            work.v[:] = 0.0
            work.v[c] = sign
            place(model.tables, work)
            J[:, c] += 0.5 * sign * work.rows["rate"]
    stick = model.tables.columns["stick"]
    stuck = np.flatnonzero((stick >= 0) & (point.modes[stick] > 0)) if len(point.modes) else np.zeros(0, int)
    return np.vstack([J, np.eye(model.column_count)[stuck]])


def motions_of(model: Model, point: Data, free: np.ndarray) -> np.ndarray:
    """Motions X of all columns, with the given columns free."""
    J, n = closure_matrix(model, point), model.column_count
    dependent, X = np.setdiff1d(np.arange(n), free), np.zeros((n, len(free)))
    X[free, range(len(free))] = 1.0
    if len(dependent):
        X[dependent] = -np.linalg.lstsq(J[:, dependent], J[:, free], rcond=None)[0]
    return X


def turning(model: Model, point: Data, X: np.ndarray) -> np.ndarray:
    """w x y of Eq. (1) for the columns of every quaternion, by the free coordinates."""
    found, component = np.zeros_like(X), model.tables.columns["component"]
    for first in np.flatnonzero(component == 0):
        turn = slice(first, first + 3)
        found[turn] = np.cross(point.v[turn], X[turn].T).T
    return found


def away_from_rest(scenario: Any, model: Model, names: Sequence[str], chosen: Any, at: str | float) -> LinearModel:
    """The model at the start, or where the run is at a time."""
    from taut.loop.linear.linearize import notes, state_names
    from taut.loop.specs import observation_specs

    point = start_point(scenario, model) if at == "pose" else run_point(scenario, model, float(at))
    inputs = [one.smooth_for(moves=signal_slopes(model, point, one)[3]) for one in find_inputs(model, names)]
    free, _ = free_columns(model, closure_matrix(model, point))
    full = FullMachine(model, point, free, inputs, chosen)
    A, B, C, D = full.matrices()
    drift, still = full.drift()
    seen = model.scenario.model_copy(update={"measurements": chosen})
    specs = observation_specs(seen, list(chosen), full.see.names)
    states, units = state_names(model, free, inputs)
    return LinearModel(
        A=A, B=B, C=C, D=D, states=states, state_units=units,
        inputs=tuple(one.name for one in inputs), input_units=tuple(one.unit for one in inputs),
        outputs=tuple(spec.name for spec in specs), output_units=tuple(spec.unit for spec in specs),
        drift=drift, output=still, name=model.plan.name, at=str(at), time=float(point.time[0]),
        notes=notes(model, point),
    )  # fmt: skip


def start_point(scenario: Any, model: Model) -> Data:
    """The start of the scenario, its commands as they begin."""
    data = start_state(model).data
    set_courses(scenario, model, data, 0.0)
    return data


def run_point(scenario: Any, model: Model, time: float) -> Data:
    """State of the run at a time, with the scenario's controllers."""
    from taut.build import build

    stepper = Stepper(build(scenario))
    stepper.advance_to(time)
    state, memory = stepper._moving.method.state(), stepper._moving.data
    data = new_data(model)
    data.time[0] = time
    for name in ("q", "v", "z", "lam"):
        getattr(data, name)[:] = getattr(state, name)
    for name in ("modes", "anchors", "due", "most_rank"):
        getattr(data, name)[...] = getattr(memory, name)
    set_courses(scenario, model, data, time)
    rows = list(model.plan.commands)
    for k, name in enumerate(scenario.commands()):
        _take_course(data.commands[rows.index(name)], course_at(memory.commands[k], time), time)
    return data


def set_courses(scenario: Any, model: Model, data: Data, time: float) -> None:
    """Let signals that became inputs keep their courses of the scenario."""
    for k, name in enumerate(model.plan.commands):
        if name not in scenario.commands():
            _take_course(data.commands[k], tuple(float(v) for v in scenario.signal(name).evaluate(time)), time)


def _take_course(row: np.ndarray, course: tuple[float, ...], time: float) -> None:
    row[:] = 0.0
    row[SINCE] = time
    for (entry, scale), value in zip(ENTRIES, course, strict=True):
        row[entry] = scale * value
