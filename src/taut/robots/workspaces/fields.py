"""What makes a pose belong to a workspace: a number for every pose that is not negative inside, continuous in the pose.

wrench-feasible     capacity margin of a box of wrenches around what carries the weight [N]
static              the same for the weight alone [N]
wrench-closure      how far the columns of W lie on both sides of every plane through others; positive inside [-]
interference-free   smallest distance between cables, platform and obstacles, less the distance asked for [m]
speed               largest cable speed allowed, less what a box of twists takes [m/s]
stiffness           smallest eigenvalue of the stiffness, tensions near the middle, less what is asked for [N/m]
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.kernels.robots.grids import margin_rows, tension_rows
from taut.kernels.robots.nearest import SOLVED
from taut.kernels.threads import in_threads
from taut.robots.interference import interference
from taut.robots.poses import filled, new_robot_task, reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.stiffness import stiffness_parts

UNITS = {"wrench-feasible": "N", "static": "N", "wrench-closure": "1", "interference-free": "m", "speed": "m/s",
         "stiffness": "N/m or N m"}  # fmt: skip
KINDS = tuple(UNITS)


@dataclass(frozen=True)
class Demand:
    """Kind of a workspace, and the wrenches and distances that each of its poses must meet."""

    kind: str = "wrench-feasible"  # kind of the workspace
    wrench: Any = 0.0  # half widths of the box of required wrenches [N, N m], one for each of the robot's rows
    external: Any = None  # wrench that acts on the platform besides its weight [N, N m]
    length: float = 1.0  # length by which moments are divided to compare them with forces [m]
    distance: float = 0.0  # least distance between cables, from the platform and from obstacles [m]
    box: Any = None  # box of the platform, in its frame [m]
    obstacles: Any = ()  # boxes in the world [m]
    trim: float = 0.0  # length of cable at the anchor that may touch the platform [m]
    twist: Any = 0.0  # half widths of the box of twists that the cables must follow [m/s, rad/s]
    speed: float = np.inf  # largest speed allowed for a cable [m/s]
    stiffness: float = 0.0  # least eigenvalue allowed for the stiffness matrix [N/m, N m mixed]


Field = Callable[[np.ndarray], np.ndarray]
# demands that count for each kind; any other is refused, since it would change nothing
TAKES = {"wrench-feasible": {"wrench", "external", "length"}, "static": {"external", "length"},
         "wrench-closure": {"length"}, "interference-free": {"distance", "box", "obstacles", "trim"},
         "speed": {"twist", "speed"}, "stiffness": {"stiffness", "external", "length"}}  # fmt: skip


def check_demand(demand: Demand, given: set[str]) -> None:
    """Refuse demands that do not count for the kind, those that it lacks, and sizes that are none.

    Raises:
        ScenarioError: one of these.
    """
    if demand.kind not in TAKES:
        raise refusal("is no kind of workspace", at="kind", value=demand.kind, remedy=f"one of {', '.join(KINDS)}")
    foreign = sorted(given - TAKES[demand.kind])
    if foreign:
        kinds = [kind for kind, takes in TAKES.items() if foreign[0] in takes]
        message = f"does not count for the kind {demand.kind}"
        raise refusal(message, at=foreign[0], remedy=f"leave it out, or ask for {', '.join(kinds)}")
    if demand.kind == "speed" and (not np.isfinite(demand.speed) or not np.any(demand.twist)):
        remedy = "speed [m/s] (--speed) and twist, half widths of a box of twists (--twist)"
        raise refusal("needs the largest speed of the cables and twists to be made", at="kind", value="speed",
                      remedy=remedy)  # fmt: skip
    if demand.kind == "interference-free" and demand.distance == 0.0:
        remedy = "give a distance above zero (--distance), for example the diameter of the cables"
        raise refusal(
            "what touches has the distance 0, and cannot be told from what cuts", at="distance", remedy=remedy
        )
    is_fit = {"length": 0.0 < demand.length < np.inf, "speed": demand.speed > 0.0,
              "distance": 0.0 <= demand.distance < np.inf, "trim": 0.0 <= demand.trim < np.inf,
              "stiffness": np.isfinite(demand.stiffness)}  # fmt: skip
    for name, is_good in is_fit.items():
        if not is_good:
            raise refusal("is out of range", at=name, value=getattr(demand, name))


def field_of(robot: Robot, demand: Demand) -> Field:
    """The function of poses [n_poses, n] that a demand stands for; NaN becomes minus infinity: no cable reaches there.

    Raises:
        ScenarioError: the robot lacks what the demand needs; ``check_demand`` refuses a demand that is none.
    """
    makers = {"wrench-feasible": margin_field, "static": margin_field, "wrench-closure": closure_field,
              "interference-free": distance_field, "speed": speed_field, "stiffness": stiffness_field}  # fmt: skip
    made = makers[demand.kind](robot, demand)
    return lambda poses: np.nan_to_num(made(np.atleast_2d(poses)), nan=-np.inf, posinf=np.inf, neginf=-np.inf)


def is_inside(values: np.ndarray, kind: str) -> np.ndarray:
    """Which poses belong to the workspace."""
    return values > 0.0 if kind == "wrench-closure" else values >= 0.0


def margins(robot: Robot, demand: Demand, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Capacity margins and closures of poses [n_poses, n]."""
    robot.need_enough_cables()
    full, half = robot.full_poses(poses), sizes(robot, demand.wrench, "wrench")
    found = [np.zeros(len(full)) for _ in range(3)]

    def stretch(i: int, j: int) -> None:
        task = new_robot_task(robot, external=demand.external, half=half, length=demand.length)
        margin_rows(task, full, i, j, *found)

    in_threads(stretch, len(full))
    return found[0], found[1]


