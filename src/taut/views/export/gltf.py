"""The scene of a moment as binary glTF 2.0: bodies as nodes with their poses, cables coloured by tension.

A file is a JSON text and one block of bytes that it points into. glTF has y up, so all nodes hang on one that turns z
up into y up.
"""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from taut.results.result import Result
from taut.results.store import write_whole
from taut.views.film.triangles import Triangles, cable_triangles, head_triangles, light_on, tie_triangles
from taut.views.scene.frames import Frame
from taut.views.scene.machine import Machine, read_machine
from taut.views.scene.meshes import Mesh

FLOAT, VERTEX_BUFFER = 5126, 34962
Z_TO_Y = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # turn from z up, as in taut, to y up, as in glTF: quaternion (x, y, z, w)


def write_scene(result: Result, output: Path, time: float | None = None) -> Path:
    """Write the machine at a time [s], the first by default."""
    machine = read_machine(result)
    frame = machine.frames.at(float(machine.frames.time[0]) if time is None else time)
    return write_whole(output, scene_bytes(machine, frame))


def scene_bytes(machine: Machine, frame: Frame) -> bytes:
    """Bytes of the glTF file of a scene."""
    scene = Scene()
    for body, position, quaternion in zip(machine.bodies, frame.position, frame.quaternion, strict=False):
        w, x, y, z = quaternion
        pose = {"translation": position.tolist(), "rotation": [x, y, z, w]}
        scene.add(
            body.name, body.mesh.vertices[body.mesh.faces], np.tile(body.colour, (len(body.mesh.faces), 1)), **pose
        )
    for part in machine.fixtures:
        scene.add(part.name, *_coloured(part.mesh, part.colour))
    if len(frame.nodes):
        for name, triangles in (("cables", cable_triangles(machine, frame)), ("exits", head_triangles(machine, frame))):
            scene.add(name, *_of(triangles))
    if machine.ties:
        scene.add("ties", *_of(tie_triangles(machine, frame)))
    return scene.to_bytes(f"{machine.frames.result.title} at t = {frame.time:.6g} s")


class Scene:
    """Meshes collected into one file."""

    def __init__(self) -> None:
        """Begin with an empty file."""
        self._block = bytearray()
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._nodes: list[dict[str, Any]] = []

    def add(self, name: str, corners: np.ndarray, colours: np.ndarray, **pose: Any) -> None:
        """Add triangles, shape [n, 3, 3] [m], with a colour each."""
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        norm = np.linalg.norm(normal, axis=1, keepdims=True)
        flat = np.where(norm > 0.0, normal / np.where(norm > 0.0, norm, 1.0), [0.0, 0.0, 1.0])
        attributes = {
            "POSITION": self._append(corners.reshape(-1, 3)),
            "NORMAL": self._append(np.repeat(flat, 3, axis=0)),
            # glTF takes colours of vertices as linear light, so the gamma of the screen is removed
            "COLOR_0": self._append(np.repeat(np.clip(colours, 0.0, 1.0) ** 2.2, 3, axis=0)),
        }
        self._meshes.append({"name": name, "primitives": [{"attributes": attributes, "material": 0}]})
        self._nodes.append({"name": name, "mesh": len(self._meshes) - 1, **pose})

    def _append(self, vectors: np.ndarray) -> int:
        data = np.ascontiguousarray(vectors, "<f4")
        self._views.append(
            {"buffer": 0, "byteOffset": len(self._block), "byteLength": data.nbytes, "target": VERTEX_BUFFER}
        )
        self._block += data.tobytes()
        self._accessors.append({
            "bufferView": len(self._views) - 1, "componentType": FLOAT, "count": len(data), "type": "VEC3",
            "min": data.min(axis=0).tolist(), "max": data.max(axis=0).tolist(),
        })  # fmt: skip
        return len(self._accessors) - 1

    def to_bytes(self, title: str) -> bytes:
        """The file: head, JSON text, block."""
        root = {"name": title, "rotation": Z_TO_Y, "children": list(range(1, len(self._nodes) + 1))}
        material = {"name": "painted", "doubleSided": True,
                    "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.8}}  # fmt: skip
        content = {
            "asset": {"version": "2.0", "generator": "taut"},
            "scene": 0,
            "scenes": [{"name": title, "nodes": [0]}],
            "nodes": [root, *self._nodes],
            "meshes": self._meshes,
            "materials": [material],
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self._block)}],
        }
        text = json.dumps(content, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        block = bytes(self._block) + b"\0" * (-len(self._block) % 4)
        total = 12 + 8 + len(text) + 8 + len(block)
        return b"".join([b"glTF", struct.pack("<II", 2, total), struct.pack("<I4s", len(text), b"JSON"), text,
                         struct.pack("<I4s", len(block), b"BIN\0"), block])  # fmt: skip


def _coloured(mesh: Mesh, colour: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return mesh.vertices[mesh.faces], np.tile(colour, (len(mesh.faces), 1))


def _of(triangles: Triangles) -> tuple[np.ndarray, np.ndarray]:
    # leave shading out of the colours: the viewer of the file has its own lights
    return triangles.corners, triangles.colours / light_on(triangles.corners)[:, None]
