"""A moment of a machine as triangles in the world with their colours, shaded by one light."""

from dataclasses import dataclass

import numpy as np

from taut.views.scene.colours import BODY, FIXTURE, FORCE, SLACK, TRACE, Theme, tension_colours
from taut.views.scene.frames import Frame
from taut.views.scene.machine import Machine
from taut.views.scene.meshes import Mesh, frames_along, revolved, rotation_matrix
from taut.views.scene.ties import tie_ends

LIGHT = np.array([-0.6, -0.35, 1.0]) / np.linalg.norm([-0.6, -0.35, 1.0])
DARKEST = 0.42  # share of its colour that a face turned away from the light keeps
TUBE = revolved([(1.0, -0.5), (1.0, 0.5)], 1.0, sides=8)
FINE_TUBE = revolved([(1.0, -0.5), (1.0, 0.5)], 1.0, sides=4)
CONE = revolved([(0.0, -0.5), (1.0, -0.5), (0.0, 0.5)], 1.0, sides=12)
SLACK_WIDTH = 0.65  # width at which a slack element is drawn, relative to a taut one


@dataclass(frozen=True)
class Triangles:
    """Corners [m], shape [n, 3, 3], and colours, shape [n, 3]."""

    corners: np.ndarray
    colours: np.ndarray

    @staticmethod
    def none() -> "Triangles":
        """An empty array of triangles."""
        return Triangles(np.zeros((0, 3, 3)), np.zeros((0, 3)))


def together(parts: list[Triangles]) -> Triangles:
    """All triangles of several lists."""
    return Triangles(np.concatenate([p.corners for p in parts]), np.concatenate([p.colours for p in parts]))


def frame_triangles(machine: Machine, frame: Frame, *, has_forces: bool = False) -> Triangles:
    """Bodies, cables, exits and what stands still; on request the cables' forces on the bodies."""
    parts = [Triangles.none(), *fixture_triangles(machine), *body_triangles(machine, frame)]
    if len(frame.nodes):
        parts += [cable_triangles(machine, frame), head_triangles(machine, frame)]
    if machine.ties:
        parts.append(tie_triangles(machine, frame))
    if has_forces and len(frame.anchor_force):
        parts.append(force_triangles(machine, frame))
    return together(parts)


def body_triangles(machine: Machine, frame: Frame) -> list[Triangles]:
    """Triangles of the bodies at their present poses."""
    if len(frame.quaternion) != len(machine.bodies):
        return []
    turns = rotation_matrix(frame.quaternion)
    return [
        shaded(body.mesh.vertices @ turn.T + position, body.mesh.faces, body.colour)
        for body, position, turn in zip(machine.bodies, frame.position, turns, strict=True)
    ]


def fixture_triangles(machine: Machine) -> list[Triangles]:
    """Triangles of rails and hinges."""
    return [shaded(part.mesh.vertices, part.mesh.faces, part.colour) for part in machine.fixtures]


