"""Inverse, then forward dynamics: every shipped manipulator, driven by the forces found, makes the motion it should.

The forces are signals of an ordinary scenario, and the run is an ordinary run: nothing corrects it on the way.
"""

from collections.abc import Iterator

import numpy as np

from taut import library
from taut.analyses.driven_scenario import driven_scenario
from taut.analyses.path import prescribed_path
from taut.build import build
from taut.integrate.simulate import simulate
from taut.verify.quantity import Quantity, at_most

MANIPULATORS = ("stewart-actuated", "six-rss-heave", "planar-3rrr", "planar-4rrr", "delta", "hexapod")


def quantities() -> Iterator[Quantity]:
    """Drive each one open loop and compare with its motion."""
    for name in MANIPULATORS:
        yield at_most(f"{name}: way and turn", returned(name), 1e-8, "inverse then forward dynamics", "m or 1")


def returned(name: str) -> float:
    """Largest difference of the coordinates of the platform."""
    model = build(library.load(name))
    path = prescribed_path(model)
    result = simulate(build(driven_scenario(model)), tolerance=1e-12)
    k = int(path.node.coordinate)
    wanted = np.array([path.at(float(t))[0] for t in result.time])
    found = result["joint_position"].values[:, k : k + wanted.shape[1]]
    if wanted.shape[1] == 7:  # a quaternion and its negative are the same rotation: compare with the nearer one
        sign = np.sign(np.sum(wanted[:, 3:] * found[:, 3:], axis=1, keepdims=True))
        wanted[:, 3:] *= sign
    return float(np.abs(found - wanted).max())
