"""What `tolerance` promises: the error of any point of any body, against the size of the machine.

Each machine runs at tolerances from 1e-4 to 1e-8, and at a hundredth of each. Points are the origins of all bodies, six
points of each at the distance of its farthest corner along its axes, and all nodes of the cables, at all samples.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.simulate import simulate
from taut.integrate.start.start_state import start_state
from taut.integrate.step.scales import machine_size, solid_radii
from taut.model import Model
from taut.results.result import Result
from taut.verify.quantity import Quantity, at_most

MACHINES = (
    "mamidi-pick-and-place",
    "mamidi-8-8-sine",
    "tempel-planar",
    "stewart-actuated",
    "six-rss-heave",
    "crane-3d",
    "cogiro",
)
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
CLOSER = 100.0  # tolerance of a run divided by that of its reference run
LIMIT = 5.0  # allowed error, in units of tolerance times machine size
SOURCE = "run at a hundredth of the tolerance"


def quantities() -> Iterator[Quantity]:
    """The error of every machine at every tolerance, in tolerances times its size."""
    for name in MACHINES:
        for tolerance in TOLERANCES:
            yield at_most(f"{name} at {tolerance:.0e}", share(name, tolerance), LIMIT, SOURCE)
        points.cache_clear()


def share(name: str, tolerance: float) -> float:
    """Largest error of any point against tolerance times size."""
    model = machine(name)
    error = np.linalg.norm(points(name, tolerance) - points(name, tolerance / CLOSER), axis=2)
    return float(np.max(error) / (tolerance * machine_size(model, start_state(model).data)))


@cache
def machine(name: str) -> Model:
    """A machine of the library."""
    return build(library.load(name))


@cache
def points(name: str, tolerance: float) -> np.ndarray:
    """Points of bodies and cables at all samples [m], shape [T, n, 3]."""
    model = machine(name)
    return points_of(model, simulate(model, tolerance=tolerance, integrator="radau"))


def points_of(model: Model, result: Result) -> np.ndarray:
    """Points of bodies and cables of a result [m], shape [T, n, 3]."""
    data = result.dataset
    found = []
    radii = solid_radii(model)[list(model.names.bodies.values())]
    for k, radius in enumerate(radii):
        origin, turn = data["body_position"].values[:, k, None], turns(data["body_quaternion"].values[:, k])
        found += [origin, origin + radius * turn, origin - radius * turn]
    if "cable_nodes" in data:
        nodes = data["cable_nodes"].values
        nodes = nodes.reshape(len(nodes), -1, 3)
        # leave out the padding of shorter cables, which is NaN at all times
        found.append(nodes[:, ~np.all(np.isnan(nodes), axis=(0, 2))])
    return np.concatenate(found, axis=1)


def turns(quaternions: np.ndarray) -> np.ndarray:
    """World directions of a body's axes [T, axis, 3]."""
    from scipy.spatial.transform import Rotation

    return np.swapaxes(Rotation.from_quat(quaternions[:, [1, 2, 3, 0]]).as_matrix(), 1, 2)
