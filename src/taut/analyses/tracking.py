"""Controllers that follow the prescribed motion, in task and in actuator space, with the machine between two samples.

With the error e of the coordinates of a space (of the platform's turn: the rotation vector from where it is to where it
should be) and its equations of motion M du/dt = f + S^T tau,
    computed torque:            S^T tau = M (du_d + K_d e' + K_p e) - f                                    (1)
    PD with gravity:            S^T tau = K_p e + K_d e' + G                                               (2)
The controller is sampled: forces are held between two samples, as a digital one does.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
import xarray as xr

from taut.analyses.inverse_motion import Follower, bare_model
from taut.analyses.path import prescribed_path
from taut.analyses.spaces.motion import new_stepping
from taut.analyses.spaces.space import Space, new_space
from taut.analyses.spaces.stepping import DONE, advance
from taut.dynamics.spaces.equations import OK
from taut.integrate.reach import unreachable
from taut.integrate.singularities import pose_of
from taut.kernels.rotations import rotation_vector_of_quaternion
from taut.model import Model

Law = Literal["computed-torque", "pd-gravity"]


@dataclass(frozen=True)
class Controller:
    """A law, the space it works in, and its gains."""

    law: Law = "computed-torque"
    space: Literal["task", "actuator"] = "task"
    stiffness: float = 400.0  # gain K_p: [1/s^2] for computed torque, [N/m or N m/rad] for PD
    damping: float = 40.0  # gain K_d: [1/s] for computed torque, [N s/m or N m s/rad] for PD
    lever: float = 0.2  # PD gains of rotations are those of translations times this squared [m]
    period: float = 1e-3  # time between two samples of the controller [s]


@dataclass(frozen=True)
class Tracking:
    """How well a controller follows."""

    controller: Controller
    times: np.ndarray  # times of the samples [s]
    error: np.ndarray  # error of the controlled coordinates [time, coordinate]
    forces: np.ndarray  # forces of the actuators [time, actuator]
    poses: np.ndarray = field(repr=False)  # position [m] and Rodrigues parameters of the platform [time, 6]

    def to_xarray(self) -> xr.Dataset:
        """Errors, forces and poses as a dataset, with units."""
        found = {
            "error": (("time", "controlled"), self.error, {"units": "m or rad"}),
            "force": (("time", "actuator"), self.forces, {"units": "N or N m"}),
            "position": (("time", "xyz"), self.poses[:, :3], {"units": "m"}),
            "rodrigues": (("time", "xyz"), self.poses[:, 3:], {"units": "1", "long_name": "Rodrigues parameters"}),
        }
        coords = {"time": ("time", self.times, {"units": "s"}), "xyz": list("xyz")}
        return xr.Dataset(found, coords=coords, attrs=asdict(self.controller))


def track(model: Model, controller: Controller, *, plant: Model | None = None) -> Tracking:
    """Follow the scenario's motion by a controller that knows ``model``, on a machine that is ``plant``.

    Raises:
        ScenarioError: no motion, a pose that cannot be reached, or a singular pose on the way.
    """
    known = bare_model(model)
    machine = bare_model(plant) if plant is not None else known
    loop = Loop(known, controller)
    space = new_space(machine, "extended-to-task")
    count = int(round(model.scenario.run.duration / controller.period))
    times = np.arange(count + 1) * controller.period
    work = new_stepping(space, times[1:], 1e-9)
    errors, forces, poses = [], [], []
    for k, time in enumerate(times):
        _place(space, float(time), work.y)
        error, tau = loop.forces(float(time), space.data)
        errors.append(error)
        forces.append(tau)
        poses.append(pose_of(machine, space.data))
        if k < count:
            space.reduced.applied[loop.columns] = tau
            work.clock[0].end = times[k + 1]
            work.clock[0].step = controller.period
            code = advance(machine.tables, space.data, space.factor, space.reduced, work)
            if code != DONE:
                raise unreachable(machine, space.data, float(time), code)
    return Tracking(controller, times, np.array(errors), np.array(forces), np.array(poses))


def _place(space: Space, time: float, y: np.ndarray) -> None:
    code, _ = space.rate(time, y)
    if code != OK:
        raise unreachable(space.model, space.data, time, code)


class Loop:
    """The controller's own model of the machine: where it should be, and the forces to get there."""

    def __init__(self, model: Model, controller: Controller) -> None:
        """Prepare the spaces of the law."""
        self.model, self.controller = model, controller
        self.follower = Follower(model, prescribed_path(model))
        self.columns = self.follower.columns
        self.space = new_space(model, f"extended-to-{controller.space}")
        self.wanted = self.follower.space.state(self.follower.space.data)
        kept = self.space.choice.kept
        own = self.follower.columns if controller.space == "actuator" else list(self._task())
        self.led = [k for k, c in enumerate(kept) if c in own]

    def _task(self) -> range:
        node = self.follower.path.node
        return range(int(node.column), int(node.column + node.column_count))

    def forces(self, time: float, data: Any) -> tuple[np.ndarray, np.ndarray]:
        """Error and actuator forces at a measured state."""
        goal = self.follower.instant(time, self.wanted, with_forces=False)
        self.wanted = goal.y
        space, kept = self.space, list(self.space.choice.kept)
        y = np.concatenate([data.q, data.v[kept]])
        _place(space, time, y)
        e = self._difference(goal.q, space.data.q)[kept]
        rate = goal.v[kept] - space.data.v[kept]
        reduced = space.reduced
        Gamma = reduced.elimination.Gamma[self.columns].T
        M = np.tril(reduced.M_r) + np.tril(reduced.M_r, -1).T
        gains = self.controller
        if gains.law == "computed-torque":
            needed = M @ (goal.a[kept] + gains.damping * rate + gains.stiffness * e) - reduced.f_r
        else:
            _place(space, time, np.concatenate([data.q, np.zeros(len(kept))]))
            turns = self.model.tables.columns["is_rotation"][kept] == 1
            weights = np.where(turns, gains.lever**2, 1.0)
            needed = weights * (gains.stiffness * e + gains.damping * rate) - reduced.f_r
        tau = np.linalg.lstsq(Gamma[self.led], needed[self.led], rcond=None)[0]
        return e[self.led], tau

    def _difference(self, goal: np.ndarray, here: np.ndarray) -> np.ndarray:
        """Difference of two positions in velocity coordinates."""
        step = np.zeros(self.model.column_count)
        for c, column in enumerate(self.model.tables.columns):
            k = int(column.coordinate)
            if column.component < 0:
                step[c] = goal[k] - here[k]
            elif column.component == 0:
                step[c : c + 3] = rotation_vector_of_quaternion(tuple(_quotient(goal[k : k + 4], here[k : k + 4])))
        return step


def _quotient(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """p q^-1: the turn from q to p, in fixed axes."""
    w, v = q[0], -q[1:]
    return np.concatenate([[p[0] * w - p[1:] @ v], p[0] * v + w * p[1:] + np.cross(p[1:], v)])
