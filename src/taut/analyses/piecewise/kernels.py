"""Accelerations of a machine whose loops are held by feedback, with exact or piecewise linear forces.

    M(q) a = f(q, v) + B F(t) + J^T lam,     J a + bias + 2 alpha rate + beta^2 value = 0         [Tempel2018, Eq. 7]
The forces f are the model's: exact ones, or those of Eq. (9) in ``dynamics/modal/piecewise.py``.
"""

from taut.dynamics.residual import stabilised_accelerations
from taut.kernels.jit import entry


@entry
def loop_accelerations(model, data, factor, alpha, beta):
    """Accelerations by Eq. (7) at data.time, q, v."""
    stabilised_accelerations(model, data, factor, alpha, beta)
