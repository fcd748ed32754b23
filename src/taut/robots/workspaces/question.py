"""What a workspace answers, in words: figures, reports and files show no number without its question."""

from typing import Any

import numpy as np

from taut.robots.poses import filled
from taut.robots.robot import COORDINATES, Robot
from taut.robots.workspaces.fields import Demand

UNITS = {"F": "N", "M": "N m"}
MOST_TURNS = 6  # largest number of orientations that the description lists


def question(robot: Robot, demand: Demand, spans: dict[str, Any], fixed: dict[str, float],
             turns: np.ndarray) -> dict[str, str]:  # fmt: skip
    """Parts of the question, each with its words."""
    found = {"kind": f"{demand.kind}: {_meaning(robot, demand)}"}
    if demand.kind in ("wrench-feasible", "static", "stiffness"):
        low, high = robot.tension_min, robot.tension_max
        found["tension limits"] = f"{_range(low)} to {_range(high)} N"
        found["platform"] = f"{robot.mass:.6g} kg" + _external(robot, demand)
    if demand.kind != "interference-free" and demand.kind != "speed" and robot.freedoms > 3:
        found["length scale"] = f"moments are divided by {demand.length:g} m"
    if demand.kind == "interference-free":
        found |= _bodies(robot, demand)
    found["cables"] = f"{len(robot.cables)} straight cables, {_exits(robot)}"
    parts = [f"{name} from {low:g} to {high:g} m" for name, (low, high) in spans.items()]
    found["region"] = ", ".join([*parts, *(f"{name} = {value:g} m" for name, value in fixed.items())])
    found["orientations"] = _orientations(robot, turns)
    return found


def _meaning(robot: Robot, demand: Demand) -> str:
    words = {
        "wrench-feasible": f"the cables carry the weight and every wrench of the box {_box(robot, demand.wrench)}",
        "static": "the cables carry the weight",
        "wrench-closure": "the cables can make every wrench, by tensions of any size",
        "interference-free": f"cables, platform and obstacles stay at least {demand.distance:g} m apart",
        "speed": f"twists of ±{_range(filled(demand.twist, robot.freedoms))} m/s or rad/s take at most "
        f"{demand.speed:g} m/s from any cable",
        "stiffness": f"the smallest eigenvalue of the stiffness is at least {demand.stiffness:g} N/m",
    }
    return f"a pose belongs to it if {words[demand.kind]}"


def _bodies(robot: Robot, demand: Demand) -> dict[str, str]:
    """The boxes of the platform and in the world."""
    carried = robot.box if demand.box is None else demand.box
    walls = np.array(demand.obstacles, float).reshape(-1, 2, 3)
    found = {"platform": "without a body" if carried is None else f"box {_corners(np.array(carried).reshape(2, 3))}"}
    if demand.trim > 0.0:
        found["platform"] += f", the last {demand.trim:g} m of the cables left out"
    found["obstacles"] = "; ".join(f"box {_corners(wall)}" for wall in walls) or "none"
    return found


def _corners(box: np.ndarray) -> str:
    return " to ".join(f"({', '.join(f'{x:g}' for x in corner)})" for corner in box) + " m"


def _box(robot: Robot, half: Any) -> str:
    sizes = filled(half, robot.freedoms)
    return ", ".join(f"{name} ±{size:g} {UNITS[name[0]]}" for name, size in zip(robot.wrench_rows, sizes, strict=True))


def _external(robot: Robot, demand: Demand) -> str:
    given = np.atleast_1d(np.asarray(0.0 if demand.external is None else demand.external, float))
    return "" if not given.any() else f", and on it the wrench {', '.join(f'{x:g}' for x in given)} (N, N m)"


def _exits(robot: Robot) -> str:
    return f"over pulleys of {_range(robot.radii)} m radius" if np.any(robot.radii > 0.0) else "from points"


def _range(values: np.ndarray) -> str:
    low, high = float(np.min(values)), float(np.max(values))
    return f"{low:g}" if low == high else f"{low:g} ... {high:g}"


def _orientations(robot: Robot, turns: np.ndarray) -> str:
    names = [COORDINATES[k] for k in robot.rows if k >= 3]
    if not names:
        return "none: the platform is a point"
    listed = "; ".join(", ".join(f"{x:.4g}" for x in turn) for turn in turns[:MOST_TURNS] + 0.0)
    more = "; ..." if len(turns) > MOST_TURNS else ""
    many = "" if len(turns) == 1 else f"all of {len(turns)}: "
    return f"{many}{', '.join(names)} = {listed}{more} rad"
