"""`planar: true`: everything must lie in the x-z plane."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.base import Vec3
from taut.scenario.errors import Problem

FLAT = 1e-12
PLANAR_JOINTS = ("fixed", "revolute", "prismatic", "planar", "free")


def find_planar_problems(scenario: Any) -> Iterator[Problem]:
    """Yield data that leave the plane of a planar machine."""
    if not scenario.planar:
        yield from _plane_inertias(scenario)
        return
    yield from _off_plane(scenario, "gravity", scenario.gravity)
    for i, cable in enumerate(scenario.cables):
        yield from _cable(scenario, f"cables[{i}]", cable)
    for i, closure in enumerate(scenario.closures):
        for k, point in enumerate(closure.points or (closure.at,)):
            yield from _off_plane(scenario, f"closures[{i}]." + (f"points[{k}]" if closure.points else "at"), point)
    for i, spring in enumerate(scenario.springs):
        for k, point in enumerate(spring.points):
            yield from _off_plane(scenario, f"springs[{i}].points[{k}]", point)
    bodies = {"platform": scenario.platform, **scenario.bodies} if scenario.platform else scenario.bodies
    for name, body in bodies.items():
        yield from _body(scenario, scenario.body_path(name), body)
    for i, force in enumerate(scenario.forces):
        yield from _force(scenario, f"forces[{i}]", force)


def _plane_inertias(scenario: Any) -> Iterator[Problem]:
    """One number as inertia is for planar machines only."""
    for name, body in scenario.all_bodies().items():
        if isinstance(body.inertia, float):
            yield scenario.problem(f"{scenario.body_path(name)}.inertia", "one number is for planar machines",
                                   value=body.inertia, remedy="give [Ixx, Iyy, Izz], or planar: true")  # fmt: skip


def _off_plane(scenario: Any, path: str, vector: Vec3 | None) -> Iterator[Problem]:
    if vector is not None and abs(vector[1]) > FLAT * max(map(abs, vector)):
        yield scenario.problem(
            path, "must lie in the x-z plane: the machine is planar", value=list(vector), remedy="set y to 0"
        )


def _cable(scenario: Any, path: str, cable: Any) -> Iterator[Problem]:
    """Problems of a cable whose ends or guides lie off the plane."""
    for key in ("exit", "anchor", "clamp_direction"):
        yield from _off_plane(scenario, f"{path}.{key}", getattr(cable, key, None))
    for k, guide in enumerate(getattr(cable, "via", ())):
        yield from _guide(scenario, f"{path}.via[{k}]", guide)


def _guide(scenario: Any, path: str, guide: Any) -> Iterator[Problem]:
    """Yield guides off the plane, and sheaves whose axis is not across it."""
    yield from _off_plane(scenario, f"{path}.point", guide.point)
    axis = getattr(guide, "axis", None)
    if axis is not None and (axis[0] or axis[2]):
        yield scenario.problem(f"{path}.axis", "must be along y: the machine is planar", value=list(axis))


def _body(scenario: Any, path: str, body: Any) -> Iterator[Problem]:
    for key in ("com", "position", "velocity"):
        yield from _off_plane(scenario, f"{path}.{key}", getattr(body, key))
    yield from _off_plane(scenario, f"{path}.joint.origin", body.joint.origin)
    for key, frame in (("orientation", body.orientation), ("joint.orientation", body.joint.orientation)):
        if frame is not None and abs(frame.rotation()[1, 1] - 1) > FLAT:
            yield scenario.problem(f"{path}.{key}", "must turn about y only: the machine is planar")
    spin = body.angular_velocity
    if spin is not None and (spin[0] or spin[2]):
        yield scenario.problem(
            f"{path}.angular_velocity", "must be about y only: the machine is planar", value=list(spin)
        )
    yield from _joint(scenario, f"{path}.joint", body.joint)


def _joint(scenario: Any, path: str, joint: Any) -> Iterator[Problem]:
    if joint.kind not in PLANAR_JOINTS:
        message = f"must be one of {', '.join(PLANAR_JOINTS)} in a planar machine"
        yield scenario.problem(f"{path}.kind", message, value=joint.kind)
    elif joint.kind == "prismatic":
        yield from _off_plane(scenario, f"{path}.axis", joint.main_axis())
    elif joint.axis is not None and (joint.axis[0] or joint.axis[2]):
        yield scenario.problem(f"{path}.axis", "must be along y: the machine is planar", value=list(joint.axis))


def _force(scenario: Any, path: str, force: Any) -> Iterator[Problem]:
    yield from _off_plane(scenario, f"{path}.point", force.point)
    for key, entries in (("force", (1,)), ("torque", (0, 2))):
        for i in entries:
            value = getattr(force, key)[i]
            if value != 0.0:
                yield scenario.problem(f"{path}.{key}[{i}]", "must be 0: the machine is planar", value=value)
