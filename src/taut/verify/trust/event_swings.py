"""Arms that turn at a constant rate, and pendulums, against planes and cables; as ``event_cases``."""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.scenario.builder import Machine
from taut.verify.trust.event_cases import (
    SLOWEST_SWING,
    Crossing,
    Draw,
    below,
    corner_height,
    is_slow,
    level_near,
    log_uniform,
    watch_plane,
)
from taut.verify.trust.event_times import Motion, Swing, first_of_motion, largest_of

FINE = {"tolerance": 1e-10}
UP, ALONG, SIDE = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


# returns position and velocity at a time or at many, each of shape [..., 3]
Place = Callable[[Any], tuple[np.ndarray, np.ndarray]]


def distance_square(place: Place, point: np.ndarray, most: tuple[float, float], reach: float) -> Motion:
    """Square of the distance of a moving point from a fixed one; ``most`` bounds speed and acceleration."""

    def rate(t: Any) -> Any:
        x, v = place(t)
        return 2.0 * np.sum((x - point) * v, axis=-1)

    speed, acceleration = most
    bound = 2.0 * (speed * speed + reach * acceleration)
    return Motion(lambda t: np.sum((place(t)[0] - point) ** 2, axis=-1), rate, bound)


def carriage(draw: Draw) -> Crossing | None:
    """The end of an arm that spins on a carriage that rolls: a plane across its way."""
    duration = log_uniform(draw, 1.0, 1000.0)
    spin = min(log_uniform(draw, 0.3, 20.0), 1000.0 / duration)
    roll, arm = log_uniform(draw, 0.01, 1.0) * 10.0 / duration, log_uniform(draw, 0.1, 2.0)
    angle = draw.uniform(-np.pi, np.pi)
    turn = corner_height(path=np.polynomial.Polynomial([0.0, roll]), spin=spin * UP,
                         arm=arm * (np.cos(angle) * ALONG + np.sin(angle) * SIDE), direction=ALONG)  # fmt: skip
    t, value = largest_of(turn, duration, 20_000)
    level = level_near(draw, turn.value(0.0), (value, turn.bound), max(t, 0.01))
    time = first_of_motion(below(level, turn), duration)
    if level <= turn.value(0.0) or is_slow(time, turn, 0.02):
        return None
    machine = Machine("carriage")
    machine.body("cart", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "velocity": roll})
    hinge = {"kind": "revolute", "axis": [0, 0, 1], "parent": "cart", "position": angle, "velocity": spin}
    machine.body("arm", mass=1.0, inertia=[0.1, 0.1, 0.1], joint=hinge)
    watch_plane(draw, machine, ALONG, level, body="arm", point=[arm, 0.0, 0.0])
    return Crossing(machine, duration, time, {})


def spin_tether(draw: Draw) -> Crossing | None:
    """A cable from a fixed point to the end of an arm that spins at a constant rate."""
    duration = log_uniform(draw, 1.0, 1000.0)
    spin, arm = log_uniform(draw, 2.0 * np.pi / duration, 20.0), log_uniform(draw, 0.1, 2.0)

    def place(t: Any) -> tuple[np.ndarray, np.ndarray]:
        c, s = np.expand_dims(np.cos(spin * t), -1), np.expand_dims(np.sin(spin * t), -1)
        return arm * (c * UP + s * ALONG), arm * spin * (c * ALONG - s * UP)

    machine = Machine("spinning", gravity=[0.0, 0.0, 0.0])
    machine.body("arm", mass=1.0, inertia=[0.1, 0.1, 0.1],
                 joint={"kind": "revolute", "axis": [0, 1, 0], "velocity": spin})  # fmt: skip
    point = np.array([0.3, 0.1, 1.0]) * draw.uniform(0.1, 2.0, 3) * arm
    most = (arm * spin, arm * spin * spin)
    found = watch_cable(draw, distance_square(place, point, most, 5.0 * arm), (duration, 2.0 * np.pi / spin), 0.02)
    if found is None:
        return None
    length, time = found
    machine.cable("cable", kind="spring", axial_stiffness=1e3, body="arm", anchor=[0.0, 0.0, arm],
                  exit=[float(x) for x in point], length=length)  # fmt: skip
    return Crossing(machine, duration, time, {})


def watch_cable(draw: Draw, square: Motion, spans: tuple[float, float], least: float) -> tuple[float, float] | None:
    """Length of a cable, and when it first goes taut; ``spans``: the run and the period; ``least`` speed [m/s]."""
    duration, period = spans
    t, value = largest_of(square, period)
    level = level_near(draw, square.value(0.0), (value, square.bound), max(t, 0.01))
    if not level > 1.05 * square.value(0.0):
        return None
    time = first_of_motion(below(level, square), min(duration, 1.01 * period))
    length = float(np.sqrt(level))
    return None if is_slow(time, square, 2.0 * length * least) else (length, time)


def pendulum(draw: Draw) -> tuple[float, Swing, Machine]:
    """Duration, motion and machine of a random pendulum."""
    swing = Swing(length=log_uniform(draw, 0.2, 5.0), angle=draw.uniform(0.3, 2.8))
    machine = Machine("pendulum")
    machine.body("bob", mass=1.0, com=[0.0, 0.0, -swing.length], inertia=[0.0, 0.0, 0.0],
                 joint={"kind": "revolute", "axis": [0, 1, 0], "position": swing.angle})  # fmt: skip
    return log_uniform(draw, 1.0, 1000.0), swing, machine


def swing_plane(draw: Draw) -> Crossing | None:
    """The bob of a pendulum against a plane of any direction."""
    duration, swing, machine = pendulum(draw)
    phase = draw.uniform(-np.pi, np.pi)
    n = np.array([np.cos(phase), 0.0, np.sin(phase)])
    motion = Motion(lambda t: swing.place(t)[0] @ n, lambda t: swing.place(t)[1] @ n, swing.most[1])
    t, value = largest_of(motion, swing.period)
    level = level_near(draw, motion.value(0.0), (value, motion.bound), max(t, 0.01))
    time = first_of_motion(below(level, motion), min(duration, 1.01 * swing.period))
    if level <= motion.value(0.0) + 1e-6 or is_slow(time, motion, SLOWEST_SWING):
        return None
    watch_plane(draw, machine, n, level, body="bob", point=[0.0, 0.0, -swing.length])
    return Crossing(machine, duration, time, FINE)


def swing_cable(cable: dict[str, Any]) -> Callable[[Draw], Crossing | None]:
    """The bob of a pendulum on a slack cable to a fixed point."""

    def draw_one(draw: Draw) -> Crossing | None:
        duration, swing, machine = pendulum(draw)
        point = swing.place(0.0)[0] + swing.length * draw.uniform(-0.3, 0.3, 3)
        speed, acceleration = swing.most
        square = distance_square(swing.place, point, (speed, acceleration), 3.0 * swing.length)
        found = watch_cable(draw, square, (duration, swing.period), SLOWEST_SWING)
        if found is None:
            return None
        machine.cable("cable", body="bob", anchor=[0.0, 0.0, -swing.length], exit=[float(x) for x in point],
                      length=found[0], **cable)  # fmt: skip
        return Crossing(machine, duration, found[1], FINE)

    return draw_one
