"""Position and attitude of a quadcopter: thrusts of its four rotors.

The acceleration wanted is  a = w^2 (r - x) + 2 w (r' - v) + r'';  thrust and tilt follow from  m (a + g),
    F = m (a_z + g),   tilt = (-a_y, a_x, 0) / g,                                                          (1)
the moments from the attitude,  N = I (W^2 (tilt - angles) - 2 W spin),  and the rotors' thrusts from
    F = sum T_i,   N_x = sum y_i T_i,   N_y = -sum x_i T_i,   N_z = c sum s_i T_i.                             (2)
Angles are twice the vector part of the quaternion: for tilts well below a radian.
"""

from typing import Any

import numpy as np

from taut.control.law import DONE, Law
from taut.kernels.jit import entry
from taut.model import Model

W, W_TURN, MASS, GRAVITY, LEAN, INERTIA, MIXING = 0, 1, 2, 3, 4, 5, 14
X, V, TURN, SPIN = 0, 3, 6, 10  # places of the measurements


@entry
def quadcopter_answer(law):
    """The thrusts at a sample, Eqs. (1), (2) [N]."""
    n, told, wanted = law.numbers, law.told, law.wanted[law.slot[0]]
    w, g = n[W], n[GRAVITY]
    a_x = w * w * (wanted[0, 0] - told[X]) + 2 * w * (wanted[0, 1] - told[V]) + wanted[0, 2]
    a_y = w * w * (wanted[1, 0] - told[X + 1]) + 2 * w * (wanted[1, 1] - told[V + 1]) + wanted[1, 2]
    a_z = w * w * (wanted[2, 0] - told[X + 2]) + 2 * w * (wanted[2, 1] - told[V + 2]) + wanted[2, 2]
    # the tilt asked for is limited, in its own direction
    share = min(1.0, n[LEAN] / max(np.sqrt(a_x * a_x + a_y * a_y), 1e-12))
    side = 2.0 if told[TURN] >= 0.0 else -2.0
    f = n[W_TURN] * n[W_TURN]
    e_x = f * (-share * a_y / g - side * told[TURN + 1]) - 2 * n[W_TURN] * told[SPIN]
    e_y = f * (share * a_x / g - side * told[TURN + 2]) - 2 * n[W_TURN] * told[SPIN + 1]
    e_z = f * (0.0 - side * told[TURN + 3]) - 2 * n[W_TURN] * told[SPIN + 2]
    thrust = n[MASS] * (a_z + g)
    for k in range(4):
        row = MIXING + 4 * k
        found = n[row] * thrust
        for j in range(3):
            i = INERTIA + 3 * j
            found += n[row + 1 + j] * (n[i] * e_x + n[i + 1] * e_y + n[i + 2] * e_z)
        law.out[k] = found
    return DONE


class QuadcopterHold(Law):
    """The quadcopter's data and the gains of ``quadcopter_answer``."""

    entry = quadcopter_answer

    def __init__(self, model: Model, name: str, spec: Any) -> None:
        """Read the quadcopter's data and the gains."""
        rotors = model.plan.equipment[name]
        gravity = float(np.linalg.norm(model.tables.settings[0].gravity))
        x, y, _ = rotors.points.T
        spins = np.array([1.0, -1.0, 1.0, -1.0]) * max(rotors.moment_ratio, 1e-12)
        # Eq. (2) solved for the thrusts
        mixing = np.linalg.pinv(np.array([np.ones(4), y, -x, spins]))
        inertia = np.diag(rotors.inertia) if np.ndim(rotors.inertia) == 1 else rotors.inertia
        numbers = [spec.bandwidth, spec.attitude_bandwidth, rotors.mass + spec.carries, gravity,
                   spec.most_tilt * gravity, *np.ravel(inertia), *np.ravel(mixing)]  # fmt: skip
        inputs = [(spec.position, 3), (spec.velocity, 3), (spec.orientation, 4), (spec.spin, 3)]
        super().__init__(spec, inputs, [(model.plan.curve(signal), 0.0) for signal in spec.setpoint], numbers=numbers)
