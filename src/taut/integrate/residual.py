from taut.dynamics.residual import factor_newton, residual, solve_newton  # noqa: F401
