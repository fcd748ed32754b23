"""Warnings about the path of a `robot`: where and how it begins, where it leads, and turns in degrees."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scenario.start_pose import start_poses

BESIDE = 1e-3  # a path that begins farther than this from the body is reported [m]
ASKEW = 1e-3  # a turn that begins with more than this is reported [rad]
MOVING = 1e-3  # a path that begins faster than this is reported [m/s]
TURNING = 1e-3  # a turn that begins faster than this is reported [rad/s]
TURNED = 3 * np.pi  # turns beyond this are probably degrees [rad]
INSTANTS = 101  # number of times in a run at which the path is looked at
OUTSIDE = 0.05  # places farther outside the frame than this are reported, relative to the frame's size
FAR = 50.0  # an exit farther from the middle of all than this many times their median distance is reported


def find_leading(scenario: Any) -> list[str]:
    """Return one sentence for everything that looks odd in the record `robot`."""
    robot = scenario.robot
    if robot is None:
        return []
    finders = (_far_exits, _drum, _start, _turn, _way)
    return [text for finder in finders for text in finder(scenario, robot)]


def _far_exits(_: Any, robot: Any) -> Iterator[str]:
    exits = np.array(robot.exits)
    away = np.linalg.norm(exits - np.median(exits, axis=0), axis=1)
    for k in np.flatnonzero(away > FAR * np.median(away)) if np.median(away) > 0.0 else ():
        yield (f"robot: exits[{k}] = {list(map(float, exits[k]))} lies {away[k]:.4g} m from the middle of all, half of "
               f"them no more than {np.median(away):.3g} m: lengths are in metres")  # fmt: skip


def _drum(_: Any, robot: Any) -> Iterator[str]:
    size = float(np.ptp(np.array(robot.exits), axis=0).max())
    if robot.drum is not None and size > 0.0 and 2.0 * robot.drum.radius > size:
        yield (f"robot: a drum with the radius {robot.drum.radius:g} m is larger than the frame of the exits, "
               f"{size:.3g} m: lengths are in metres")  # fmt: skip


def _at(scenario: Any, three: Any, times: Any) -> tuple[np.ndarray, np.ndarray]:
    """Values and rates of three signals, each of shape [time, 3]."""
    found = [scenario.signal(spec).evaluate(np.atleast_1d(np.asarray(times, float))) for spec in three]
    values, rates = (np.array([np.broadcast_to(one[order], np.shape(times)) for one in found]).T for order in (0, 1))
    return values, rates


def _start(scenario: Any, robot: Any) -> Iterator[str]:
    """The winches pay out changes of length from t = 0: a path that begins elsewhere pulls the body nowhere near it."""
    body = scenario.all_bodies().get(robot.body)
    if robot.path is None or body is None:
        return
    (_, stands), (begins, rates) = start_poses(scenario)[robot.body], _at(scenario, robot.path, [0.0])
    off = begins[0] - np.array(stands)
    if np.linalg.norm(off) > BESIDE:
        k = int(np.argmax(np.abs(off)))
        yield (f"robot: the path begins at {'xyz'[k]} {begins[0, k]:g}, {robot.body} stands at {'xyz'[k]} {stands[k]:g}"
               f": {np.linalg.norm(off):.3g} m apart; it is followed only if it begins where the body is")  # fmt: skip
    speed, own = float(np.linalg.norm(rates[0])), np.array(body.velocity or (0.0, 0.0, 0.0))
    if np.linalg.norm(rates[0] - own) > MOVING:
        yield (f"robot: the path begins with {speed:.3g} m/s, {robot.body} "
               f"{'at rest' if not own.any() else f'with {np.linalg.norm(own):.3g} m/s'}: a blow at t = 0")  # fmt: skip


def _turn(scenario: Any, robot: Any) -> Iterator[str]:
    if robot.turn is None:
        return
    values, rates = _at(scenario, robot.turn, np.linspace(0.0, scenario.run.duration, INSTANTS))
    largest = float(np.linalg.norm(values, axis=1).max())
    if largest > TURNED:
        yield (f"robot: turn reaches {largest:.4g} rad, that is {np.degrees(largest):.0f} degrees: angles are in "
               "radians; was it meant so?")  # fmt: skip
    elif np.linalg.norm(values[0]) > ASKEW:
        yield (f"robot: turn begins with {np.linalg.norm(values[0]):.3g} rad: it counts from how {robot.body} stands, "
               "and is followed only if it begins with zero")  # fmt: skip
    body = scenario.all_bodies().get(robot.body)
    if np.linalg.norm(rates[0]) > TURNING and body is not None and not np.any(body.angular_velocity or 0.0):
        yield f"robot: turn begins with {np.linalg.norm(rates[0]):.3g} rad/s, {robot.body} at rest: a blow at t = 0"


def _way(scenario: Any, robot: Any) -> Iterator[str]:
    """A path inside the box of the exits; it may go down if all exits are above the body."""
    body = scenario.all_bodies().get(robot.body)
    if robot.path is None or body is None:
        return
    exits, (_, stands) = np.array(robot.exits), start_poses(scenario)[robot.body]
    low, high = exits.min(axis=0), exits.max(axis=0)
    room = OUTSIDE * float(np.max(high - low))
    if low[2] > stands[2]:
        low[2] = -np.inf
    times = np.linspace(0.0, scenario.run.duration, INSTANTS)
    places, _ = _at(scenario, robot.path, times)
    beyond = np.maximum(low - places, places - high)
    # a body that stands outside is not led out of the box
    beyond[:, np.maximum(low - stands, stands - high) > room] = 0.0
    out = np.flatnonzero(beyond.max(axis=1) > room)
    if len(out):
        k = int(out[0])
        shown = ", ".join(f"{x:g}" for x in places[k].round(4))
        yield (f"robot: the path leaves the frame of the exits: ({shown}) m at t = {times[k]:g} s lies "
               f"{beyond[k].max():.3g} m outside; nothing but cables stops the body")  # fmt: skip
