"""Random machines that pass a plane, a tether or an ideal cable for the first time at a known moment, or never.

Each family draws a motion with a closed form, and then the plane or the length so that the largest value of the motion
is beyond it for a time drawn from 1e-4 s up (grazing), or well beyond it, or does not reach it. What an error of 1e-12
of the size of the motion would move by more than a few nanoseconds is drawn again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from taut.scenario.builder import Machine
from taut.verify.trust.event_times import Motion, first_of_motion, first_of_polynomial, largest_of, turning_points

OVERLAP = 2e-11  # overlap of an ideal cable before it counts as taut [m]
ROUNDING = 1e-12  # rounding of positions, relative to the size of the motion
UNSEEN = 5e-9  # largest effect of OVERLAP and ROUNDING on the time of an event [s]
SLOWEST_SWING = 0.2  # least speed at a crossing, so that the method's error in its time is below nanoseconds [m/s]
SPRING = {"kind": "spring", "axial_stiffness": 1e3}

Draw = Any  # numpy's random generator


class Crossing(NamedTuple):
    """One case: a machine, how long and with which settings it runs, and when it first crosses (inf: never)."""

    machine: Machine
    duration: float
    time: float
    settings: dict[str, Any]


def log_uniform(draw: Draw, low: float, high: float) -> float:
    """A number whose logarithm is uniform."""
    return float(np.exp(draw.uniform(np.log(low), np.log(high))))


def level_near(draw: Draw, start: float, top: tuple[float, float], span: float) -> float:
    """A level for a motion that starts at ``start`` and has the top (value, curvature): missed, grazed or passed."""
    value, curvature = top
    depth = max(curvature * log_uniform(draw, 1e-4, 0.2 * span) ** 2 / 8.0, 1e-10 * (value - start))
    kind = draw.integers(4)
    if kind == 0:
        return value + depth
    return value - depth if kind < 3 else draw.uniform(0.2, 0.9) * (value - start) + start


def throw(draw: Draw) -> tuple[float, float, list[Polynomial]]:
    """Duration, gravity and path of a thrown point that comes back after a part of the run."""
    duration = log_uniform(draw, 1.0, 1000.0)
    flight = draw.uniform(0.2, 0.9) * duration
    gravity = 9.81 if duration < 10.0 else 8.0 * log_uniform(draw, 0.1, 100.0) / flight**2
    if draw.random() < 0.5:
        flight, gravity = draw.uniform(0.2, 0.9) * min(duration, 5.0), 9.81
    up = 0.5 * gravity * flight
    side = up * draw.uniform(-0.2, 0.2, 2)
    return duration, gravity, [Polynomial([0.0, s]) for s in side] + [Polynomial([0.0, up, -0.5 * gravity])]


def thrown(path: list[Polynomial], gravity: float) -> Machine:
    """A machine of one mass, thrown so that it follows a path."""
    machine = Machine("thrown", gravity=[0.0, 0.0, -gravity])
    velocity = [float(p.deriv()(0.0)) for p in path]
    machine.body("mass", mass=1.0, joint={"kind": "point", "position": [0.0, 0.0, 0.0], "velocity": velocity})
    return machine


def watch_plane(draw: Draw, machine: Machine, direction: np.ndarray, level: float, **keys: Any) -> None:
    """Ask for the passing of a plane, from either side."""
    sign = draw.choice([-1.0, 1.0])
    machine.event("plane", direction=[float(sign * x) for x in direction], value=float(sign * level), **keys)


def flight_plane(draw: Draw) -> Crossing | None:
    """A thrown mass against a plane of any direction."""
    duration, gravity, path = throw(draw)
    n = np.array([*draw.uniform(-0.3, 0.3, 2), 1.0])
    n /= np.linalg.norm(n)
    height = n[0] * path[0] + n[1] * path[1] + n[2] * path[2]
    top = turning_points(height, duration)
    if not top:
        return None
    level = level_near(draw, 0.0, (height(top[0]), gravity * n[2]), top[0])
    time = first_of_polynomial(level - height, duration)
    if level <= 0.0 or is_rounded(time, height, height(top[0]), 0.0):
        return None
    machine = thrown(path, gravity)
    watch_plane(draw, machine, n, level, body="mass")
    return Crossing(machine, duration, time, {})


def is_rounded(time: float, motion: Polynomial, size: float, overlap: float) -> bool:
    """Whether rounding, or the overlap of ideal cables, moves a crossing by more than is looked at."""
    return bool(np.isfinite(time) and ROUNDING * size + overlap > UNSEEN * abs(motion.deriv()(time)))


def flight_cable(cable: dict[str, Any], overlap: float) -> Callable[[Draw], Crossing | None]:
    """A thrown mass on a slack cable to a point beside its start."""

    def draw_one(draw: Draw) -> Crossing | None:
        duration, gravity, path = throw(draw)
        highest = float(path[2](path[2].deriv().roots()[0]))
        exit_point = np.array([*draw.uniform(-0.2, 0.2, 2), draw.uniform(-0.1, 0.3)]) * highest
        square = sum(((p - e) ** 2 for p, e in zip(path, exit_point, strict=True)), Polynomial([0.0]))
        tops = [t for t in turning_points(square, duration) if square.deriv(2)(t) < 0.0]
        if not tops:
            return None
        start, top = square(0.0), square(tops[0])
        level = level_near(draw, start, (top, -square.deriv(2)(tops[0])), tops[0])
        if not level > 1.2 * start:
            return None
        time = first_of_polynomial(level - square, duration)
        length = float(np.sqrt(level))
        if is_rounded(time, square / (2.0 * length), length, overlap):
            return None
        machine = thrown(path, gravity)
        machine.cable("cable", body="mass", exit=[float(x) for x in exit_point], anchor=[0, 0, 0], length=length,
                      **cable)  # fmt: skip
        return Crossing(machine, duration, time, {})

    return draw_one


def tumbling(draw: Draw) -> tuple[float, float, list[Polynomial], np.ndarray]:
    """A throw and a spin of at most a few hundred radians."""
    duration, gravity, path = throw(draw)
    spin = draw.normal(size=3)
    spin *= min(log_uniform(draw, 0.3, 20.0), 300.0 / duration) / np.linalg.norm(spin)
    return duration, gravity, path, spin


def box(path: list[Polynomial], gravity: float, spin: np.ndarray, side: float, height: float) -> Machine:
    """A tumbling cube."""
    machine = Machine("tumbling", gravity=[0.0, 0.0, -gravity])
    velocity = [float(p.deriv()(0.0)) for p in path]
    machine.platform(mass=1.0, box=[side] * 3, position=[0.0, 0.0, height], velocity=velocity,
                     angular_velocity=[float(w) for w in spin])  # fmt: skip
    return machine


def corner_height(path: Polynomial, spin: np.ndarray, arm: np.ndarray, direction: np.ndarray) -> Motion:
    """Height along a direction of the end of an arm that turns at a constant rate while its origin moves on a path."""
    rate = float(np.linalg.norm(spin))
    axis = spin / rate
    still = float(direction @ axis) * float(axis @ arm)
    c, s = float(direction @ arm) - still, float(direction @ np.cross(axis, arm))
    fall = path.deriv()
    bound = rate * rate * float(np.linalg.norm(arm)) + abs(float(path.deriv(2)(0.0))) + 1e-9
    return Motion(
        lambda t: path(t) + still + c * np.cos(rate * t) + s * np.sin(rate * t),
        lambda t: fall(t) + rate * (s * np.cos(rate * t) - c * np.sin(rate * t)),
        bound,
    )


def below(level: float, motion: Motion) -> Motion:
    """Depth of a motion below a level."""
    return Motion(lambda t: level - motion.value(t), lambda t: -motion.rate(t), motion.bound)


def is_slow(time: float, motion: Motion, least: float) -> bool:
    """Whether a crossing is slower than that."""
    return bool(np.isfinite(time) and abs(motion.rate(time)) < least)


def tumbling_corner(draw: Draw) -> Crossing | None:
    """A corner of a tumbling cube against a plane above it."""
    duration, gravity, path, spin = tumbling(draw)
    arm = 0.5 * log_uniform(draw, 0.1, 1.0) * np.array([1.0, 1.0, 1.0])
    up = np.array([0.0, 0.0, 1.0])
    motion = corner_height(path[2], spin, arm, up)
    t, value = largest_of(motion, duration)
    level = level_near(draw, motion.value(0.0), (value, motion.bound), max(t, 0.01))
    time = first_of_motion(below(level, motion), duration)
    if level <= motion.value(0.0) or is_slow(time, motion, SLOWEST_SWING):
        return None
    machine = box(path, gravity, spin, 2.0 * arm[0], 0.0)
    watch_plane(draw, machine, up, level, point=[float(x) for x in arm])
    return Crossing(machine, duration, time, {})


def tumbling_ground(draw: Draw) -> Crossing | None:
    """A tumbling cube on the ground: the first of eight corners."""
    duration, gravity, path, spin = tumbling(draw)
    side, up = log_uniform(draw, 0.1, 1.0), np.array([0.0, 0.0, 1.0])
    height = side + draw.uniform(0.0, 3.0) * float(path[2](path[2].deriv().roots()[0]))
    corners = [0.5 * side * np.array([x, y, z]) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    motions = [corner_height(height + path[2], spin, arm, up) for arm in corners]
    times = [first_of_motion(motion, duration) for motion in motions]
    first = int(np.argmin(times))
    if is_slow(times[first], motions[first], SLOWEST_SWING):
        return None
    machine = box(path, gravity, spin, side, height)
    machine.ground(stiffness=1e4, damping=100.0)
    return Crossing(machine, duration, times[first], {})
