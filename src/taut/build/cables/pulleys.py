"""A pulley at an exit: a swivel, and a wheel's turn, which carries the point where the cable leaves.

In the swivelled plane with h away from the axis and z along it, the wheel's centre lies at h = r from the exit point,
the cable leaves at the point n r from the centre along t, a quarter turn from n. For the anchor at b from the centre,
as complex numbers,  n = b / (r - i l)  with the free length l = sqrt(|b|^2 - r^2).                                 (1)
The cable comes along z, so that the arc on the wheel is r (pi/2 + turn) long, the turn counted from level.        (2)
"""

from dataclasses import dataclass

import numpy as np

from taut.build.context import Context
from taut.model.enums import JointKind
from taut.scenario.cables.mrfe import CableMrfe
from taut.scenario.cables.pulley import Pulley
from taut.scenario.records.orientation import rotation_from_vector

# axes of a cable that leaves the wheel level, along h, which is zero turn: its z lies along h, its x points down
LEVEL = np.column_stack([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
ARRIVAL = -0.5 * np.pi  # turn of the wheel at which the arc of the cable begins, Eq. (2)


@dataclass(frozen=True)
class Tangent:
    """Point and direction in which a cable leaves its pulley at the start."""

    swivel: np.ndarray  # rotation to the world from a frame whose z is the swivel axis and whose x points to the anchor
    turn: float  # turn of the wheel from level down to the cable's direction [rad]
    direction: np.ndarray  # direction in which the cable leaves, world axes
    free: float  # free length: distance from the wheel to the anchor along the tangent [m]
    radius: float  # radius of the wheel [m]

    @property
    def arc(self) -> float:
        """Length of the arc, Eq. (2) [m]."""
        return self.radius * (self.turn - ARRIVAL)


def tangent_of(context: Context, pulley: Pulley, path: str, chord: np.ndarray) -> Tangent:
    """Tangent from the pulley, Eq. (1), to the anchor at ``chord`` from the exit point, world."""
    z = np.array(pulley.axis) / np.linalg.norm(pulley.axis)
    if context.scenario.planar and abs(z[1]) > 0.0:
        raise context.scenario.error(f"{path}.pulley.axis", "must lie in the plane of the machine")
    across = chord - z * (z @ chord)
    distance = float(np.linalg.norm(across))
    if distance < 1e-9 * max(1.0, float(np.linalg.norm(chord))):
        raise context.scenario.error(f"{path}.pulley", "the anchor lies on the swivel axis at the start")
    h = across / distance
    b = complex(distance - pulley.radius, float(z @ chord))
    if abs(b) <= pulley.radius:
        raise context.scenario.error(f"{path}.pulley", "the anchor lies inside the wheel at the start")
    free = float(np.sqrt(abs(b) ** 2 - pulley.radius**2))
    n = b / complex(pulley.radius, -free)
    t = -1j * n
    frame = np.column_stack([h, np.cross(z, h), z])
    return Tangent(frame, float(np.arctan2(-t.imag, t.real)), h * t.real + z * t.imag, free,
                   pulley.radius)  # fmt: skip


def add_pulley(context: Context, cable: CableMrfe, carrier: tuple[int, np.ndarray, tuple[float, float, float]],
               tangent: Tangent) -> tuple[int, np.ndarray]:  # fmt: skip
    """Add the swivel and the wheel of a pulley as nodes.

    Args:
        context: the build.
        cable: the cable.
        carrier: node that carries the exit, its rotation, and the exit point in its frame.
        tangent: where the cable leaves.

    Returns:
        The wheel's node, and its rotation: its z axis lies along the cable, which leaves at -x.
    """
    node, R_node, point = carrier
    frame = R_node.T @ tangent.swivel
    centre = np.array([tangent.radius, 0.0, 0.0])
    if context.scenario.planar:
        # in a planar machine the pulley does not swivel
        centre, frame = np.array(point) + frame @ centre, frame @ LEVEL
    else:
        node = context.tree.add_node(f"{cable.name}.swivel", JointKind.REVOLUTE, node, offset=point,
                                     rotation=frame, axes=(np.eye(3)[2], np.eye(3)[1]))  # fmt: skip
        frame = LEVEL
    wheel = context.tree.add_node(f"{cable.name}.wheel", JointKind.REVOLUTE, node, offset=tuple(centre), rotation=frame,
                                  axes=(np.eye(3)[1], np.eye(3)[0]), position=[tangent.turn])  # fmt: skip
    turned = rotation_from_vector(np.array([0.0, tangent.turn, 0.0]))
    return wheel, tangent.swivel @ LEVEL @ turned
