"""Forward and inverse kinematics of a closed-loop machine.

Inverse: the joints for a pose of the platform; in closed form for legs that have one, else by Newton's method. Forward:
the pose for given actuator coordinates, by Newton's method from a known position, in steps where the way is long (root
tracking), or all poses that can be found from many starts. Both are the elimination of a reduced space.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from taut.analyses.spaces.space import Space, new_space
from taut.dynamics.spaces.equations import OK
from taut.dynamics.tree.positions import move
from taut.integrate.reach import check_ranges, unreachable
from taut.integrate.singularities import pose_of
from taut.model import Data, Model
from taut.scenario.records.orientation import quaternion_from_rotation, rotation_from_vector

MOST_HALVINGS = 8
SAME = 1e-6  # poses closer than this count as the same [m and -]
MOST_SEARCHES = 60
CLOSED = 1e-11  # accuracy of the actuator coordinates [m or rad]


@dataclass(frozen=True)
class Pose:
    """A position of the machine whose loops are closed."""

    q: np.ndarray  # coordinates of the whole machine
    platform: tuple[float, ...]  # position [m] and Rodrigues parameters of the platform
    iterations: int  # number of iterations of Newton's method

    def to_xarray(self) -> xr.Dataset:
        """The pose as a dataset, with units."""
        found = {
            "joint_position": ("coordinate", self.q, {"units": "m or rad"}),
            "position": ("xyz", np.array(self.platform[:3]), {"units": "m"}),
            "rodrigues": ("xyz", np.array(self.platform[3:6]), {"units": "1", "long_name": "Rodrigues parameters"}),
        }
        return xr.Dataset(found, coords={"xyz": list("xyz")}, attrs={"iterations": self.iterations})


def inverse_kinematics(model: Model, position: np.ndarray, rotation_vector: np.ndarray | None = None) -> Pose:
    """Joint coordinates for a pose of the platform.

    Args:
        model: the machine; its start is where root tracking begins.
        position: of the platform's origin, world [m].
        rotation_vector: of the platform against the world [rad]; none: not turned.

    Raises:
        ScenarioError: the pose cannot be reached, or a joint would leave its range.
    """
    space = new_space(model, "extended-to-task")
    goal = pose_coordinates(model, position, rotation_vector)
    found = _track(space, goal, [int(c) for c in np.flatnonzero(~np.isnan(goal))])
    check_ranges(model, found.q, 0.0)
    return found


def pose_coordinates(model: Model, position: np.ndarray, rotation_vector: np.ndarray | None = None) -> np.ndarray:
    """All coordinates, NaN where the platform's pose does not say them."""
    node = model.tables.nodes[model.names.bodies["platform"]]
    k = int(node.coordinate)
    turn = np.zeros(3) if rotation_vector is None else np.asarray(rotation_vector, float)
    goal = np.full(model.coordinate_count, np.nan)
    if node.column_count == 6:
        goal[k : k + 3] = position
        goal[k + 3 : k + 7] = quaternion_from_rotation(rotation_from_vector(turn))
    else:
        R = np.reshape(node.rotation, (3, 3))
        axes = np.array([R @ node.axis_1, R @ node.axis_2])
        goal[k : k + 2] = axes @ (np.asarray(position, float) - node.offset)
        goal[k + 2] = np.cross(*axes) @ turn
    return goal


def forward_kinematics(model: Model, actuators: np.ndarray, *, data: Data | None = None) -> Pose:
    """The pose for given actuator coordinates, followed from a known position (the start if none is given).

    Raises:
        ScenarioError: root tracking meets a singularity on the way.
    """
    space = new_space(model, "extended-to-actuator", data=data)
    goal = np.full(model.coordinate_count, np.nan)
    where = actuated_coordinates(model)
    goal[where] = actuators
    return _track(space, goal, where)


def actuated_coordinates(model: Model) -> list[int]:
    """Entries of q that are actuated."""
    columns = model.tables.columns
    return [int(column.coordinate) for column in columns if column.is_actuated]


def _track(space: Space, goal: np.ndarray, where: list[int]) -> Pose:
    """Go to the goal in as few steps as root tracking allows."""
    model = space.model
    start = space.data.q.copy()
    y = np.concatenate([start, np.zeros(len(space.choice.kept))])
    done, step = 0.0, 1.0
    space.reduced.counts[:] = 0
    while done < 1.0:
        at = min(done + step, 1.0)
        trial = y.copy()
        trial[where] = start[where] + at * (goal[where] - start[where])
        code, _ = space.rate(0.0, trial)
        if code == OK:
            y[: len(start)], done = space.data.q, at
        elif step < 0.5**MOST_HALVINGS:
            raise unreachable(model, space.data, 0.0, code)
        else:
            step *= 0.5
    return Pose(space.data.q.copy(), pose_of(model, space.data), int(space.reduced.counts[0].iterations))


def all_poses(model: Model, actuators: np.ndarray, *, starts: int = 300, seed: int = 0) -> list[Pose]:
    """All poses found for given actuator coordinates, from random starts; sorted by height, highest first.

    Each search moves the platform by Levenberg's and Marquardt's method until inverse kinematics gives the actuator
    coordinates asked for. There is no proof that the list is complete; more ``starts`` make it more likely.
    """
    rng = np.random.default_rng(seed)
    space = new_space(model, "extended-to-task")
    where, start = actuated_coordinates(model), space.data.q.copy()
    kept = list(space.choice.kept)
    size = float(space.reduced.size[0])
    reach = np.where(model.tables.columns["is_rotation"][kept], np.pi, size)
    found: list[Pose] = []
    for _ in range(starts):
        jump = np.zeros(model.column_count)
        jump[kept] = reach * rng.uniform(-1.0, 1.0, len(kept))
        q = start.copy()
        move(model.tables, start, jump, q)
        pose = _seek(space, np.asarray(actuators, float), where, q)
        if pose is not None and not any(np.allclose(pose.platform, other.platform, atol=SAME) for other in found):
            found.append(pose)
    return sorted(found, key=lambda pose: -pose.platform[2])


def _seek(space: Space, goal: np.ndarray, where: list[int], q: np.ndarray) -> Pose | None:
    """Move the platform until the actuators are where they should be; None if they do not get there."""
    model, kept = space.model, list(space.choice.kept)
    columns = [int(c) for c in np.flatnonzero(model.tables.columns["is_actuated"])]
    damping, best = 1e-3, np.inf
    step, here = np.zeros(model.column_count), q
    for k in range(MOST_SEARCHES):
        space.reduced.counts[0].sign = 0
        code, _ = space.rate(0.0, np.concatenate([q, np.zeros(len(kept))]))
        gap = space.data.q[where] - goal
        error = float(np.abs(gap).max()) if code == OK else np.inf
        if error < best:
            here, best, damping = space.data.q.copy(), error, 0.2 * damping
            J = space.reduced.elimination.Gamma[columns].copy()
            rest = gap
        else:
            damping *= 5.0
        if best < CLOSED:
            return Pose(here, pose_of(model, space.data), k)
        if not best < np.inf or damping > 1e8:
            return None
        step[kept] = -np.linalg.solve(J.T @ J + damping * np.eye(len(kept)), J.T @ rest)
        q = here.copy()
        move(model.tables, here, step, q)
    return None