def sizes(robot: Robot, given: Any, name: str) -> np.ndarray:
    """Half widths in the robot's rows; one number counts for all."""
    try:
        found = filled(given, robot.freedoms)
    except ValueError:
        message = f"needs {robot.freedoms} numbers for {', '.join(robot.wrench_rows)}, or one for all"
        raise refusal(message, at=name, value=given) from None
    if np.any(found < 0.0) or not np.isfinite(found).all():
        raise refusal("half widths must be finite and not negative", at=name, value=given)
    return found


def margin_field(robot: Robot, demand: Demand) -> Field:
    """The field of capacity margins."""
    robot.need_upper_limits()
    asked = Demand(external=demand.external, length=demand.length) if demand.kind == "static" else demand
    return lambda poses: margins(robot, asked, poses)[0]


def closure_field(robot: Robot, demand: Demand) -> Field:
    """Wrench closure: limits do not matter."""
    open_robot = robot.with_limits((0.0, 1.0))
    return lambda poses: margins(open_robot, Demand(length=demand.length), poses)[1]


def distance_field(robot: Robot, demand: Demand) -> Field:
    """The field of distances from the nearest touch."""
    given = {"box": demand.box, "obstacles": demand.obstacles, "trim": demand.trim}
    return lambda poses: interference(robot, poses, **given).clearance - demand.distance


def speed_field(robot: Robot, demand: Demand) -> Field:
    """Cable speeds that twists of a box take: sum_j |W_ji| t_j."""
    twist = sizes(robot, demand.twist, "twist")

    def found(poses: np.ndarray) -> np.ndarray:
        reached = reach_poses(robot, poses, is_strict=False)
        needed = np.einsum("knm,n->km", np.abs(reached.W), twist).max(axis=1)
        return np.where(reached.codes == 0, demand.speed - needed, np.nan)

    return found


def stiffness_field(robot: Robot, demand: Demand) -> Field:
    """Smallest eigenvalue of K, moments divided by the length."""
    robot.need_enough_cables()
    robot.need_upper_limits()
    if not np.isfinite(robot.stiffness).all():
        raise refusal("the axial stiffness of the cables is not known", at="cables", remedy="give axial_stiffness")
    scale = np.where(robot.rows < 3, 1.0, demand.length)

    def found(poses: np.ndarray) -> np.ndarray:
        reached, f = reach_poses(robot, poses, is_strict=False), np.zeros((len(poses), len(robot.cables)))
        codes, missing = np.zeros(len(poses), np.int64), np.zeros(len(poses))

        def stretch(i: int, j: int) -> None:
            task = new_robot_task(robot, external=demand.external, goal=0.5 * (robot.tension_min + robot.tension_max))
            tension_rows(task, reached.full, i, j, f, codes, missing)

        in_threads(stretch, len(poses))
        K = sum(stiffness_parts(robot, reached, f)) / np.outer(scale, scale)
        is_held = codes == SOLVED
        K[~is_held] = np.eye(robot.freedoms)
        least = np.linalg.eigvalsh(0.5 * (K + np.swapaxes(K, 1, 2)))[:, 0]
        return np.where(is_held, least - demand.stiffness, np.nan)

    return found
