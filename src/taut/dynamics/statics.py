"""The equations of motion at rest, for equilibria and their linearisation; called from Python.

At rest R(q, 0, 0, lam) = 0 and g(q) = 0. The Newton matrix of ``dynamics.newton`` with c_D = 0 and c_K = h^2 gives
    (M + h^2 K) x - J^T mu = -h^2 R,    J x = -g,    lam <- lam + mu / h^2                                (1)
one step of implicit Euler from rest; Newton's method as h grows.
"""

from taut.dynamics.residual import factor_dragged, factor_newton, residual, solve_dragged, solve_newton
from taut.kernels.arrays import fill
from taut.kernels.jit import entry


@entry
def motion_residual(model, data, acceleration, lam, result):
    """Residual R of ``dynamics.residual`` at the state of ``data``; fills the closures' rows."""
    residual(model, data, acceleration, lam, result)


@entry
def factor_motion(model, data, factor, c_D, c_K):
    """Factor M + c_D D + c_K K at the state of the last residual, with data.lam; returns the closures' rank."""
    return factor_newton(model, data, factor, c_D, c_K)


@entry
def solve_motion(model, data, factor, b, g, x, mu):
    """Solve S x - J^T mu = b, J x = g with the factored S."""
    solve_newton(model, data, factor, b, g, x, mu)


@entry
def rest_step(model, data, factor, square, push, result, x, mu):
    """Eq. (1) with h^2 = ``square`` at data.q, data.lam; the residual goes to ``result``. Returns the rank.

    With accelerations ``push`` = -(last step) / h^2 the step keeps the momentum of the last one.
    """
    fill(data.v, 0.0)
    residual(model, data, push, data.lam, result)
    rank = factor_dragged(model, data, factor, 0.0, square)
    for c in range(len(result)):
        data.acceleration[c] = -square * result[c]
    for j in range(len(mu)):
        factor.rhs[j] = -data.rows[j].value
    solve_dragged(model, data, factor, data.acceleration, factor.rhs, x, mu)
    return rank
