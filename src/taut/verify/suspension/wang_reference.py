"""The published suspension in the engine's coordinates: reference data, and the way from one to the other.

The reference has y down and, per cable, q (longitudinal), px, pz (lateral), phi (torsion); then the platform's wx, u,
wz, thx, thy, thz. Here x, y, z are its x, z, -y, and the platform's height is -(l + c + u).
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from taut.model import Model
from taut.results.result import Result

HEIGHT = 2.74  # height of the attachment points above the platform's centre of mass [m]
LENGTH = 100.0  # length of the ropes at the start [m]


def reference() -> dict[str, np.ndarray]:
    """Arrays of the reference file."""
    with np.load(Path(__file__).with_name("suspension.npz")) as file:
        return dict(file)


def engine_order(n: int) -> tuple[np.ndarray, np.ndarray]:
    """For every coordinate of the engine its entry in the reference, and the sign with which it counts."""
    order, signs = [16 * n, 16 * n + 2, 16 * n + 1, 16 * n + 3, 16 * n + 5, 16 * n + 4], [1, 1, -1, 1, 1, -1]
    for cable in range(4):
        q, px, pz, phi = (np.arange(n) + (4 * cable + field) * n for field in range(4))
        order += [*np.column_stack([q, phi]).ravel(), *px, *pz]
    return np.array(order), np.array(signs + [1] * (16 * n), float)


def with_start(model: Model, state: np.ndarray) -> Model:
    """The published suspension, started at a state of the reference."""
    order, signs = engine_order((len(state) - 6) // 16)
    q = signs * state[order]
    q[2] -= LENGTH + HEIGHT
    return replace(model, start_coordinates=q)


def platform_of(result: Result) -> np.ndarray:
    """The reference's platform coordinates wx, u, wz, thx, thy, thz at every sample [time, 6]."""
    q = result["joint_position"].values[:, :6]
    length = result["cable_length"].values[:, 0]
    return np.column_stack([q[:, 0], -q[:, 2] - HEIGHT - length, q[:, 1], q[:, 3], -q[:, 5], q[:, 4]])
