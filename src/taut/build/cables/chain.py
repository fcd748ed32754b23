"""Cables as chains of modified rigid finite elements [Mamidi 2024, sec. 2].

An element of length l is two rigid half-links: the first turns on the previous element's end (two bends, one in the
plane), the second slides along it (the stretch p, nominally l). Each half carries half the element's mass; springs and
dampers EI/l on the bends and EA/l on the stretch [Mamidi 2024, Eqs. 16-18]. The axes of the bends alternate from
element to element, or repeat in each. The last end meets its anchor in a closure.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from taut.build.cables.axes import exit_frame, sag_direction
from taut.build.cables.begin import Begin
from taut.build.cables.pulleys import add_pulley, tangent_of
from taut.build.cables.shape import bend_angles, start_directions
from taut.build.cables.winches import CableSize, Feed, feed_of, spool_body, spool_column, until_lost, winch_of
from taut.build.context import Context
from taut.build.machine.drivers import add_exit_force
from taut.build.machine.laws import element_spring
from taut.build.tree import ColumnSpec, FeedSpec, RigidBody, Spring
from taut.model.enums import ClosureKind, JointKind
from taut.scenario.cables.mrfe import CableMrfe
from taut.scenario.drivers.driver import DriverForce

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
    size: CableSize
    feed: Feed


def add_chain(context: Context, cable: CableMrfe, path: str, begin: Begin) -> None:
    """Chain the elements from the exit to the anchor."""
    chain, element, stretch, directions = begin_chain(context, cable, path, begin)
    for k in range(cable.elements):
        feeds = (element.feed.of_link(element.size, k, is_exit=k == 0), element.feed.of_link(element.size, k + 1))
        chain.bend(directions[k], element.first, element.bend, feeds[0])
        column = ColumnSpec(element.stretch, feed=element.feed.signal)
        chain.stretch(element.second, column, stretch, feeds[1], element.feed.rate * element.length)
    context.tree.cables[cable.name] = tuple(chain.stretches)
    driver = context.scenario.drivers.get(cable.driver or "")
    if isinstance(driver, DriverForce) and driver.frame == "cable":
        add_exit_force(context, cable, driver, chain.bends[0])
    add_anchor(context, cable, chain.parent, ORIGIN)


def add_anchor(context: Context, cable: CableMrfe, end: int, point: tuple[float, float, float]) -> None:
    """Close the loop from a point on the cable's last node to its anchor."""
    nodes = (end, context.handles[cable.body])
    context.tree.add_closure(f"{cable.name}.anchor", ClosureKind.POINT, nodes, (point, cable.anchor),
                             directions=context.directions(), switch=context.switch("cut", cable.name))  # fmt: skip


def begin_chain(
    context: Context, cable: CableMrfe, path: str, begin: Begin
) -> "tuple[Chain, Element, float, list[np.ndarray]]":
    """What lies between the exit and the first element, and the start of the elements: stretch and directions."""
    (node, point, chord, length, _), n = begin, cable.elements
    distance = float(np.linalg.norm(chord))
    R_exit = context.placements[node][0]
    winch = winch_of(context, cable)
    drum = winch.drum if winch is not None else None
    given = drum.straight if drum is not None else cable.pulley.straight if cable.pulley is not None else None
    is_straight = drum is not None or cable.pulley is not None
    straight = (given or length / (n + 1)) if is_straight else 0.0
    if straight >= 0.9 * length:
        raise context.scenario.error(path, "the straight piece at its exit leaves nothing of the cable")
    planar = context.scenario.planar
    if cable.pulley is not None:
        if drum is not None or planar:
            raise context.scenario.error(f"{path}.pulley", "goes neither with a drum nor with a planar machine")
        tangent = tangent_of(context, cable.pulley, path, chord)
        if cable.length is None:
            length, straight = tangent.free, given or tangent.free / (n + 1)
        element = make_element(cable, length - straight, Feed())
        signal = context.signal(until_lost(context, cable, winch.change(length))) if winch is not None else -1
        piece = (straight, element.size.line_density, signal)
        rod, R_rod = add_pulley(context, cable, (node, R_exit, point), tangent, piece)
        chain = Chain(context, cable, rod, R_rod, ORIGIN, np.eye(3), stretches=[rod])
        distance, directions = tangent.free, [tangent.direction] * n
        if length > distance:
            rest = tangent.direction * (distance - straight)
            sag = sag_direction(context, cable.body, tangent.direction)
            directions = start_directions(rest, length - straight, n, sag)
    else:
        chain = Chain(context, cable, node, R_exit, point, exit_frame(context, cable, R_exit, chord))
        element = make_element(cable, length - straight, feed_of(context, cable, path, length))
        directions = start_directions(
            chord, length, n + is_straight, sag_direction(context, cable.body, chord / distance)
        )
    if drum is not None:
        line = element.size.line_density
        chain.bend(directions[0], RigidBody(), element.bend, None)
        chain.stretch(spool_body(cable.link_radius(), line, straight), spool_column(context, cable, drum), straight,
                      FeedSpec(straight, line))  # fmt: skip
        directions = directions[1:]
    stretch = max((distance - straight) / (length - straight), 1.0) * element.length
    return chain, element, stretch, directions


