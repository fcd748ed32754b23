"""Which mesh and which colour a body gets: by its own shape, by what its driver is, or by where it is held."""

from typing import Any

import numpy as np

from taut.views.scene.bodies import ROD, body_mesh, rods_to
from taut.views.scene.carriers import deck, quadcopter, vehicle
from taut.views.scene.colours import BODY, PLATFORM
from taut.views.scene.frames import Frame, Frames
from taut.views.scene.meshes import Mesh, joined, nothing, rotation_matrix
from taut.views.scene.said import part, said_cables

# usual names of the body that a machine moves, which is drawn in the colour of a platform
LOADS = ("platform", "payload", "load")
ROPE = 0.5 * ROD  # radius of the links of a crane, relative to the machine's size


class Shaping:
    """Shapes of the bodies of one machine."""

    def __init__(self, said: dict[str, Any], known: dict[str, dict[str, Any]], frames: Frames, first: Frame,
                 size: float) -> None:  # fmt: skip
        """Look at the first moment: exits on drivers are where the cables begin then."""
        self.said, self.known, self.frames, self.first, self.size = said, known, frames, first, size
        self.drivers = part(said, "drivers")
        self.is_crane = isinstance(said.get("crane"), dict)

    def part(self, name: str, points: list[np.ndarray], on_rails: Mesh | None, main: str) -> tuple[Mesh, np.ndarray]:
        """Mesh in the body's frame, and colour."""
        body = self.known.get(name, {})
        mesh = self._driver(name) or self._inner(name)
        if mesh is None and on_rails is not None:
            mesh = joined([on_rails, *rods_to(on_rails, np.zeros(3), points, self.size)])
        if mesh is None:
            mesh = body_mesh(body, points, self.size, ROPE if self.is_crane else ROD)
        return mesh, PLATFORM if name == main or name in LOADS else BODY

    def _driver(self, name: str) -> Mesh | None:
        """The mesh of a driver that is no carriage."""
        driver, points, thin = part(self.drivers, name), self._exits(name), ROD * self.size
        kind = driver.get("kind")
        if kind == "quadcopter" and isinstance(driver.get("arm"), int | float):
            return quadcopter(float(driver["arm"]), str(driver.get("layout", "x")), points, thin)
        if kind == "mobile":
            return vehicle(points, self.size, thin)
        return deck(points, self.size, thin) if kind == "deck" else None

    def _inner(self, name: str) -> Mesh | None:
        """An empty mesh for the massless bodies between the joints of a deck."""
        owner = next((driver for driver in self.drivers if name.startswith(f"{driver} ")), "")
        is_step = part(self.drivers, owner).get("kind") == "deck"
        return nothing() if is_step else None

    def _exits(self, name: str) -> list[np.ndarray]:
        """Where cables begin on a driver, in its frame [m]."""
        if name not in self.frames.bodies or not len(self.first.nodes):
            return []
        k = self.frames.bodies.index(name)
        turn = rotation_matrix(self.first.quaternion[k])
        cables = said_cables(self.said)
        on_it = [i for i, cable in enumerate(self.frames.cables) if cables.get(cable, {}).get("driver") == name]
        return [turn.T @ (self.first.nodes[i, 0] - self.first.position[k]) for i in on_it]


def main_body_of(frames: Frames, said: dict[str, Any]) -> str:
    """The body whose position is displayed: the load by name, else one that a cable holds, else the last one."""
    bodies, drivers = frames.bodies, part(said, "drivers")
    held = [str(cable.get("body", "platform")) for cable in said_cables(said).values()]
    own = [name for name in bodies if not any(name == d or name.startswith(f"{d} ") for d in drivers)]
    return next((name for name in (*LOADS, *held) if name in bodies), (own or bodies or [""])[-1])
