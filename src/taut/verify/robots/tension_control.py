"""A robot that is led by the tensions of its drums: errors die out as asked, limits are kept, the path is followed.

Ropes that do not stretch, over points: an error e of place at the start dies out as e (1 + w t) exp(-w t), an error of
orientation likewise, but for the time between samples, whose effect must halve with it.
"""

from collections.abc import Iterator

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.library import load
from taut.scenario.builder import Machine
from taut.verify.cables.route_parts import judged
from taut.verify.quantity import Quantity, at_most

EXITS = [[x, y, z] for z in (2.5, 0.0) for x, y in ((-1.5, -1.5), (1.5, -1.5), (1.5, 1.5), (-1.5, 1.5))]
ANCHORS = [[-0.25, -0.1, -0.15], [0.25, -0.1, -0.15], [0.25, 0.1, -0.15], [-0.25, 0.1, -0.15],
           [-0.1, -0.25, 0.15], [0.1, -0.25, 0.15], [0.1, 0.25, 0.15], [-0.1, 0.25, 0.15]]  # fmt: skip
ERROR = np.array([0.02, -0.01, 0.015])  # position error at the start [m]
PACE, TURN_PACE, DURATION = 8.0, 12.0, 0.5
CLOSED = "closed form of the controlled error"
LEAST, MOST = 50.0, 2000.0
DRUM = {"radius": 0.05, "inertia": 4e-3}


def quantities() -> Iterator[Quantity]:
    """The decay of errors, and the library's robot."""
    yield from decay()
    yield from library_robot()


def robot(period: float, drum: dict[str, float] | None = DRUM, **changes: float) -> Machine:
    """Eight ropes that do not stretch; the body stands beside its wanted place, which does not move."""
    tensions = {"least": LEAST, "most": MOST, "goal": 500.0, "bandwidth": PACE, "turn_bandwidth": TURN_PACE,
                "period": period, **changes}  # fmt: skip
    made = Machine("tensions", robot={
        "exits": EXITS, "anchors": ANCHORS, "cable": {"kind": "ideal"}, "tensions": tensions,
        "path": [*map(float, ERROR[:2]), 1.2 + float(ERROR[2])], **({"drum": drum} if drum else {})})  # fmt: skip
    made.platform(mass=12.0, box=[0.4, 0.4, 0.3], position=[0, 0, 1.2])
    return made.run(duration=DURATION, save_every=0.01, tolerance=1e-8)


def decay() -> Iterator[Quantity]:
    """Distance from the closed form at two periods: of first order in the period."""
    found = {}
    for period in (2e-3, 1e-3):
        result = simulate(build(robot(period).scenario()))
        t = result["time"].values
        expected = np.outer((1.0 + PACE * t) * np.exp(-PACE * t), -ERROR) + ERROR + [0.0, 0.0, 1.2]
        found[period] = float(np.abs(result["body_position"].values[:, 0] - expected).max())
        yield judged(f"errors die out, sampled every {1e3 * period:g} ms", result)
    share = found[1e-3] / float(np.linalg.norm(ERROR))
    yield at_most("errors die out: distance from the closed form, of the error", share, 1e-2, CLOSED)
    ratio = found[2e-3] / found[1e-3]
    yield Quantity("errors die out: half the period, of the distance", ratio, 2.0, 0.2, CLOSED)


def library_robot() -> Iterator[Quantity]:
    """Path, turn and limits of the library's robot."""
    scenario = load("tension-controlled-robot")
    assert scenario.robot is not None
    result = simulate(build(scenario))
    t = result["time"].values
    path = [scenario.signal(signal).evaluate(t)[0] * np.ones_like(t) for signal in scenario.robot.path or ()]
    away = np.linalg.norm(result["body_position"].values[:, 0] - np.stack(path, axis=1), axis=1)
    source = "path, and limits of the scenario"
    yield at_most("robot led by tensions, from its path", float(away.max()), 2e-3, source, "m")
    turn = 2.0 * float(np.arcsin(np.linalg.norm(result["body_quaternion"].values[-1, 0, 1:])))
    yield Quantity("robot led by tensions, turned at the end", turn, 0.2, 2e-3, source, "rad")
    tension = result["cable_tension_exit"].values
    beyond = max(LEAST - float(tension.min()), float(tension.max()) - MOST, 0.0)
    yield at_most("robot led by tensions, beyond its limits", beyond, 0.1 * LEAST, source, "N")
    yield judged("robot led by tensions", result)