@dataclass
class Chain:
    """A cable's nodes, from the exit on."""

    context: Context
    cable: CableMrfe
    parent: int
    R_world: np.ndarray
    offset: tuple[float, float, float]
    frame: np.ndarray
    bends: list[int] = field(default_factory=list)
    stretches: list[int] = field(default_factory=list)

    def bend(self, direction: np.ndarray, body: RigidBody, spring: Spring, feed: FeedSpec | None) -> None:
        """First half of an element, turned to a world direction."""
        # after a pulley there is no exit joint
        k, cable = len(self.bends) + (self.cable.pulley is not None), self.cable
        kind = bend_kind(cable, k, planar=self.context.scenario.planar)
        self.R_world = self.R_world @ self.frame
        angles = bend_angles(kind, self.R_world.T @ direction)
        signal = feed.signal if feed is not None else -1
        columns = [replace(column, feed=signal) for column in bend_columns(cable, k, spring, angles)]
        self.parent = self.context.tree.add_node(
            f"{cable.name}.bend{k + 1}", kind, self.parent, body, offset=self.offset, rotation=self.frame,
            axes=POLAR_AXES if kind == JointKind.UNIVERSAL else (PLANE_AXIS, PLANE_AXIS),
            columns=columns, position=angles, feed=feed,
        )  # fmt: skip
        self.bends.append(self.parent)
        self.R_world = self.R_world @ turn_of(kind, angles)
        self.frame, self.offset = np.eye(3), ORIGIN

    def stretch(
        self, body: RigidBody, column: ColumnSpec, position: float, feed: FeedSpec | None, rate: float = 0.0
    ) -> None:
        """Second half of an element, or the rod of a spool."""
        self.parent = self.context.tree.add_node(
            f"{self.cable.name}.stretch{len(self.stretches) + 1}", JointKind.STRETCH, self.parent, body,
            columns=[column], position=[position], velocity=[rate], feed=feed,
        )  # fmt: skip
        self.stretches.append(self.parent)


def make_element(cable: CableMrfe, length: float, feed: Feed) -> Element:
    """Half-links and springs of one element."""
    section = cable.section(length)
    whole = length / cable.elements
    half = whole / 2
    mass = section.mass_per_length * half
    # solid cylinder about its centre; a slender rod has no radius
    radius = cable.link_radius()
    across = mass * (3 * radius**2 + half**2) / 12
    inertia = np.diag([across, across, mass * radius**2 / 2])
    return Element(
        length=whole,
        first=RigidBody(mass, (0.0, 0.0, half / 2), inertia, is_rod=True),
        second=RigidBody(mass, (0.0, 0.0, -half / 2), inertia, is_rod=True),
        bend=element_spring(cable.bending_law, section.bending_stiffness, section.bending_damping, whole, 0.0),
        stretch=element_spring(cable.axial_law, section.axial_stiffness, section.axial_damping, whole, whole),
        size=CableSize(length, section.mass_per_length, cable.elements),
        feed=feed,
    )


def bend_kind(cable: CableMrfe, k: int, *, planar: bool) -> JointKind:
    """Joint of element k (from 0): one hinge in the plane; else two, whose axes alternate or repeat.

    In the authors' code the second axis of an azimuth-polar exit is the first of all elements after it.
    """
    if planar:
        return JointKind.REVOLUTE
    if k == 0 and cable.exit_joint == "azimuth-polar":
        return JointKind.UNIVERSAL
    if cable.bend_axes == "repeated":
        return JointKind.BEND_YX if cable.exit_joint == "azimuth-polar" else JointKind.BEND_XY
    return JointKind.BEND_XY if k % 2 == 0 else JointKind.BEND_YX


def bend_columns(cable: CableMrfe, k: int, bend: Spring, angles: list[float]) -> list[ColumnSpec]:
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
