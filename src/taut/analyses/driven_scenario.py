"""From inverse to forward dynamics: the scenario with the actuator forces of its motion as signals.

The forces are interpolated by polynomials at Chebyshev points, piece by piece between the jumps of the motion.
"""

import numpy as np
from numpy.polynomial import chebyshev, polynomial

from taut.analyses.inverse_motion import ForceHistory, force_history
from taut.analyses.path import prescribed_path
from taut.model import Model
from taut.scenario.scenario import Scenario
from taut.scenario.signals.records import SignalPolynomial

DEGREE = 9
PIECES = 40  # number of polynomial pieces of a run


def driven_scenario(model: Model, *, pieces: int = PIECES) -> Scenario:
    """The scenario whose actuated joints are driven by the forces that its `motion` needs, and by nothing else.

    Raises:
        ScenarioError: no motion, a pose that cannot be reached, or a joint that would leave its range.
    """
    scenario = model.scenario
    breaks = piece_limits(prescribed_path(model).times, scenario.run.duration, pieces)
    u = np.sort(chebyshev.chebpts1(DEGREE + 1))
    nodes = [0.5 * (a + b) + 0.5 * (b - a) * u for a, b in zip(breaks[:-1], breaks[1:], strict=True)]
    history = force_history(model, np.concatenate([[0.0], *nodes]), with_work=False)
    signals = force_signals(history, np.array(breaks), u)
    bodies = {}
    for name, body in scenario.bodies.items():
        if name in signals:
            joint = body.joint.model_copy(update={"spring": None, "force": signals[name]})
            body = body.model_copy(update={"joint": joint})
        bodies[name] = body
    return scenario.model_copy(update={"bodies": bodies, "name": f"{scenario.name}, driven"})


def piece_limits(jumps: tuple[float, ...], duration: float, pieces: int) -> list[float]:
    """Limits of pieces of about equal length that end at every jump."""
    marks = [0.0, *jumps, duration]
    limits = [0.0]
    for a, b in zip(marks[:-1], marks[1:], strict=True):
        count = max(1, int(np.ceil((b - a) / duration * pieces)))
        limits += list(np.linspace(a, b, count + 1)[1:])
    return [float(t) for t in limits]


def force_signals(history: ForceHistory, breaks: np.ndarray, u: np.ndarray) -> dict[str, SignalPolynomial]:
    """One piecewise polynomial per actuator, through the forces at the Chebyshev points u of every piece."""
    forces = history.forces()[1:].reshape(len(breaks) - 1, len(u), -1)
    fitted = {}
    for k, name in enumerate(history.actuators):
        rows = []
        for i, width in enumerate(np.diff(breaks)):
            in_u = chebyshev.cheb2poly(chebyshev.chebfit(u, forces[i, :, k], DEGREE))
            # polynomials are in u = 2 (t - start)
            # width - 1, which runs from -1 to 1
            row = np.zeros(1)
            for c in in_u[::-1]:
                row = polynomial.polyadd(polynomial.polymul(row, [-1.0, 2.0 / width]), [c])
            rows.append(tuple(float(c) for c in row[: DEGREE + 1]))
        fitted[name] = SignalPolynomial(breaks=tuple(float(t) for t in breaks), coefficients=tuple(rows))
    return fitted
