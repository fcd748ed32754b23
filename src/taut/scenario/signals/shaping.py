"""Input shaping: a signal as a sum of delayed shares of itself, which together leave a swing at rest.

For a swing of frequency w and damping ratio z, with w_d = w sqrt(1 - z^2) and K = exp(-z pi / sqrt(1 - z^2)),
    zv:  shares (1, K) / (1 + K)               at 0, pi/w_d                                    (1)
    zvd: shares (1, 2 K, K^2) / (1 + K)^2      at 0, pi/w_d, 2 pi/w_d                          (2)
[Singer1990]. Several swings: the impulses of each one convolved.
"""

import math
from typing import Any

import numpy as np

from .expression import SignalError
from .pieces import CommandTerm, PolynomialPieces, Sinusoid, Term


def impulses(shaper: str, omega: tuple[float, ...], damping: float) -> list[tuple[float, float]]:
    """Delay [s] and share of every impulse, Eqs. (1), (2)."""
    found = [(0.0, 1.0)]
    root = math.sqrt(1.0 - damping**2)
    K = math.exp(-damping * math.pi / root)
    shares = (1.0, K) if shaper == "zv" else (1.0, 2.0 * K, K**2)
    for w in omega:
        half = math.pi / (w * root)
        found = [(t + k * half, a * share / sum(shares)) for t, a in found for k, share in enumerate(shares)]
    return found


def shaped_terms(curve: Any, train: list[tuple[float, float]]) -> list[Term]:
    """Every term of a curve, delayed and scaled by every impulse."""
    terms = plain_terms(curve)
    return [delayed(term, delay, share) for delay, share in train for term in terms]


def plain_terms(curve: Any) -> list[Term]:
    """The terms of a signal that is a sum of terms from the start."""
    parts = getattr(curve, "parts", None)
    if parts is None:
        raise SignalError("an expression cannot be shaped", "use waypoints, polynomial, sine, table or sum")
    found: list[Term] = []
    for part in parts:
        found += [part] if isinstance(part, Term) else plain_terms(part)
    if any(isinstance(term, CommandTerm) for term in found):
        raise SignalError("a command cannot be shaped: it is known in the run only")
    return found


def delayed(term: Any, delay: float, share: float) -> Term:
    """share * term(t - delay)."""
    if isinstance(term, PolynomialPieces):
        return PolynomialPieces(term.breaks + delay, share * term.coefficients)
    phase = term.phase - (term.omega * delay if np.isfinite(delay) else 0.0)
    return Sinusoid(
        share * term.amplitude, term.omega, phase, share * term.offset, term.start + delay, term.end + delay
    )
