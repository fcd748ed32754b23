"""The motion a scenario prescribes for a body, as coordinates of its joint with two exact derivatives.

A rotation vector r(t) from the start orientation R_0 gives R = exp(r) R_0; its rates are those of ``model/turns.py``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.model import Model
from taut.model.enums import JointKind
from taut.model.turns import turn_rates
from taut.scenario.records.orientation import quaternion_from_rotation, rotation_from_vector
from taut.scenario.start_pose import start_poses


@dataclass(frozen=True)
class Path:
    """Coordinates, velocities and accelerations of one body's joint over time."""

    body: str
    node: Any
    curves: tuple[Any, ...]  # signals of x, y, z and of the rotation vector's three components
    start: tuple[np.ndarray, np.ndarray]  # orientation and position of the body at the start
    origin: np.ndarray  # point from which the translation counts [m]
    times: tuple[float, ...]  # times at which a signal or one of its derivatives jumps [s]

    def at(self, time: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities and accelerations of the body's joint."""
        values = np.array([[float(x) for x in curve.evaluate(time)] for curve in self.curves]).T
        p = self.origin + values[0, :3]
        r = values[:, 3:]
        w, dw = turn_rates(*r)
        if self.node.kind == JointKind.FREE:
            quaternion = quaternion_from_rotation(rotation_from_vector(r[0]) @ self.start[0])
            return (np.concatenate([p, quaternion]), np.concatenate([values[1, :3], w]),
                    np.concatenate([values[2, :3], dw]))  # fmt: skip
        return self._in_plane(p, values, r)

    def _in_plane(self, p: np.ndarray, values: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        R = np.reshape(self.node.rotation, (3, 3))
        axes = np.array([R @ self.node.axis_1, R @ self.node.axis_2])
        normal = np.cross(*axes)
        place = axes @ (p - self.node.offset)
        angle = np.arctan2(*(axes[::-1] @ (rotation_from_vector(r[0]) @ self.start[0] @ np.array(self.node.axis_1))))
        return tuple(np.append(x, y) for x, y in ((place, angle), (axes @ values[1, :3], normal @ r[1]),
                                                  (axes @ values[2, :3], normal @ r[2])))  # type: ignore[return-value] # fmt: skip


def prescribed_path(model: Model) -> Path:
    """The path of the scenario's `motion`.

    Raises:
        ScenarioError: there is no motion, or its body is neither free nor planar.
    """
    scenario = model.scenario
    if scenario is None or scenario.motion is None:
        from taut.scenario.errors import Problem, ScenarioError

        remedy = "say it with motion: {offset: [x, y, z], rotation: [rx, ry, rz]}"
        raise ScenarioError([Problem("the scenario prescribes no motion", "motion", remedy=remedy)])
    for i, cable in enumerate(scenario.cables):
        if cable.kind in ("spring", "ideal") or cable.body == scenario.motion.body:
            message = f"cable {cable.name} only pulls: actuators with forces of any sign are asked for here"
            remedy = "tensions along the motion: taut invdyn, or taut.robots.follow in Python"
            raise scenario.error(f"cables[{i}]", message, remedy=remedy)
    motion = scenario.motion
    node = model.tables.nodes[model.names.bodies[motion.body]]
    if node.kind not in (JointKind.FREE, JointKind.PLANAR):
        raise scenario.error("motion.body", "must be a free or a planar body", value=motion.body)
    curves = tuple(scenario.signal(spec) for spec in (*motion.translation(), *motion.turn()))
    start = start_poses(scenario)[motion.body]
    duration = scenario.run.duration
    jumps = {t for curve in curves for t in curve.breakpoints(duration)}
    origin = np.zeros(3) if motion.position is not None else start[1]
    return Path(motion.body, node, curves, start, origin, tuple(sorted(jumps)))
