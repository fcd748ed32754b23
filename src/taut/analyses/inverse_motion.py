"""Inverse dynamics along a prescribed motion: actuator forces, closure forces, power and work.

In the task space of the moving body, with the columns of the body x and internal motions i (a coupler's spin), which
no actuator is meant to drive,
    M_r (du_x, du_i) = f_r + Gamma^T S tau                                                        (1)
gives the forces tau (unique, or of smallest norm) and the internal accelerations, which are integrated along the way by
the classical method of order 4. The work is integrated by Boole's rule on the same points.
Springs and forces of actuated joints are taken as parts of the actuator: tau is all that the actuator does.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space

from taut.analyses.inverse_dynamics import Actuation, actuated_columns, inverse_dynamics
from taut.analyses.path import Path, prescribed_path
from taut.analyses.spaces.space import Space, new_space
from taut.build import build
from taut.dynamics.spaces.equations import OK
from taut.integrate.reach import check_ranges, unreachable
from taut.model import Model

SUBSTEPS = 4  # intervals in a panel of Boole's quadrature rule
PANELS = 100  # least number of panels of a motion
BOOLE = np.array([7.0, 32.0, 12.0, 32.0, 7.0]) / 90.0


@dataclass(frozen=True)
class Instant:
    """The machine at one instant of the motion."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    actuation: Actuation
    power: float  # total power of the actuators [W]
    y: np.ndarray  # state y of the task space
    dy: np.ndarray  # rate of the state y of the task space


@dataclass(frozen=True)
class ForceHistory:
    """Forces of the actuators along a prescribed motion."""

    actuators: tuple[str, ...]
    columns: tuple[int, ...]
    times: np.ndarray  # times of the samples [s]
    instants: list[Instant]
    work: np.ndarray  # work of the actuators since the start [J]

    def forces(self) -> np.ndarray:
        """Forces [N] or torques [N m], shape [time, actuator]."""
        return np.array([instant.actuation.forces for instant in self.instants])

    def velocities(self) -> np.ndarray:
        """Rates of the actuated coordinates [m/s or rad/s], shape [time, actuator]."""
        return np.array([instant.v[list(self.columns)] for instant in self.instants])


def bare_model(model: Model) -> Model:
    """The machine without the springs and forces of its actuated joints."""
    scenario = model.scenario
    bodies = {}
    for name, body in scenario.bodies.items():
        joint = body.joint
        if joint.actuated and (joint.spring is not None or joint.force is not None):
            joint = joint.model_copy(update={"spring": None, "force": None})
            body = body.model_copy(update={"joint": joint})
        bodies[name] = body
    return build(scenario.model_copy(update={"bodies": bodies}))


