"""How a cable lies at the start: straight if it is tight, an arc that sags if it is longer than the distance."""

from typing import Any

import numpy as np

from taut.model.enums import JointKind

NEARLY_STRAIGHT = 1e-9  # cables with less slack than this, relative to their length, are laid straight


def start_directions(chord: np.ndarray, length: float, elements: int, sag: np.ndarray) -> list[np.ndarray]:
    """World direction of every element, exit to anchor, such that the chain spans the chord; it sags along ``sag``."""
    distance = float(np.linalg.norm(chord))
    along = chord / distance
    if elements == 1 or length <= distance * (1 + NEARLY_STRAIGHT):
        return [along] * elements
    turn = arc_turn(distance / length, elements)
    angles = (np.arange(elements) - (elements - 1) / 2) * turn
    return [np.cos(angle) * along - np.sin(angle) * sag for angle in angles]


def arc_turn(ratio: float, n: int) -> float:
    """Turn between elements of a polygonal arc whose chord is ``ratio`` times its length."""
    from scipy.optimize import brentq  # imported here, because it is slow to import and few cables sag at the start

    # n links with the angle d between neighbours: chord
    # length = sin(n d/2)
    # (n sin(d/2)), falling from 1 to 0 on 0 < d < 2 pi
    # n
    def excess(d: float) -> float:
        return float(np.sin(n * d / 2) / (n * np.sin(d / 2)) - ratio)

    root: Any = brentq(excess, 1e-12, 2 * np.pi / n)
    return float(root)


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
