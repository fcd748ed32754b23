"""Cables as chains of modified rigid finite elements [Mamidi 2024, sec. 2].

An element of length l is two rigid half-links: the first turns on the previous element's end (two bends, one in the
plane), the second slides along it (the stretch p, nominally l). Each half carries half the element's mass; springs and
dampers EI/l on the bends and EA/l on the stretch [Mamidi 2024, Eqs. 16-18]. The axes of the bends alternate from
element to element. The last end meets its anchor in a closure.
"""

from dataclasses import dataclass

import numpy as np

from taut.build.cable_shape import bend_angles, exit_frame, start_directions
from taut.build.context import Context
from taut.build.drivers import exit_node
from taut.build.laws import element_spring
from taut.build.placements import start_placements
from taut.build.tree import ColumnSpec, RigidBody, Spring
from taut.model.enums import ClosureKind, JointKind
from taut.scenario.cable import Cable

ORIGIN = (0.0, 0.0, 0.0)
PLANE_AXIS = np.array([0.0, -1.0, 0.0])  # positive angle from x to z
POLAR_AXES = (np.array([0.0, 0.0, 1.0]), np.array([0.0, -1.0, 0.0]))


@dataclass(frozen=True)
class Element:
    """What all elements of one cable share."""

    length: float
    first: RigidBody
    second: RigidBody
    bend: Spring
    stretch: Spring


def add_cables(context: Context) -> None:
    """Add every cable."""
    exits = [exit_node(context, cable) for cable in context.scenario.cables]
    context.placements = start_placements(context.tree)
    for i, (cable, (node, point)) in enumerate(zip(context.scenario.cables, exits, strict=True)):
        add_cable(context, cable, f"cables[{i}]", node, point)


def add_cable(context: Context, cable: Cable, path: str, node: int, point: tuple[float, float, float]) -> None:
    """Chain the elements from the exit to the anchor."""
    R_exit, x_exit = context.placements[node]
    chord = context.to_world(cable.body, cable.anchor) - (x_exit + R_exit @ np.array(point))
    distance = float(np.linalg.norm(chord))
    if distance < 1e-12:
        message = "the exit lies on the anchor at the start: the cable has no direction"
        raise context.scenario.error(f"{path}.exit", message, value=cable.exit)
    length = cable.length or distance
    element = make_element(cable, length)
    stretch = max(distance / length, 1.0) * element.length
    directions = start_directions(chord, length, cable.elements, planar=context.scenario.planar)
    frame, offset, parent = exit_frame(cable, R_exit, chord), point, node
    R_world = R_exit @ frame
    stretches = []
    for k in range(cable.elements):
        kind = bend_kind(cable, k, planar=context.scenario.planar)
        angles = bend_angles(kind, R_world.T @ directions[k])
        bend = context.tree.add_node(
            f"{cable.name}.bend{k + 1}", kind, parent, element.first, offset=offset, rotation=frame,
            axes=POLAR_AXES if kind == JointKind.UNIVERSAL else (PLANE_AXIS, PLANE_AXIS),
            columns=bend_columns(cable, k, element.bend, angles), position=angles,
        )  # fmt: skip
        parent = context.tree.add_node(
            f"{cable.name}.stretch{k + 1}", JointKind.STRETCH, bend, element.second,
            columns=[ColumnSpec(element.stretch)], position=[stretch],
        )  # fmt: skip
        stretches.append(parent)
        R_world = R_world @ turn_of(kind, angles)
        frame, offset = np.eye(3), ORIGIN
    context.tree.cables[cable.name] = tuple(stretches)
    nodes = (parent, context.handles[cable.body])
    context.tree.add_closure(f"{cable.name}.anchor", ClosureKind.POINT, nodes, (ORIGIN, cable.anchor),
                             directions=context.directions())  # fmt: skip


def make_element(cable: Cable, length: float) -> Element:
    """Half-links and springs of one element."""
    section = cable.section(length)
    whole = length / cable.elements
    half = whole / 2
    mass = section.mass_per_length * half
    # solid cylinder about its centre
    across = mass * (3 * section.radius**2 + half**2) / 12
    inertia = np.diag([across, across, mass * section.radius**2 / 2])
    return Element(
        length=whole,
        first=RigidBody(mass, (0.0, 0.0, half / 2), inertia, is_rod=True),
        second=RigidBody(mass, (0.0, 0.0, -half / 2), inertia, is_rod=True),
        bend=element_spring(cable.bending_law, section.bending_stiffness, section.bending_damping, whole, 0.0),
        stretch=element_spring(cable.axial_law, section.axial_stiffness, section.axial_damping, whole, whole),
    )


def bend_kind(cable: Cable, k: int, *, planar: bool) -> JointKind:
    """Joint of element k (from 0): one hinge in the plane; else two, whose axes alternate."""
    if planar:
        return JointKind.REVOLUTE
    if k == 0 and cable.exit_joint == "azimuth-polar":
        return JointKind.UNIVERSAL
    return JointKind.BEND_XY if k % 2 == 0 else JointKind.BEND_YX


def bend_columns(cable: Cable, k: int, bend: Spring, angles: list[float]) -> list[ColumnSpec]:
    """Bending springs: none at a hinged exit; an azimuth-polar clamp is relaxed at the start angles."""
    if k == 0 and cable.exit_bending == "hinged":
        return [ColumnSpec()] * len(angles)
    if k == 0 and cable.exit_joint == "azimuth-polar" and len(angles) == 2:
        relaxed = bend_angles(JointKind.UNIVERSAL, np.array(cable.clamp_direction)) if cable.clamp_direction else angles
        return [ColumnSpec(Spring(bend.kind, bend.stiffness, bend.damping, free, bend.parameters)) for free in relaxed]
    return [ColumnSpec(bend)] * len(angles)


def turn_of(kind: JointKind, angles: list[float]) -> np.ndarray:
    """Rotation of a bend joint."""
    axes = {
        JointKind.REVOLUTE: (PLANE_AXIS,),
        JointKind.UNIVERSAL: POLAR_AXES,
        JointKind.BEND_XY: (np.eye(3)[0], np.eye(3)[1]),
        JointKind.BEND_YX: (np.eye(3)[1], np.eye(3)[0]),
    }[kind]
    R = np.eye(3)
    for axis, angle in zip(axes, angles, strict=True):
        cross = np.cross(np.eye(3), axis)
        R = R @ (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)
    return R