class Follower:
    """A machine led along its path, in the task space of the moving body."""

    def __init__(self, model: Model, path: Path, actuators: list[str] | None = None) -> None:
        """Start at the beginning of the path."""
        self.model, self.path = model, path
        self.space: Space = new_space(model, "extended-to-task", body=path.body)
        node = path.node
        self.columns = actuated_columns(model, actuators)
        self.names = [model.names.columns[c] for c in self.columns]
        own = range(int(node.column), int(node.column + node.column_count))
        kept = self.space.choice.kept
        self.led = [k for k, c in enumerate(kept) if c in own]
        self.internal = [k for k, c in enumerate(kept) if c not in own]
        self.inside = [kept[k] - int(node.column) for k in self.led]
        self.coordinates = slice(int(node.coordinate), int(node.coordinate) + (7 if len(own) == 6 else len(own)))
        self._check_freedoms(own)

    def _check_freedoms(self, own: range) -> None:
        """Refuse a motion along directions that the machine does not have."""
        lost = [c for c in own if c not in self.space.choice.kept]
        for time in np.linspace(0.0, self.model.scenario.run.duration, 11):
            _, u, _ = self.path.at(float(time))
            for c in lost:
                if abs(u[c - own[0]]) > 1e-9:
                    message = f"the machine cannot move along {self.model.names.columns[c]}: it has fewer freedoms"
                    raise self.model.scenario.error("motion", message, remedy="leave this direction out of the motion")

    def state(self, time: float, y: np.ndarray) -> np.ndarray:
        """The task space's state on the path; coordinates that are not prescribed come from y."""
        q, u, _ = self.path.at(time)
        y = y.copy()
        nq = len(self.space.data.q)
        y[self.coordinates] = q
        y[[nq + k for k in self.led]] = u[self.inside]
        return y

    def instant(self, time: float, guess: np.ndarray, *, with_forces: bool = True) -> Instant:
        """Forces and accelerations at a time.

        Raises:
            ScenarioError: the pose cannot be reached, or a joint would leave its range.
        """
        space = self.space
        y = self.state(time, guess)
        code, dy = space.rate(time, y)
        if code != OK:
            raise unreachable(self.model, space.data, time, code)
        data, reduced = space.data, space.reduced
        check_ranges(self.model, data.q, time)
        nq = len(data.q)
        y[:nq] = data.q
        du = self._accelerations(time)
        dy[nq:] = du
        a = reduced.elimination.Gamma @ du + reduced.elimination.x
        actuation = inverse_dynamics(self.model, data, a, self.names) if with_forces else None
        power = float(actuation.forces @ data.v[self.columns]) if actuation else 0.0
        return Instant(data.q.copy(), data.v.copy(), a, actuation, power, y, dy)  # type: ignore[arg-type]

    def _accelerations(self, time: float) -> np.ndarray:
        """Accelerations of the kept coordinates: led, and internal ones by Eq. (1)."""
        reduced = self.space.reduced
        M = np.tril(reduced.M_r) + np.tril(reduced.M_r, -1).T
        du = np.zeros(len(M))
        du[self.led] = self.path.at(time)[2][self.inside]
        if self.internal:
            Gamma = reduced.elimination.Gamma[self.columns].T
            rest = M[:, self.led] @ du[self.led] - reduced.f_r
            free = null_space(M[:, self.internal].T).T
            tau = np.linalg.lstsq(free @ Gamma, free @ rest, rcond=None)[0]
            du[self.internal] = np.linalg.lstsq(M[:, self.internal], Gamma @ tau - rest, rcond=None)[0]
        return du

    def lead(self, here: Instant, start: float, end: float) -> Instant:
        """One step of the internal motions, or none if there are no such."""
        if not self.internal:
            return self.instant(end, here.y)
        h = end - start
        second = self.instant(start + h / 2, here.y + h / 2 * here.dy, with_forces=False)
        third = self.instant(start + h / 2, here.y + h / 2 * second.dy, with_forces=False)
        fourth = self.instant(end, here.y + h * third.dy, with_forces=False)
        return self.instant(end, here.y + h / 6 * (here.dy + 2 * second.dy + 2 * third.dy + fourth.dy))


def force_history(
    model: Model, times: np.ndarray, actuators: list[str] | None = None, *, with_work: bool = True
) -> ForceHistory:
    """Forces along the scenario's motion at increasing times, from 0 on.

    Args:
        model: the machine; its scenario has a `motion`.
        times: when forces are wanted [s], increasing, the first one 0.
        actuators: names of the actuated coordinates; those marked ``actuated`` if none are given.
        with_work: integrate the work too, which takes evaluations between the times.
    """
    bare = bare_model(model)
    path = prescribed_path(bare)
    follower = Follower(bare, path, actuators)
    here = follower.instant(float(times[0]), follower.space.state(follower.space.data))
    instants, work = [here], [0.0]
    longest = bare.scenario.run.duration / PANELS if with_work else np.inf
    for start, end in zip(times[:-1], times[1:], strict=True):
        done = 0.0
        # panels end at times where the motion jumps, because Boole's rule needs a smooth integrand
        marks = panel_limits([start, *(t for t in path.times if start < t < end), end], longest)
        for low, high in zip(marks[:-1], marks[1:], strict=True):
            points = np.linspace(low, high, SUBSTEPS + 1 if with_work else 2)
            powers = [follower.instant(np.nextafter(low, high), here.y).power if low in path.times else here.power]
            for a, b in zip(points[:-1], points[1:], strict=True):
                here = follower.lead(here, float(a), float(np.nextafter(b, a) if b in path.times else b))
                powers.append(here.power)
            done += (high - low) * float(BOOLE @ powers) if with_work else 0.0
        instants.append(here)
        work.append(work[-1] + done)
    follower.space.reduced.counts[0].sign = 0
    return ForceHistory(
        tuple(follower.names), tuple(follower.columns), np.asarray(times, float), instants, np.array(work)
    )


def panel_limits(marks: list[float], longest: float) -> list[float]:
    """The given marks, and further ones between those that are too far apart."""
    limits = [marks[0]]
    for low, high in zip(marks[:-1], marks[1:], strict=True):
        count = max(1, int(np.ceil((high - low) / longest * (1.0 - 1e-9))))
        limits += [float(t) for t in np.linspace(low, high, count + 1)[1:]]
    return limits