def cable_segments(machine: Machine, frame: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Start, end [m], radius [m] and colour of every cable element."""
    is_real = np.arange(frame.nodes.shape[1] - 1) < machine.frames.element_counts[:, None]
    nodes = frame.nodes
    start, end = nodes[:, :-1][is_real], nodes[:, 1:][is_real]
    # nothing is drawn where a cable is cut, but every element keeps its place in the list
    end = np.where(frame.gone(machine.frames.gaps)[is_real][:, None], start, end)
    has_tension = frame.tension.size > 0
    tension = frame.tension if has_tension else np.zeros(is_real.shape)
    slack = frame.is_slack if frame.is_slack.size else np.zeros(is_real.shape, bool)
    colours = tension_colours(tension, slack, machine.tension_limits)[is_real]
    colours = colours if has_tension else np.broadcast_to(FIXTURE, colours.shape)
    radius = np.broadcast_to(machine.cable_radius[:, None], is_real.shape)[is_real]
    return start, end, np.where(slack[is_real], SLACK_WIDTH, 1.0) * radius, colours


def cable_triangles(machine: Machine, frame: Frame) -> Triangles:
    """Cables as tubes, coloured by tension."""
    start, end, radius, colours = cable_segments(machine, frame)
    return rods(TUBE, start, end, radius, colours)


def head_triangles(machine: Machine, frame: Frame) -> Triangles:
    """Triangles of each cable's first part: a block, a drum or a pulley."""
    parts = []
    for heads in machine.heads:
        places, turns = heads.places(frame)
        for place, turn in zip(places, turns, strict=True):
            parts.append(shaded(heads.mesh.vertices @ turn.T + place, heads.mesh.faces, FIXTURE))
    return together([Triangles.none(), *parts])


def tie_triangles(machine: Machine, frame: Frame) -> Triangles:
    """Rods of changing length."""
    start, end = tie_ends(machine.ties, frame)
    widths, colours = np.full(len(start), machine.tie_radius), np.broadcast_to(BODY, (len(start), 3))
    return rods(TUBE, start, end, widths, colours)


def force_arrows(machine: Machine, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Start and tip [m] of the cables' forces on what they hold."""
    last = machine.frames.element_counts
    start = frame.nodes[np.arange(len(last)), last]
    return start, start - machine.force_scale * frame.anchor_force


def force_triangles(machine: Machine, frame: Frame) -> Triangles:
    """Arrows of the cables' forces on what they hold."""
    start, tip = force_arrows(machine, frame)
    return arrows(start, tip, 0.006 * machine.size, FORCE)


def arrows(start: np.ndarray, tip: np.ndarray, radius: float, colour: np.ndarray) -> Triangles:
    """Arrows with a head of three times the radius."""
    along = tip - start
    length = np.linalg.norm(along, axis=1, keepdims=True)
    neck = tip - along * np.minimum(1.0, 8.0 * radius / np.maximum(length, 1e-12))
    colours = np.broadcast_to(colour, (len(start), 3))
    widths = np.full(len(start), radius)
    return together([rods(TUBE, start, neck, widths, colours), rods(CONE, neck, tip, 3.0 * widths, colours)])


def trace_triangles(points: np.ndarray, radius: float, colour: np.ndarray = TRACE) -> Triangles:
    """A path as a thin tube."""
    if len(points) < 2:
        return Triangles.none()
    start, end = points[:-1], points[1:]
    moved = np.linalg.norm(end - start, axis=1) > 1e-9
    colours = np.broadcast_to(colour, (int(moved.sum()), 3))
    return rods(FINE_TUBE, start[moved], end[moved], np.full(int(moved.sum()), radius), colours)


def rods(shape: Mesh, start: np.ndarray, end: np.ndarray, radius: np.ndarray, colours: np.ndarray) -> Triangles:
    """A round shape of length 1 along z, stretched from each start to each end."""
    along = end - start
    length = np.linalg.norm(along, axis=1)
    turns = frames_along(along)
    scaled = shape.vertices[None] * np.stack([radius, radius, length], axis=1)[:, None]
    vertices = np.einsum("kij,kvj->kvi", turns, scaled) + (0.5 * (start + end))[:, None]
    corners = vertices[:, shape.faces].reshape(-1, 3, 3)
    return Triangles(corners, np.repeat(colours, len(shape.faces), axis=0) * light_on(corners)[:, None])


def shaded(vertices: np.ndarray, faces: np.ndarray, colour: np.ndarray) -> Triangles:
    """Triangles of one colour in the light."""
    corners = vertices[faces]
    return Triangles(corners, light_on(corners)[:, None] * colour)


def light_on(corners: np.ndarray) -> np.ndarray:
    """How bright each triangle is, from DARKEST to 1."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    norm = np.linalg.norm(normal, axis=1)
    cosine = (normal @ LIGHT) / np.where(norm > 0.0, norm, 1.0)
    # 35 % of the light comes from all around, so that no side is quite dark
    return DARKEST + (1.0 - DARKEST) * (0.35 * (0.5 + 0.5 * cosine) + 0.65 * np.maximum(cosine, 0.0)) * 1.12


def shadow_triangles(triangles: Triangles, height: float, theme: Theme) -> Triangles:
    """Shadows: the part of the floor that the triangles cover, seen from straight above."""
    corners = triangles.corners.copy()
    corners[..., 2] = height
    colours = np.broadcast_to(0.86 * np.array(theme.ground), triangles.colours.shape)
    return Triangles(corners, colours)


__all__ = ["SLACK", "Triangles", "cable_segments", "force_arrows", "frame_triangles", "shadow_triangles", "together"]
