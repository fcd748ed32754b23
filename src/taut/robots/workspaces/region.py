"""Regions of positions, the grids on them and orientations: what a user asks, checked and made complete."""

from typing import Any

import numpy as np

from taut.robots.problems import refusal
from taut.robots.robot import COORDINATES, Robot

# largest number of poses of a workspace, which keeps a number for each, and of poses that are kept with all distances
MOST_POSES, MOST_KEPT = 50_000_000, 1_000_000
USUAL = 21  # default number of grid points along an axis


def read_region(robot: Robot, region: Any) -> tuple[dict[str, tuple[float, float]], dict[str, float]]:
    """Spans of the coordinates that vary, and values of those that do not."""
    names = [COORDINATES[k] for k in robot.rows if k < 3]
    given = dict(region or {})
    spans, fixed = {}, {}
    for name in given:
        if name not in names:
            raise refusal("is no position of the robot", at=f"region.{name}", remedy=f"one of {', '.join(names)}")
    for name in names:
        k = COORDINATES.index(name)
        value = given.get(name, usual_span(robot, k))
        low, high = (value, value) if np.ndim(value) == 0 else value
        if not (np.isfinite([low, high]).all() and low <= high):
            raise refusal("needs a lowest and a highest value, the lower first", at=f"region.{name}", value=value)
        if low < high:
            spans[name] = (float(low), float(high))
        else:
            fixed[name] = float(low)
    if not spans:
        raise refusal(
            "is a single point: nothing to draw", at="region", remedy="taut tensions --pose looks at one pose"
        )
    return spans, fixed


def usual_span(robot: Robot, k: int) -> tuple[float, float]:
    """Range of all exits; for suspended robots from as far below the start as the exits are above it."""
    low, high = float(robot.exits[:, k].min()), float(robot.exits[:, k].max())
    return (min(low, 2.0 * float(robot.home[k]) - high), high) if k == 2 and low > robot.home[k] else (low, high)


def read_grid(robot: Robot, spans: dict[str, Any], grid: Any) -> list[int]:
    """Grid points along every axis that varies."""
    given = np.atleast_1d(np.asarray(USUAL if grid is None else grid, float))
    is_whole = len(given) in (1, len(spans)) and np.isfinite(given).all() and np.all(given == np.floor(given))
    counts = [int(count) for count in np.broadcast_to(given, len(spans)).tolist()] if is_whole else []
    if not counts or min(counts) < 2 or np.prod(counts, dtype=float) > MOST_POSES:
        axes = ", ".join(spans)
        message = f"needs a whole number of at least 2 for each of {axes}, and at most {MOST_POSES:,} points"
        raise refusal(message, at="grid", value=grid)
    return counts


def read_orientations(robot: Robot, orientations: Any) -> np.ndarray:
    """Angles, shape [n_orientations, n_angles]."""
    angles = [k for k in robot.rows if k >= 3]
    given = robot.home[angles] if orientations is None else orientations
    found = np.atleast_2d(np.asarray(given, float)) if len(angles) else np.zeros((1, 0))
    if len(angles) == 1 and found.shape[0] == 1:
        found = found.T
    if found.shape[1] != len(angles) or not np.isfinite(found).all():
        names = ", ".join(COORDINATES[k] for k in angles)
        raise refusal(f"needs {len(angles)} angles {names}", at="orientations", value=orientations)
    return found


def grid_poses(robot: Robot, region: Any, grid: Any = None, orientations: Any = None) -> np.ndarray:
    """Poses on a grid of positions, at every orientation, shape [n_orientations * n_points, n].

    Args:
        robot: the robot.
        region: as ``workspace`` takes it.
        grid: grid points along every axis, or a number for all.
        orientations: angles of the platform [rad], one or many; none: those at the start.

    Raises:
        ScenarioError: a region, grid or orientation that cannot be used.
    """
    spans, fixed = read_region(robot, region)
    axes = dict(zip(spans, read_grid(robot, spans, grid), strict=True))
    turns = read_orientations(robot, orientations)
    if len(turns) * np.prod(list(axes.values()), dtype=float) > MOST_KEPT:
        raise refusal(f"asks for more than {MOST_KEPT:,} poses", at="grid", value=grid)
    lines = {name: np.linspace(*spans[name], count) for name, count in axes.items()}
    names = [name for name in robot.coordinates if name in COORDINATES[:3]]
    along = [lines[name] if name in lines else np.array([fixed[name]]) for name in names]
    places = np.stack(np.meshgrid(*along, indexing="ij"), axis=-1).reshape(-1, len(names))
    return np.vstack([np.hstack([places, np.tile(turn, (len(places), 1))]) for turn in turns])
