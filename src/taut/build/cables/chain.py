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
from taut.build.cables.fed import begin_outside, has_feed, leaves_wheel
from taut.build.cables.shape import bend_angles, start_directions
from taut.build.cables.winches import CableSize, Feed, feed_of
from taut.build.context import Context
from taut.build.machine.drivers import add_exit_force
from taut.build.machine.laws import element_spring
from taut.build.tree import WORLD, ColumnSpec, FeedSpec, RigidBody, Spring
from taut.model.enums import ClosureKind, JointKind
from taut.scenario.cables.guide import Sheave
from taut.scenario.cables.mrfe import CableMrfe
from taut.scenario.drivers.driver import DriverForce

ORIGIN = (0.0, 0.0, 0.0)
FLEET_AXIS = np.array([1.0, 0.0, 0.0])
PLANE_AXIS = np.array([0.0, -1.0, 0.0])  # rotation axis of planar cables, whose positive angles turn from x to z
POLAR_AXES = (np.array([0.0, 0.0, 1.0]), np.array([0.0, -1.0, 0.0]))


@dataclass(frozen=True)
class Element:
    """Numbers that all elements of one cable share."""

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
    joint = cut_joint(context, cable)
    for k in range(cable.elements):
        if k == joint:
            chain.part()
        feeds = (element.feed.of_link(element.size, k, is_exit=k == 0), element.feed.of_link(element.size, k + 1))
        chain.bend(directions[k], element.first, element.bend, feeds[0], parts=k == joint)
        column = ColumnSpec(element.stretch, feed=element.feed.signal, feed_node=element.feed.node)
        chain.stretch(element.second, column, stretch, feeds[1], element.feed.rate * element.length)
    if chain.climb >= 0:
        sheave = cable.via[-1]
        assert isinstance(sheave, Sheave)
        context.tree.add_climb(f"{cable.name}.climb", chain.climb, chain.bends[0], sheave.radius)
    context.tree.cables[cable.name] = tuple(chain.stretches)
    driver = context.scenario.drivers.get(cable.driver or "")
    if isinstance(driver, DriverForce) and driver.frame == "cable":
        add_exit_force(context, cable, driver, chain.bends[0])
    add_anchor(context, cable, chain.parent, ORIGIN)


def add_anchor(context: Context, cable: CableMrfe, end: int, point: tuple[float, float, float]) -> None:
    """Close the loop from a point on the cable's last node to its anchor."""
    nodes = (end, context.handles[cable.body])
    switch = context.switch("cut", cable.name) if cut_joint(context, cable) == cable.elements else -1
    context.tree.add_closure(f"{cable.name}.anchor", ClosureKind.POINT, nodes, (point, cable.anchor),
                             directions=context.directions(), switch=switch)  # fmt: skip


def cut_joint(context: Context, cable: CableMrfe) -> int:
    """Number of elements before the joint at which the cable is to be cut; all of them: at its anchor."""
    return max(round(context.scenario.cut_place(cable.name) * cable.elements), 1)


def begin_chain(
    context: Context, cable: CableMrfe, path: str, begin: Begin
) -> "tuple[Chain, Element, float, list[np.ndarray]]":
    """Nodes between the exit and the first element; then stretch and directions of the elements at the start."""
    n = cable.elements
    if has_feed(context, cable):
        outside = begin_outside(context, cable, path, begin, Chain)
        chain, length, way = outside.chain, outside.length, outside.way
        element = make_element(cable, length, Feed(node=outside.feed, rate=outside.rate / length))
    else:
        R_exit = context.placements[begin.node][0]
        length, way = begin.length, begin.chord
        frame = exit_frame(context, cable, R_exit, way)
        chain = Chain(context, cable, begin.node, R_exit, begin.point, frame)
        element = make_element(cable, length, feed_of(context, cable, path, length))
    distance = float(np.linalg.norm(way))
    directions = start_directions(way, length, n, sag_direction(context, cable.body, way / distance))
    return chain, element, max(distance / length, 1.0) * element.length, directions


