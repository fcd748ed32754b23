"""Position and attitude of a quadcopter: thrusts of its four rotors.

The acceleration wanted is  a = w^2 (r - x) + 2 w (r' - v) + r'';  thrust and tilt follow from  m (a + g),
    F = m (a_z + g),   tilt = (-a_y, a_x, 0) / g,                                                          (1)
the moments from the attitude,  N = I (W^2 (tilt - angles) - 2 W spin),  and the rotors' thrusts from
    F = sum T_i,   N_x = sum y_i T_i,   N_y = -sum x_i T_i,   N_z = c sum s_i T_i.                             (2)
Angles are twice the vector part of the quaternion: for tilts well below a radian.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.control.reference import Reference
from taut.model import Model


class QuadcopterHold:
    """Eqs. (1), (2) at every sample."""

    def __init__(self, model: Model, name: str, spec: Any) -> None:
        """Read the quadcopter's data and the gains."""
        self.spec, rotors = spec, model.plan.equipment[name]
        self.mass = rotors.mass + spec.carries
        self.gravity = float(np.linalg.norm(model.tables.settings[0].gravity))
        self.inertia = rotors.inertia
        self.setpoint = [Reference(model.plan.curve(signal), spec) for signal in spec.setpoint]
        x, y, _ = rotors.points.T
        spins = np.array([1.0, -1.0, 1.0, -1.0]) * max(rotors.moment_ratio, 1e-12)
        # Eq. (2) solved for the thrusts
        self.mixing = np.linalg.pinv(np.array([np.ones(4), y, -x, spins]))

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The thrusts at a sample [N]."""
        spec = self.spec
        wanted = np.array([reference(time) for reference in self.setpoint])
        w, W = spec.bandwidth, spec.attitude_bandwidth
        a = w**2 * (wanted[:, 0] - measured[spec.position]) + 2 * w * (wanted[:, 1] - measured[spec.velocity])
        a = a + wanted[:, 2]
        lean = spec.most_tilt * self.gravity
        across = a[:2] * min(1.0, lean / max(float(np.linalg.norm(a[:2])), 1e-12))
        tilt = np.array([-across[1], across[0], 0.0]) / self.gravity
        turn = np.asarray(measured[spec.orientation])
        angles = 2.0 * turn[1:] * (1.0 if turn[0] >= 0.0 else -1.0)
        moment = self.inertia * (W**2 * (tilt - angles) - 2 * W * np.asarray(measured[spec.spin]))
        thrusts = self.mixing @ np.array([self.mass * (a[2] + self.gravity), *moment])
        return dict(zip(spec.commands, thrusts.tolist(), strict=True))
