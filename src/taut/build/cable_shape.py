"""How a cable lies at the start: straight if it is tight, an arc that sags if it is longer than the distance."""

from typing import Any

import numpy as np

from taut.model.enums import JointKind
from taut.scenario.cable_mrfe import CableMrfe

NEARLY_STRAIGHT = 1e-9  # relative slack below which the cable is laid straight


def exit_frame(cable: CableMrfe, R_exit: np.ndarray, chord: np.ndarray) -> np.ndarray:
    """Joint frame of the first bend on the node that carries the exit.

    Transverse: z along the relaxed direction, so that both axes lie across it. Azimuth-polar: the frame of the node.
    """
    if cable.exit_joint == "azimuth-polar":
        return np.eye(3)
    z = R_exit.T @ chord if cable.clamp_direction is None else np.array(cable.clamp_direction)
    z = z / np.linalg.norm(z)
    # y stays in place for a vertical cable and for one in the x-z plane
    y = np.array([0.0, 1.0, 0.0]) if abs(z[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    x = np.cross(y, z)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def start_directions(chord: np.ndarray, length: float, elements: int, *, planar: bool) -> list[np.ndarray]:
    """World direction of every element, exit to anchor, such that the chain spans the chord."""
    distance = float(np.linalg.norm(chord))
    along = chord / distance
    if elements == 1 or length <= distance * (1 + NEARLY_STRAIGHT):
        return [along] * elements
    turn = arc_turn(distance / length, elements)
    across = sag_direction(along, planar=planar)
    angles = (np.arange(elements) - (elements - 1) / 2) * turn
    return [np.cos(angle) * along - np.sin(angle) * across for angle in angles]


def arc_turn(ratio: float, n: int) -> float:
    """Turn between elements of a polygonal arc whose chord is ``ratio`` times its length."""
    from scipy.optimize import brentq  # slow to import, and few cables sag at the start

    # chord / length = sin(n d/2) / (n sin(d/2)), which falls from 1 to 0 on 0 < d < 2 pi / n
    def excess(d: float) -> float:
        return float(np.sin(n * d / 2) / (n * np.sin(d / 2)) - ratio)

    root: Any = brentq(excess, 1e-12, 2 * np.pi / n)
    return float(root)


def sag_direction(along: np.ndarray, *, planar: bool) -> np.ndarray:
    """Unit vector across the chord, as far downwards as possible."""
    down = np.array([0.0, 0.0, -1.0])
    across = down - along * (down @ along)
    if np.linalg.norm(across) < 1e-6:
        side = np.array([1.0, 0.0, 0.0])
        across = side - along * (side @ along)
    if planar:
        across[1] = 0.0
    return across / np.linalg.norm(across)


def bend_angles(kind: JointKind, d: np.ndarray) -> list[float]:
    """Joint coordinates that turn the frame's z to the unit direction d."""
    x, y, z = d / np.linalg.norm(d)
    if kind == JointKind.REVOLUTE:
        return [float(np.arctan2(-x, z))]
    if kind == JointKind.BEND_XY:
        return [float(np.arctan2(-y, z)), float(np.arctan2(x, np.hypot(y, z)))]
    if kind == JointKind.BEND_YX:
        return [float(np.arctan2(x, z)), float(np.arctan2(-y, np.hypot(x, z)))]
    # azimuth and polar angle; a vertical cable has azimuth 0
    level = np.hypot(x, y)
    return [float(np.arctan2(-y, -x)) if level > 1e-12 else 0.0, float(np.arctan2(level, z))]
