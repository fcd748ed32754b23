"""Messages about poses that a machine cannot take: joints out of their range, loops that cannot be closed."""

from typing import Any

import numpy as np

from taut.dynamics.residual import place
from taut.dynamics.spaces.equations import CROSSED, LOST, SINGULAR
from taut.integrate.singularities import pose_of
from taut.model import Data, Model
from taut.scenario.errors import Problem, ScenarioError

SLACK = 1e-9  # a joint may leave its range by this much, as rounding [m or rad]


def joint_ranges(model: Model) -> list[tuple[str, int, float, float]]:
    """Key, coordinate and range of every joint that has one."""
    return [(key, int(model.tables.nodes[model.names.bodies[name]].coordinate), low, high)
            for name, key, low, high in model.plan.ranges]  # fmt: skip


def check_ranges(model: Model, q: np.ndarray, time: float) -> None:
    """Refuse positions in which a joint is out of its range.

    Raises:
        ScenarioError: names the joint, the time, the coordinate it would need and its range.
    """
    for key, k, low, high in joint_ranges(model):
        if not low - SLACK <= q[k] <= high + SLACK:
            message = (
                f"the motion needs {q[k]:.6g} at t = {time:.6g} s, outside of the joint's range [{low:g}, {high:g}]"
            )
            raise model.plan.error(key, message, remedy="change the motion, the geometry or the range")


def unreachable(model: Model, data: Data, time: float, code: int) -> ScenarioError:
    """Why the machine cannot take the pose it is asked for."""
    place(model.tables, data)
    gaps = np.abs(data.rows["value"])
    # rows belong to the last closure that begins at or before them
    owner = int(np.searchsorted(model.tables.closures["row"], int(np.nanargmax(gaps)), side="right")) - 1
    x, y, z = pose_of(model, data)[:3] if "platform" in model.names.bodies else (np.nan,) * 3
    where = f"the pose at t = {time:.6g} s, platform at ({x:.4g}, {y:.4g}, {z:.4g}) m,"
    # texts by the outcome of closing the loops
    reasons: dict[int, str] = {
        LOST: f"cannot be reached: the loop at '{model.names.closures[owner]}' stays open by {gaps.max():.3g} m",
        SINGULAR: "cannot be reached, or is singular: the joints are not determined by the platform",
        CROSSED: "lies beyond a singular pose: a leg would have to be stretched or folded on the way",
    }
    remedies: dict[int, str] = {
        LOST: f"let the motion stay where '{model.names.closures[owner]}' reaches, or make what it joins longer",
        SINGULAR: "lead the motion past this pose, or drive other joints",
        CROSSED: "turn back before this pose, or start with the legs folded the other way",
    }
    problem: Any = Problem(
        f"{where} {reasons.get(code, 'has no motion')}", remedy=remedies.get(code, "change the motion or the geometry")
    )
    return ScenarioError([problem])
