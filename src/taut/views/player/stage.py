"""A machine in the scene of the page: made once, then moved."""

from typing import Any

import numpy as np

from taut.views.film.triangles import cable_segments, force_arrows
from taut.views.scene.colours import BODY, FIXTURE, FORCE, TRACE
from taut.views.scene.frames import Frame
from taut.views.scene.heads import LAID, PULLEY, Heads
from taut.views.scene.machine import Machine, Part
from taut.views.scene.meshes import cylinder, quaternions
from taut.views.scene.ties import tie_ends

GHOST = 0.35  # opacity of a second result that is shown for comparison
GHOST_COLOUR = np.array([70, 120, 210]) / 255.0
TUBE = cylinder(1.0, 1.0, sides=12)
HEAD = 0.045  # length of an arrow's head, relative to the machine's size
# direction of an arrow until there is a force to show
UPWARDS = np.array([[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]], np.float32)
TRACE_POINTS = 600


class Stage:
    """One result's machine in the scene; ``show`` moves it."""

    def __init__(self, server: Any, machine: Machine, name: str, *, is_ghost: bool = False) -> None:
        """Make everything that is to be seen, under a name in the scene's tree."""
        self.scene, self.machine, self.name = server.scene, machine, f"/{name}"
        self.is_ghost, self.has_forces = is_ghost, False
        self.opacity = GHOST if is_ghost else None
        self.traces: dict[str, Any] = {}
        first = machine.frames.sample(0)
        self.bodies = [self._add_body(part) for part in machine.bodies]
        self.fixtures = [] if is_ghost else [self._add_fixed(part) for part in machine.fixtures]
        self.has_cables = len(first.nodes) > 0
        self.cables: Any = self._add_cables(first) if self.has_cables else None
        self.heads = [self._add_heads(heads, first) for heads in machine.heads]
        self.ties: Any = self._add_ties(first) if machine.ties else None
        self.arrows: Any = self._add_arrows() if len(first.anchor_force) else None
        self.show(first)

    def show(self, frame: Frame) -> None:
        """Move everything to where it is at a moment."""
        for handle, position, quaternion in zip(self.bodies, frame.position, frame.quaternion, strict=False):
            if np.isfinite(position).all() and np.isfinite(quaternion).all():
                handle.position, handle.wxyz = position, quaternion
        if self.has_cables and np.isfinite(frame.nodes[:, 0]).all():
            self._move_cables(frame)
            for handle, heads in zip(self.heads, self.machine.heads, strict=True):
                self._move_heads(handle, heads, frame)
            if self.has_forces and self.arrows is not None:
                self._move_arrows(frame)
        if self.ties is not None and np.isfinite(frame.position).all():
            self.ties.batched_positions, self.ties.batched_wxyzs, self.ties.batched_scales = self._tie_poses(frame)

    def set_forces(self, is_wanted: bool) -> None:
        """Show or hide the arrows of forces."""
        self.has_forces = is_wanted
        if self.arrows is not None and not is_wanted:
            self.arrows.visible = False

    def trace(self, point: str) -> None:
        """Add the path of a point that ``trace_points`` lists, or take it away again."""
        if point in self.traces:
            self.traces.pop(point).remove()
            return
        path = self._path(point)
        if len(path) > 1:
            segments = np.stack([path[:-1], path[1:]], axis=1).astype(np.float32)
            width = 0.0035 * self.machine.size
            self.traces[point] = self.scene.add_line_segments(
                f"{self.name}/trace/{len(self.traces)} {point}", segments, _bytes(TRACE), thickness=width
            )

    def trace_points(self) -> list[str]:
        """Names of points whose path can be shown."""
        ends = [f"{end} of {cable}" for cable in self.machine.frames.cables for end in ("exit", "anchor")]
        return [*self.machine.frames.bodies, *ends]

    def remove(self) -> None:
        """Take everything out of the scene."""
        for handle in [
            *self.bodies,
            *self.fixtures,
            self.cables,
            *self.heads,
            self.ties,
            self.arrows,
            *self.traces.values(),
        ]:
            if handle is not None:
                handle.remove()

    def _add_body(self, part: Part) -> Any:
        colour = GHOST_COLOUR if self.is_ghost else part.colour
        return self.scene.add_mesh_simple(
            f"{self.name}/body/{part.name}", part.mesh.vertices.astype(np.float32), part.mesh.faces,
            color=_bytes(colour), flat_shading=True, side="double", opacity=self.opacity,
        )  # fmt: skip

    def _add_fixed(self, part: Part) -> Any:
        return self.scene.add_mesh_simple(
            f"{self.name}/fixed/{part.name}", part.mesh.vertices.astype(np.float32), part.mesh.faces,
            color=_bytes(part.colour), flat_shading=True, side="double",
        )  # fmt: skip

    def _add_cables(self, frame: Frame) -> Any:
        position, wxyz, scale, colour = self._segments(frame)
        return self.scene.add_batched_meshes_simple(
            f"{self.name}/cables", TUBE.vertices, TUBE.faces, wxyz, position, batched_scales=scale,
            batched_colors=colour, lod="off", opacity=self.opacity, side="double",
        )  # fmt: skip

    def _add_heads(self, heads: Heads, frame: Frame) -> Any:
        places, turns = heads.places(frame)
        return self.scene.add_batched_meshes_simple(
            f"{self.name}/{heads.kind} {heads.radius:g}", heads.mesh.vertices, heads.mesh.faces, quaternions(turns),
            places.astype(np.float32), batched_colors=_bytes(GHOST_COLOUR if self.is_ghost else FIXTURE), lod="off",
            flat_shading=True, side="double", opacity=self.opacity,
        )  # fmt: skip

    def _move_heads(self, handle: Any, heads: Heads, frame: Frame) -> None:
        places, turns = heads.places(frame)
        handle.batched_positions = places.astype(np.float32)
        if heads.kind in (PULLEY, LAID):
            handle.batched_wxyzs = quaternions(turns).astype(np.float32)

    def _add_ties(self, frame: Frame) -> Any:
        position, wxyz, scale = self._tie_poses(frame)
        return self.scene.add_batched_meshes_simple(
            f"{self.name}/ties", TUBE.vertices, TUBE.faces, wxyz, position, batched_scales=scale,
            batched_colors=_bytes(GHOST_COLOUR if self.is_ghost else BODY), lod="off", opacity=self.opacity,
            side="double",
        )  # fmt: skip

    def _tie_poses(self, frame: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        start, end = tie_ends(self.machine.ties, frame)
        radius = np.full(len(start), self.machine.tie_radius)
        return tube_poses(start, end, radius)

    def _add_arrows(self) -> Any:
        size = self.machine.size
        return self.scene.add_arrows(
            f"{self.name}/forces", UPWARDS, _bytes(FORCE), shaft_radius=0.006 * size,
            head_radius=0.016 * size, head_length=HEAD * size, visible=False,
        )  # fmt: skip

    def _move_cables(self, frame: Frame) -> None:
        position, wxyz, scale, colour = self._segments(frame)
        self.cables.batched_positions, self.cables.batched_wxyzs = position, wxyz
        self.cables.batched_scales, self.cables.batched_colors = scale, colour

    def _segments(self, frame: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Middle, turn, scale and colour of the tube of every cable element."""
        start, end, radius, colour = cable_segments(self.machine, frame)
        colour = np.broadcast_to(GHOST_COLOUR, colour.shape) if self.is_ghost else colour
        return *tube_poses(start, end, radius), (255 * colour).round().astype(np.uint8)

    def _arrow_points(self, frame: Frame) -> np.ndarray:
        """Both ends of the arrows that are long enough for a head, shape [n, 2, 3] [m]."""
        start, tip = force_arrows(self.machine, frame)
        is_long = np.linalg.norm(tip - start, axis=1) > 0.6 * HEAD * self.machine.size
        return np.stack([start, tip], axis=1)[is_long].astype(np.float32)

    def _move_arrows(self, frame: Frame) -> None:
        points = self._arrow_points(frame)
        if len(points):
            self.arrows.points = points
        self.arrows.visible = len(points) > 0

    def _path(self, point: str) -> np.ndarray:
        frames = self.machine.frames
        if point in frames.bodies:
            return self.machine.path(point, TRACE_POINTS)[1]
        step = max(1, len(frames) // TRACE_POINTS)
        end, _, cable = point.partition(" of ")
        k = frames.cables.index(cable)
        node = 0 if end == "exit" else int(frames.element_counts[k])
        return frames.result["cable_nodes"][::step, k, node].values


def tube_poses(start: np.ndarray, end: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middle, turn and scale of a tube of length 1 and radius 1, from each start to each end."""
    along = end - start
    scale = np.stack([radius, radius, np.linalg.norm(along, axis=1)], axis=1).astype(np.float32)
    return (0.5 * (start + end)).astype(np.float32), turns_to(along).astype(np.float32), scale


def turns_to(directions: np.ndarray) -> np.ndarray:
    """Quaternions (w, x, y, z) that turn the z axis into the directions, shape [n, 4]."""
    norm = np.linalg.norm(directions, axis=1, keepdims=True)
    x, y, z = np.where(norm > 0.0, directions / np.where(norm > 0.0, norm, 1.0), [0.0, 0.0, 1.0]).T
    turn = np.stack([1.0 + z, -y, x, np.zeros_like(z)], axis=1)
    # opposite to z: the formula for the rotation is singular there; take half a turn about x
    turn[z < -1.0 + 1e-12] = [0.0, 1.0, 0.0, 0.0]
    return turn / np.linalg.norm(turn, axis=1, keepdims=True)


def _bytes(colour: np.ndarray) -> tuple[int, int, int]:
    red, green, blue = (round(255 * c) for c in colour)
    return red, green, blue
