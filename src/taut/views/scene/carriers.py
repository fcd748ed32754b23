"""Meshes of what carries exits and loads: quadcopters, carriages on rails, bridges, vehicles, decks.

Each is in the body's frame, z up. Sizes that are not given are proportional to that of the machine.
"""

from collections.abc import Sequence

import numpy as np

from taut.views.scene.meshes import Mesh, box, cylinder, joined, rod, torus

CARRIAGE = 0.075  # length of a carriage, relative to the machine's size
WHEEL = 0.22  # radius of a wheel, relative to the carriage's length
GAUGE = 0.8  # distance of the two rails, relative to the carriage's length
RAIL = 0.07  # half width of a rail, relative to the carriage's length
Y = (0.0, 1.0, 0.0)


def quadcopter(arm: float, layout: str, points: Sequence[np.ndarray], thin: float) -> Mesh:
    """Two crossed arms, four rings around the rotors, a hub and its feet.

    Args:
        arm: Distance of the rotors from the centre [m].
        layout: `x` or `plus`.
        points: Exits of its cables, in its frame [m].
        thin: Radius of a rod that is still seen [m].
    """
    angles = np.arange(4) * np.pi / 2 + (np.pi / 4 if layout == "x" else 0.0)
    tips = arm * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(4)])
    lift, radius = np.array([0.0, 0.0, 0.14 * arm]), max(0.05 * arm, 0.4 * thin)
    parts = [box([0.55 * arm, 0.55 * arm, 0.24 * arm]), *(rod(np.zeros(3), tip, radius) for tip in tips)]
    for tip in tips:
        parts += [rod(tip, tip + lift, radius), torus(0.5 * arm, max(0.045 * arm, 0.35 * thin)).moved(tip + lift)]
        parts.append(box([0.9 * arm, 0.09 * arm, 0.03 * arm]).moved(tip + lift))
    return joined([*parts, *(rod(np.zeros(3), p, radius) for p in points if np.linalg.norm(p) > 0.2 * arm)])


def carriage(length: float, along: np.ndarray, *, width: float = GAUGE) -> Mesh:
    """A flat box on four wheels, whose middle is the origin."""
    wheel, gauge = WHEEL * length, width * length
    parts = [box([length, 0.9 * gauge, 0.3 * length])]
    for x in (-0.3 * length, 0.3 * length):
        parts += [cylinder(wheel, 0.14 * length, Y).moved([x, y, 0.0]) for y in (-0.5 * gauge, 0.5 * gauge)]
    return joined(parts).turned(track_frame(along))


def track(length: float, along: np.ndarray, span: tuple[float, float]) -> Mesh:
    """Two rails below the wheels of a carriage of some length, from one place along them to another [m]."""
    low, high = span[0] - 0.9 * length, span[1] + 0.9 * length
    side, half = 0.5 * GAUGE * length, RAIL * length
    beam = box([high - low, 2 * half, 2.4 * half]).moved([0.5 * (low + high), 0.0, -WHEEL * length - 1.2 * half])
    return joined([beam.moved([0.0, y, 0.0]) for y in (-side, side)]).turned(track_frame(along))


def bridge(length: float, along: np.ndarray, across: np.ndarray, span: tuple[float, float]) -> Mesh:
    """Rails for a carriage, and at both ends a head with wheels that runs on rails of its own."""
    reach = (span[0] - 1.1 * length, span[1] + 1.1 * length)
    direction = track_frame(across)[:, 0]
    heads = [carriage(1.2 * length, along, width=0.3).moved(place * direction - drop(length)) for place in reach]
    return joined([track(length, across, (reach[0] + 0.9 * length, reach[1] - 0.9 * length)), *heads])


def runway(length: float, along: np.ndarray, across: np.ndarray, spans: Sequence[tuple[float, float]]) -> Mesh:
    """The two rails of a bridge: far apart, one below each of its heads."""
    (low, high), reach = spans[0], (spans[1][0] - 1.1 * length, spans[1][1] + 1.1 * length)
    half, below = RAIL * length, np.array([0.0, 0.0, -1.2 * WHEEL * length - 1.2 * RAIL * length])
    beam = box([high - low + 2.0 * length, 2 * half, 2.4 * half]).moved([0.5 * (low + high), 0.0, 0.0])
    beam = beam.turned(track_frame(along)).moved(below - drop(length))
    return joined([beam.moved(place * track_frame(across)[:, 0]) for place in reach])


def drop(length: float) -> np.ndarray:
    """How far the heads of a bridge lie below its carriage [m]."""
    return np.array([0.0, 0.0, (2.2 * WHEEL + 2.4 * RAIL) * length])


def vehicle(points: Sequence[np.ndarray], size: float, thin: float) -> Mesh:
    """A chassis on wheels, and a mast to every exit."""
    length = 0.12 * size
    wheel = 0.2 * length
    chassis = box([length, 0.8 * length, 0.3 * length]).moved([0.0, 0.0, 1.5 * wheel])
    wheels = [cylinder(wheel, 0.15 * length, Y).moved([x, y, wheel])
              for x in (-0.35 * length, 0.35 * length) for y in (-0.4 * length, 0.4 * length)]  # fmt: skip
    return joined([chassis, *wheels, *_masts(points, np.array([0.0, 0.0, 1.5 * wheel]), thin)])


def deck(points: Sequence[np.ndarray], size: float, thin: float) -> Mesh:
    """A plate, and a mast to every exit."""
    plate = box([0.3 * size, 0.14 * size, 0.02 * size]).moved([0.0, 0.0, -0.01 * size])
    return joined([plate, *_masts(points, np.zeros(3), thin)])


def track_frame(along: np.ndarray) -> np.ndarray:
    """Axes of a way as columns: x along the way, z as far up as possible."""
    x = np.asarray(along, float) / np.linalg.norm(along)
    # a vertical rail does not define a sideways direction: take x instead of z as the upward one
    up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.95 else np.array([1.0, 0.0, 0.0])
    y = np.cross(up, x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def _masts(points: Sequence[np.ndarray], foot: np.ndarray, thin: float) -> list[Mesh]:
    """Upright posts under the exits, joined to the foot."""
    parts = []
    for point in points:
        bend = np.array([point[0], point[1], foot[2]])
        for start, end in ((foot, bend), (bend, point)):
            if np.linalg.norm(end - start) > thin:
                parts.append(rod(start, end, thin))
    return parts
