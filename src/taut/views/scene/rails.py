"""Carriages on straight ways, the rails below them, and hinges in the world."""

from typing import Any

import numpy as np

from taut.views.scene.bodies import ROD, SMALL
from taut.views.scene.carriers import CARRIAGE, bridge, carriage, runway, track
from taut.views.scene.frames import Frame, Frames
from taut.views.scene.meshes import Mesh, box, cylinder, rod, rotation_matrix, sphere
from taut.views.scene.said import has_shape, is_vector, joint_of

LEVEL = 0.5  # largest vertical component of a unit vector along a rail that counts as level
HINGES = ("revolute", "universal", "spherical")
Span = tuple[float, float]


class Ways:
    """Straight rails of a machine, with all bodies that run on them."""

    def __init__(self, known: dict[str, dict[str, Any]], frames: Frames, looks: list[Frame], size: float) -> None:
        """Find the carriages: bodies that slide level on the world, or on another carriage."""
        self.known, self.frames, self.looks, self.size = known, frames, looks, size
        self.length = CARRIAGE * size
        self.carriages: set[str] = set()
        for name in known:
            if self._is_carriage(name):
                self.carriages.add(name)

    def mesh(self, name: str) -> Mesh | None:
        """The mesh of a carriage or bridge without a shape of its own; nothing for other bodies."""
        if name not in self.carriages or has_shape(self.known[name]):
            return None
        riders = self._riders(name)
        if riders:
            return bridge(self.length, self._axis(name), self._axis(riders[0]), self._span(riders[0]))
        return carriage(self.length, self._axis(name))

    def rail(self, name: str) -> Mesh | None:
        """Rail of a body that slides on the world."""
        joint = joint_of(self.known[name])
        if joint["kind"] != "prismatic" or joint["parent"] != "world" or name not in self.frames.bodies:
            return None
        if self.known[name].get("massless"):
            return None
        first, span = self.looks[0].position[self.frames.bodies.index(name)], self._span(name)
        axis = self._turn(name) @ self._axis(name)
        if name not in self.carriages:
            unit = axis / np.linalg.norm(axis)
            reach = 0.08 * self.size
            return rod(first + (span[0] - reach) * unit, first + (span[1] + reach) * unit, ROD * self.size)
        riders = self._riders(name)
        if riders and not has_shape(self.known[name]):
            return runway(self.length, axis, self._axis(riders[0]), (span, self._span(riders[0]))).moved(first)
        return track(self.length, axis, span).moved(first)

    def _is_carriage(self, name: str) -> bool:
        body, joint = self.known[name], joint_of(self.known[name])
        if joint["kind"] != "prismatic" or name not in self.frames.bodies or body.get("massless"):
            return False
        axis = self._turn(name) @ self._axis(name)
        is_level = abs(axis[2]) < LEVEL * np.linalg.norm(axis)
        return is_level and (joint["parent"] == "world" or joint["parent"] in self.carriages)

    def _riders(self, name: str) -> list[str]:
        return [other for other in self.carriages if joint_of(self.known[other])["parent"] == name]

    def _axis(self, name: str) -> np.ndarray:
        """Direction of a way in the frame of what slides on it."""
        axis = joint_of(self.known[name]).get("axis")
        return np.asarray(axis if is_vector(axis) else (0.0, 0.0, 1.0), float)

    def _turn(self, name: str) -> np.ndarray:
        turn = self.looks[0].quaternion[self.frames.bodies.index(name)]
        return rotation_matrix(turn) if np.isfinite(turn).all() else np.eye(3)

    def _span(self, name: str) -> Span:
        """Travel of a carriage to either side of its first position, against what it slides on [m]."""
        k, parent = self.frames.bodies.index(name), joint_of(self.known[name])["parent"]
        places = np.array([frame.position[k] for frame in self.looks])
        if parent in self.frames.bodies:
            places = places - [frame.position[self.frames.bodies.index(parent)] for frame in self.looks]
        axis = self._turn(name) @ self._axis(name)
        ways = (places - places[0]) @ (axis / np.linalg.norm(axis))
        # a bridge is drawn in its own frame, at whose origin the carriage need not start
        start = float((places[0] @ axis) / np.linalg.norm(axis)) if parent in self.frames.bodies else 0.0
        ways = ways[np.isfinite(ways)]
        return (start + float(ways.min()), start + float(ways.max())) if len(ways) else (start, start)

    def hinge(self, name: str) -> Mesh | None:
        """The hinge of a body in the world: a pin along its axis, a ball, or a block."""
        joint = joint_of(self.known[name])
        origin = joint.get("origin", [0.0, 0.0, 0.0])
        if joint["kind"] not in HINGES or joint["parent"] != "world" or not is_vector(origin):
            return None
        side = 0.8 * SMALL * self.size
        if joint["kind"] == "revolute" and name in self.frames.bodies:
            return cylinder(0.5 * side, 1.3 * side, self._turn(name) @ self._axis(name)).moved(np.asarray(origin))
        shape = sphere(0.55 * side) if joint["kind"] == "spherical" else box([side] * 3)
        return shape.moved(np.asarray(origin))