@dataclass
class Chain:
    """A cable's nodes, from the exit on."""

    context: Context
    cable: CableMrfe
    parent: int
    R_world: np.ndarray
    offset: tuple[float, float, float]
    frame: np.ndarray
    climb: int = -1  # node of the point on the flank of a sheave's groove where the cable leaves; -1: none
    bends: list[int] = field(default_factory=list)
    stretches: list[int] = field(default_factory=list)

    def part(self) -> None:
        """A joint that lets go when the cable is cut: three slides, which a closure holds until then."""
        before, name = self.parent, f"{self.cable.name}.cut"
        self.parent = self.context.tree.add_node(name, JointKind.POINT, before, position=[0.0, 0.0, 0.0])
        self.context.tree.add_closure(name, ClosureKind.POINT, (self.parent, before), (ORIGIN, ORIGIN),
                                      switch=self.context.switch("cut", self.cable.name))  # fmt: skip

    def bend(
        self, direction: np.ndarray, body: RigidBody, spring: Spring, feed: FeedSpec | None, *, parts: bool = False
    ) -> None:
        """First half of an element, turned to a world direction; its bending spring ends where the cable parts."""
        k, cable = len(self.bends), self.cable
        kind = bend_kind(cable, k, planar=self.context.scenario.planar)
        self.R_world = self.R_world @ self.frame
        angles = first_angles(self, kind, k, self.R_world.T @ direction)
        signal, node = (feed.signal, feed.node) if feed is not None else (-1, WORLD)
        ends = self.context.switch("cut", cable.name) if parts else -1
        columns = [replace(column, feed=signal, feed_node=node, law_switch=ends)
                   for column in bend_columns(cable, k, spring, angles)]  # fmt: skip
        self.parent = self.context.tree.add_node(
            f"{cable.name}.bend{k + 1}", kind, self.parent, body, offset=self.offset, rotation=self.frame,
            axes=bend_axes(self, kind, k),
            columns=columns, position=angles, feed=feed,
        )  # fmt: skip
        self.bends.append(self.parent)
        self.R_world = self.R_world @ turn_of(kind, angles, bend_axes(self, kind, k)[0])
        self.frame, self.offset = np.eye(3), ORIGIN

    def stretch(
        self, body: RigidBody, column: ColumnSpec, position: float, feed: FeedSpec | None, rate: float = 0.0
    ) -> None:
        """Add the second half of an element: a body that slides on the first half as the element stretches."""
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
    # inertia of a solid cylinder about its centre; the radius of a slender rod is zero
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
    if k == 0 and leaves_wheel(cable, planar=planar):
        return JointKind.FIXED
    if planar or (k == 0 and is_fleet(cable)):
        return JointKind.REVOLUTE
    if k == 0 and cable.exit_joint == "azimuth-polar":
        return JointKind.UNIVERSAL
    if cable.bend_axes == "repeated":
        return JointKind.BEND_YX if cable.exit_joint == "azimuth-polar" else JointKind.BEND_XY
    return JointKind.BEND_XY if k % 2 == 0 else JointKind.BEND_YX


def is_fleet(cable: CableMrfe) -> bool:
    """Whether the first element leaves a sheave with an axis: it turns about the radius there, by the fleet angle."""
    return bool(cable.via) and isinstance(cable.via[-1], Sheave)


def bend_axes(chain: Chain, kind: JointKind, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Axes of a bend whose joint does not use those of its frame."""
    if k == 0 and kind == JointKind.REVOLUTE and is_fleet(chain.cable):
        return FLEET_AXIS, PLANE_AXIS
    return POLAR_AXES if kind == JointKind.UNIVERSAL else (PLANE_AXIS, PLANE_AXIS)


def bend_columns(cable: CableMrfe, k: int, bend: Spring, angles: list[float]) -> list[ColumnSpec]:
    """Bending springs: none at a hinged exit; an azimuth-polar clamp is relaxed at the start angles."""
    if k == 0 and (cable.exit_bending == "hinged" or cable.via):
        return [ColumnSpec()] * len(angles)
    if k == 0 and cable.exit_joint == "azimuth-polar" and len(angles) == 2:
        relaxed = bend_angles(JointKind.UNIVERSAL, np.array(cable.clamp_direction)) if cable.clamp_direction else angles
        return [ColumnSpec(Spring(bend.kind, bend.stiffness, bend.damping, free, bend.parameters)) for free in relaxed]
    return [ColumnSpec(bend)] * len(angles)


def first_angles(chain: Chain, kind: JointKind, k: int, d: np.ndarray) -> list[float]:
    """Joint coordinates of bend k for a direction d; on a wheel it cannot turn, or only about the radius."""
    if kind == JointKind.FIXED:
        return []
    if k == 0 and is_fleet(chain.cable) and kind == JointKind.REVOLUTE:
        return [float(np.arctan2(-d[1], d[2]))]
    return bend_angles(kind, d)


def turn_of(kind: JointKind, angles: list[float], hinge: np.ndarray = PLANE_AXIS) -> np.ndarray:
    """Rotation of a bend joint; ``hinge`` is the axis of one that has a single axis."""
    axes = {
        JointKind.FIXED: (),
        JointKind.REVOLUTE: (hinge,),
        JointKind.UNIVERSAL: POLAR_AXES,
        JointKind.BEND_XY: (np.eye(3)[0], np.eye(3)[1]),
        JointKind.BEND_YX: (np.eye(3)[1], np.eye(3)[0]),
    }[kind]
    R = np.eye(3)
    for axis, angle in zip(axes, angles, strict=True):
        cross = np.cross(np.eye(3), axis)
        R = R @ (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)
    return R
