"""Loop closures of the scenario."""

from typing import Any

import numpy as np

from taut.build.context import Context
from taut.build.tree import PLANE_DIRECTIONS
from taut.model.enums import ClosureKind
from taut.scenario.records.closure import Closure
from taut.scenario.start_pose import unit

KINDS = {
    "point": ClosureKind.POINT,
    "spherical": ClosureKind.POINT,
    "universal": ClosureKind.UNIVERSAL,
    "revolute": ClosureKind.REVOLUTE,
    "fixed": ClosureKind.FIXED,
}


def add_closures(context: Context) -> None:
    """Add every closure; in a planar machine the axes are closed already."""
    crane = context.scenario.crane
    own = set(context.scenario.closures)
    for closure in context.scenario.all_closures():
        # in a planar crane, closures of ropes and grips need no rows across the plane, in which nothing moves
        is_flat = closure not in own and crane is not None and crane.kind == "planar"
        a, b = closure.bodies
        kind = ClosureKind.POINT if context.scenario.planar and closure.kind != "fixed" else KINDS[closure.kind]
        is_flat_grip = is_flat and closure.kind == "fixed"
        context.tree.add_closure(
            closure.name,
            ClosureKind.UNIVERSAL if is_flat_grip else kind,
            (context.handles[a], context.handles[b]),
            closure.points or (context.to_body(a, closure.at), context.to_body(b, closure.at)),
            axes=flat_axes(context, closure) if is_flat_grip else closure_axes(context, closure),
            directions=PLANE_DIRECTIONS if is_flat else context.directions(),
            switch=context.switch("release", closure.name),
        )


def closure_axes(context: Context, closure: Closure) -> tuple[np.ndarray, np.ndarray]:
    """Three orthonormal axes on each body: the closure's own first, then two across it."""
    R_a, R_b = (context.placement(body)[0] for body in closure.bodies)
    if closure.kind == "fixed":
        # keep the relative orientation that the bodies have at the start
        return np.eye(3), R_a.T @ R_b
    if closure.axes is not None:
        return frame_about(closure.axes[0]), frame_about(closure.axes[1])
    if closure.axis is not None:
        return frame_about(R_a.T @ np.array(closure.axis)), frame_about(R_b.T @ np.array(closure.axis))
    return np.eye(3), np.eye(3)


def flat_axes(context: Context, closure: Closure) -> tuple[np.ndarray, np.ndarray]:
    """x of the first body and z of the start on the second: kept perpendicular, neither turns in the x-z plane."""
    R_a, R_b = (context.placement(body)[0] for body in closure.bodies)
    return frame_about((1.0, 0.0, 0.0)), frame_about(R_b.T @ R_a[:, 2])


def frame_about(axis: Any) -> np.ndarray:
    """Three orthonormal rows, the first along the axis."""
    first = unit(axis)
    guide = np.eye(3)[np.argmin(np.abs(first))]
    second = unit(np.cross(first, guide))
    return np.array([first, second, np.cross(first, second)])
