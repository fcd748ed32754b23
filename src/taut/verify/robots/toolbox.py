"""The robots' toolbox against its reference: kinematics, tensions, wrenches, stiffness, distances, rests, motion."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from taut.kernels.robots.interior import new_interior, solve_bary, solve_far
from taut.robots.calibration import calibrate
from taut.robots.forward import pose as pose_from_lengths
from taut.robots.forward import pose_difference
from taut.robots.indices import indices
from taut.robots.interference import interference
from taut.robots.lengths import lengths
from taut.robots.motion import circle, fastest
from taut.robots.rests.elastic import elastic_rest
from taut.robots.rests.sagging import sagging_lengths, sagging_rest
from taut.robots.robot import Robot
from taut.robots.sensitivity import sensitivity
from taut.robots.stiffness import stiffness
from taut.robots.tensions import tensions
from taut.robots.workspaces.fields import Demand, margins
from taut.robots.workspaces.workspace import workspace
from taut.verify.quantity import Quantity
from taut.verify.robots.toolbox_reference import Comparison, exact, grid_poses, reference, reference_robot
from taut.verify.toolbox_random import random_robots

METHODS = {
    "minimum-norm": ("minimum_norm_without_limits", "tension minimum norm [N]"),
    "closed-form": ("closed_form", "tension closed form [N]"),
    "improved": ("improved_closed_form", "tension improved closed form [N]"),
    "qp": ("qp_minimum_norm", "tension QP min norm in limits [N]"),
    "middle": ("qp_closest_to_middle", "tension QP closest to middle [N]"),
    "lp": ("lp_minimum_sum", "tension LP [N]"),
    "lp-max": ("lp_maximum_sum", "tension LP max sum [N]"),
    "p-norm": ("p_norm_4", "tension 4-norm [N]"),
    "barycentre": ("barycentre", "tension barycentre [N]"),
    "analytic-centre": ("analytic_centre", "tension analytic centre [N]"),
}


def quantities() -> Iterator[Quantity]:
    """Every block of the reference."""
    yield from inverse_kinematics()
    yield from forward_kinematics()
    yield from distributions()
    yield from wrenches()
    yield from stiffnesses()
    yield from distances()
    yield from sensitivities()
    yield from rests()
    yield from workspaces()
    yield from motions()
    yield from random_robots()


def inverse_kinematics() -> Iterator[Quantity]:
    """Lengths, wraps, leave points, directions and structure matrices, from points and over pulleys."""
    names = {"lengths": "ik point length [m]", "pulley lengths": "ik pulley length [m]",
             "free": "ik pulley length by root search [m]", "wrap_angle": "ik pulley wrap angle by root search [rad]",
             "leave_points": "ik pulley length by root search [m]", "directions": "structure matrix with pulleys",
             "matrix": "structure matrix", "pulley matrix": "structure matrix with pulleys"}  # fmt: skip
    blocks = {name: Comparison(agreement) for name, agreement in names.items()}
    for case in reference()["inverse_kinematics"]:
        for exits in ("point", "pulley"):
            found, written = lengths(reference_robot(case["robot"], exits), case["pose"]), case[exits]
            before = "pulley " if exits == "pulley" else ""
            blocks[f"{before}lengths"].add(found.lengths[0], written["lengths"])
            if "structure_matrix" in written:
                blocks[f"{before}matrix"].add(found.structure[0], written["structure_matrix"])
            if exits == "pulley":
                blocks["free"].add(found.free[0], written["free"])
                blocks["wrap_angle"].add(found.wraps[0], written["wrap_angle"])
                blocks["leave_points"].add(found.leave_points[0], written["leave_points"])
                blocks["directions"].add(found.directions[0], written["directions_anchor_to_wheel"])
    for name, block in blocks.items():
        yield block.quantity(f"inverse kinematics, {name.replace('_', ' ')}")
    example, block = reference()["import_example"], Comparison("ik point length [m]")
    robot = Robot("planar example", tuple(c["name"] for c in example["cables"]), [c["exit"] for c in example["cables"]],
                  [c["anchor"] for c in example["cables"]], freedom="planar-xy")  # fmt: skip
    block.add(lengths(robot, example["q_initial"]).lengths[0], example["lengths_at_q_initial"])
    later = example["trajectory_example_quintic"]["at_1_25_s"]
    block.add(lengths(robot, later["q"]).lengths[0], later["lengths"])
    yield block.quantity("inverse kinematics, published planar example")


def forward_kinematics() -> Iterator[Quantity]:
    """Poses from lengths."""
    block, cost = Comparison("fk pose [m, rad]"), Comparison("fk cost [m2]")
    for case in reference()["forward_kinematics"]["cases"]:
        robot = reference_robot(case["robot"], case["exits"])
        found = pose_from_lengths(robot, case["lengths"], near=case["near"], starts=0)
        block.add(pose_difference(robot, np.array(case["pose"]), found.pose) + case["pose"], case["pose"])
        cost.add(found.found[0].cost, case["sum_of_squared_residuals"])
    yield block.quantity("forward kinematics, poses")
    yield cost.quantity("forward kinematics, sums of squares")
    spheres, block = reference()["forward_kinematics"]["three_spheres"], Comparison("trilateration [m]")
    found = pose_from_lengths(reference_robot(spheres["robot"]), spheres["lengths"], starts=20)
    block.add([one.pose for one in found.found], spheres["solutions"])
    yield block.quantity("forward kinematics, both poses on three spheres")


def distributions() -> Iterator[Quantity]:
    """Tensions by every method, and which wrenches are feasible."""
    blocks = {method: Comparison(agreement) for method, (_, agreement) in METHODS.items()}
    wrong, far, polygon = 0, Comparison("tension largest smallest slack [N]"), Comparison("tension barycentre [N]")
    for case in reference()["tension"]:
        robot = reference_robot(case["robot"])
        found = {m: tensions(robot, case["pose"], method=m, wrench=case["external_wrench"]) for m in METHODS}
        wrong += bool(found["qp"].is_feasible[0]) != case["feasible"]
        wrong += bool(found["closed-form"].is_within[0]) != case["closed_form_within_limits"]
        wrong += bool(found["improved"].is_within[0]) != case["improved_closed_form_ok"]
        wrong += not case["feasible"] and not found["qp"].missing[0] > 0.0
        for method, (key, _) in METHODS.items():
            if key in case:
                ours, theirs = found[method].tensions[0], case[key]
                blocks[method].add(ours.sum() if method == "lp-max" else ours,
                                   theirs["tensions"] if method == "lp" else theirs)  # fmt: skip
        if "largest_distance_to_limits" in case:
            far.add(*distance_to_limits(robot, case))
        if "polygon" in case:
            compare_polygon(robot, case, polygon)
    for method, block in blocks.items():
        yield block.quantity(f"tensions, {method}")
    yield far.quantity("tensions, largest distance to the limits")
    yield polygon.quantity("tensions, area and corners of the polygon")
    yield exact("tensions, wrong answers whether feasible, within limits and proved", wrong, 0)


def problem(robot: Robot, case: dict[str, Any]) -> tuple[Any, ...]:
    """Arguments of the compiled solvers for one case of the reference."""
    W = np.ascontiguousarray(lengths(robot, case["pose"]).structure[0])
    limits = np.array(robot.tension_min), np.array(robot.tension_max)
    return W, np.array(case["required_wrench"]), *limits, np.zeros(W.shape[1]), new_interior(W.shape[1], W.shape[0])


def distance_to_limits(robot: Robot, case: dict[str, Any]) -> tuple[float, float]:
    """Distances to the limits, by taut and by the reference."""
    given = problem(robot, case)
    solve_far(*given)
    return float(given[-1].distance[0]), case["largest_distance_to_limits"]


def compare_polygon(robot: Robot, case: dict[str, Any], block: Comparison) -> None:
    """Corners and area of all tensions that are allowed."""
    given, written = problem(robot, case), case["polygon"]
    solve_bary(*given)
    work = given[-1]
    block.add(work.content[0], written["area_in_orthonormal_nullspace"])
    block.add(work.corners[0], written["vertices"])
    if "vertex_tensions" not in written:
        return
    ours = work.plain.solution.p + work.polygon[: work.corners[0]] @ work.plain.solution.N.T
    theirs = np.array(written["vertex_tensions"])
    # corners may come in any order: compare each with the nearest one
    nearest = np.abs(ours[:, None] - theirs[None]).max(axis=2).argmin(axis=0)
    block.add(ours[nearest], theirs)


def wrenches() -> Iterator[Quantity]:
    """Capacity margins, closure, singular values, cable speeds, tension factors."""
    names = {"capacity margin": "capacity margin, svd [N]", "singular values": "singular values of W",
             "largest cable speeds": "largest cable speeds [m/s]", "tension factor": "tension factor"}  # fmt: skip
    blocks, wrong = {name: Comparison(agreement) for name, agreement in names.items()}, 0
    for case in reference()["wrench"]:
        robot, pose = reference_robot(case["robot"], case["exits"]), np.atleast_2d(case["pose"])
        margin, closure = margins(robot, Demand(wrench=case["wrench_box_half_widths"]), pose)
        blocks["capacity margin"].add(margin[0], case["capacity_margin_with_box"])
        blocks["capacity margin"].add(margins(robot, Demand(), pose)[0][0], case["capacity_margin_gravity_only"])
        found = indices(robot, case["pose"], twist=case["twist_box_half_widths"])
        wrong += (margin[0] >= 0.0) != case["wrench_feasible"]
        wrong += (closure[0] > 0.0) != case["wrench_closure"]
        wrong += bool(found.is_closed[0]) != case["wrench_closure"]
        blocks["singular values"].add(found.singular_values[0], case["singular_values"])
        blocks["singular values"].add(found.condition[0], case["condition_number"])
        blocks["largest cable speeds"].add(found.cable_speeds[0], case["largest_cable_speeds"])
        if "tension_factor" in case:
            blocks["tension factor"].add(found.tension_factor[0], case["tension_factor"])
    for name, block in blocks.items():
        yield block.quantity(f"wrenches, {name}")
    yield exact("wrenches, wrong answers whether feasible and closed", wrong, 0)


def stiffnesses() -> Iterator[Quantity]:
    """Stiffness and mass matrices, their eigenvalues, frequencies."""
    names = {"matrix": "stiffness matrix, relative", "eigenvalues": "stiffness matrix, relative",
             "elastic part": "stiffness matrix, relative", "frequencies": "natural frequencies, relative",
             "mass matrix": "stiffness matrix, relative", "tensions": "tension barycentre [N]"}  # fmt: skip
    blocks = {name: Comparison(agreement) for name, agreement in names.items()}
    for case in reference()["stiffness"]:
        found = stiffness(reference_robot(case["robot"]), case["pose"])
        blocks["tensions"].add(found.tensions, case["tensions_barycentre"])
        blocks["eigenvalues"].add(found.eigenvalues, case["eigenvalues"])
        blocks["elastic part"].add(found.passive_eigenvalues, case["eigenvalues_elastic_part_only"])
        blocks["frequencies"].add(found.frequencies, case["natural_frequencies_hz"])
        if "stiffness_matrix" in case:
            blocks["matrix"].add(found.matrix, case["stiffness_matrix"])
            blocks["mass matrix"].add(found.mass, case["mass_matrix"])
    for name, block in blocks.items():
        yield block.quantity(f"stiffness, {name}")


def distances() -> Iterator[Quantity]:
    """Distances of cables from each other and from the platform, and grids of them."""
    cables, boxes, wrong = Comparison("cable-cable distance [m]"), Comparison("cable-box distance [m]"), 0
    for case in reference()["interference"]["cases"]:
        found = interference(reference_robot(case["robot"]), case["pose"], box=case.get("box_platform_frame"))
        cables.add(found.smallest[0], case["smallest_cable_cable_distance"])
        wrong += found.nearest_pairs[0] != tuple(f"C{k}" for k in case["pair"])
        if "cable_box_distance" in case:
            boxes.add(found.platform_distances[0], case["cable_box_distance"])
    yield cables.quantity("interference, cable and cable")
    yield boxes.quantity("interference, cable and platform")
    yield exact("interference, wrong pairs", wrong, 0)
    for case in reference()["interference"]["grids"]:
        robot = reference_robot(case["robot"])
        free = interference(robot, grid_poses(robot, case)).smallest >= case["smallest_allowed_distance"]
        name = f"interference, free points of {case['robot']} at {case['smallest_allowed_distance']:g} m"
        yield exact(name, free.sum(), case["free_points"])


def sensitivities() -> Iterator[Quantity]:
    """Effects of errors of lengths, exits and anchors; calibration."""
    spread, exits = Comparison("covariance, relative"), Comparison("pose shift per exit shift")
    anchors = Comparison("pose shift per anchor shift")
    for case in reference()["sensitivity"]["cases"]:
        found = sensitivity(reference_robot(case["robot"]), case["pose"])
        spread.add(found.deviation, case["standard_deviation_pose_for_1mm_lengths"])
        exits.add(found.by_exit[:, 0] @ case["exit_1_moved_by"], case["pose_shift_per_metre"])
        if "anchor_2_moved_by_platform_frame" in case:
            moved = found.by_anchor[:, 1] @ case["anchor_2_moved_by_platform_frame"]
            anchors.add(moved, case["pose_shift_per_metre_anchor"])
    yield spread.quantity("sensitivity, deviation of the pose")
    yield exits.quantity("sensitivity, moved exit")
    yield anchors.quantity("sensitivity, moved anchor")
    case, block = reference()["calibration"], Comparison("calibration [m]")
    found = calibrate(reference_robot(case["robot"]), case["positions"], case["measured_lengths"])
    block.add(found.robot.exits, case["exits"])
    block.add(found.offsets, case["offsets"])
    block.add(found.cost, case["sum_of_squares"])
    yield block.quantity("calibration, exits and offsets")


def rests() -> Iterator[Quantity]:
    """Rests on elastic and on sagging cables, and lengths that hold a pose."""
    poses, pulls, wrong = Comparison("elastic equilibrium pose [m, rad]"), Comparison(0.0), 0
    for case in reference()["elastic_kinetostatics"]["cases"]:
        robot = replace(reference_robot(case["robot"]), stiffness=case["EA"])
        found = elastic_rest(robot, case["unstrained_lengths"], near=case["near"])
        poses.add(pose_difference(robot, np.array(case["pose"]), found.pose) + case["pose"], case["pose"])
        pulls.add(found.tensions, case["tensions"])
        wrong += found.slack != tuple(f"C{k}" for k in case["slack"])
    yield poses.quantity("elastic rest, poses")
    yield pulls.quantity("elastic rest, tensions")
    yield exact("elastic rest, wrong slack cables", wrong, 0)
    poses, pulls = Comparison("sagging equilibrium pose [m, rad]"), Comparison("sagging end forces [N]")
    for case in reference()["sagging_kinetostatics"]["cases"]:
        robot = replace(reference_robot(case["robot"]), stiffness=case["EA"], mass_per_length=case["mass_per_length"])
        found = sagging_rest(robot, case["unstrained_lengths"], near=case["near"])
        poses.add(pose_difference(robot, np.array(case["pose"]), found.pose) + case["pose"], case["pose"])
        pulls.add(np.hypot(*found.forces.T[:2]), case["horizontal_force"])
        pulls.add(found.forces[:, 2], case["vertical_force_at_anchor"])
        pulls.add(found.exit_tensions, case["tension_at_exit"])
    yield poses.quantity("sagging rest, poses")
    yield pulls.quantity("sagging rest, forces")
    case = reference()["sagging_kinetostatics"]["inverse"]
    found = sagging_lengths(reference_robot(case["robot"]), case["pose"], goal=0.0)
    long, pulls = Comparison("inverse sagging L0 [m]"), Comparison("inverse sagging forces [N]")
    long.add(found.lengths, case["unstrained_lengths"])
    pulls.add(np.hypot(*found.forces.T[:2]), case["horizontal_force"])
    pulls.add(found.forces[:, 2], case["vertical_force_at_anchor"])
    yield long.quantity("lengths of sagging cables that hold a pose")
    yield pulls.quantity("their forces")


def workspaces() -> Iterator[Quantity]:
    """Grid counts, volumes, orientation workspaces."""
    kinds = {"wrench-feasible": "wrench_feasible_points", "static": "static_points",
             "wrench-closure": "wrench_closure_points"}  # fmt: skip
    for case in reference()["workspace"]["cases"]:
        robot = reference_robot(case["robot"], case["exits"])
        region = dict(zip([name for name in robot.coordinates if name in "xyz"], case["box"], strict=True))
        turns = case["orientation"] if robot.freedom != "point" else None
        asked = {"grid": case["grid"], "orientations": turns}
        box = {"wrench": case["wrench_set"]["half_widths"]}
        for kind, key in kinds.items():
            if key in case:
                found = workspace(robot, region, kind=kind, **asked, **(box if kind == "wrench-feasible" else {}))
                yield exact(f"workspace, {kind} points of {case['robot']}", found.inside.sum(), case[key])
        written = case["measure"]
        size, near = written.get("volume", written.get("area")), written["tolerance"]
        found = workspace(robot, region, volume=2.0 * near / size, **asked, **box)
        name = f"workspace, {'volume' if 'volume' in written else 'area'} of {case['robot']}"
        yield Quantity(name, found.volume.value if found.volume else np.nan, size, near, "lines in two directions")
    case = reference()["orientation_workspace"]
    found = workspace(reference_robot(case["robot"], case["exits"]), dict(zip("xyz", case["box"], strict=True)),
                      grid=case["grid"], orientations=case["rotations_euler_xyz"],
                      wrench=case["wrench_half_widths"])  # fmt: skip
    yield exact("workspace, points at all orientations", found.inside.sum(), case["total_orientation_all"])
    yield exact("workspace, points at one orientation at least", found.reachable.sum(), case["at_least_one"])
    wrong = np.abs(found.counts - np.array(case["feasible_per_rotation"])).sum()
    yield exact("workspace, differences of the counts by orientation", wrong, 0)


def motions() -> Iterator[Quantity]:
    """The fastest circles."""
    block = Comparison("squared angular speed of the fastest circle, relative")
    for case in reference()["fastest_circle"]["cases"]:
        robot = reference_robot(case["robot"])
        path = circle(robot, case["centre"], case["radius"], plane=case["plane"], samples=case["samples"])
        block.add(2.0 * np.pi / fastest(robot, path).factor, case["shortest_period_s"])
    yield block.quantity("fastest circles")
