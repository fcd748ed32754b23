"""Signals at the moments of an audit, from the scenario's own curves where possible.

The run reads piecewise polynomials that were fitted to the curves; here the curves themselves are evaluated, so that a
fit that is wrong or late is found. Commands of controllers follow their courses (``model.commands``).
"""

from typing import Any

import numpy as np

from taut.audit.rows import rows_of
from taut.audit.twin.points import Points
from taut.model import Model
from taut.model.commands import DECAY, HALF, INVERSE_LAG, RATE, SINCE, VALUE
from taut.model.enums import TermKind


def evaluate(model: Model, points: Points) -> np.ndarray:
    """Value and two derivatives of every signal [point, signal, 3]."""
    tables = model.tables
    found = np.zeros((len(points), len(tables.signals), 3))
    seen = np.clip(points.time, points.low, points.high)
    for k, signal in enumerate(rows_of(tables.signals)):
        terms = tables.terms[signal.term : signal.term + signal.term_count]
        curve = model.curves[k] if k < len(model.curves) else None
        if curve is not None and not np.any(terms["kind"] == TermKind.COMMAND):
            found[:, k] = np.stack([np.broadcast_to(part, seen.shape) for part in curve.evaluate(seen)[:3]], axis=1)
        else:
            found[:, k] = sum(term_values(tables, term, seen, points.commands) for term in rows_of(terms))
    return found


def term_values(tables: Any, term: Any, time: np.ndarray, commands: np.ndarray) -> np.ndarray:
    """Value and two derivatives of one term of a signal [point, 3]."""
    if term.kind == TermKind.COMMAND:
        return term.amplitude * command_values(commands[:, term.piece], time)
    inside = np.clip(time, term.start, term.end)
    if term.kind == TermKind.SINUSOID:
        angle = term.omega * inside + term.phase
        rates = term.amplitude * np.stack([np.sin(angle), term.omega * np.cos(angle), -(term.omega**2) * np.sin(angle)])
        rates[0] += term.offset
    else:
        rates = piece_values(tables.pieces[term.piece : term.piece + term.piece_count], inside, time)
    rates[1:] *= (time >= term.start) & (time <= term.end)
    return rates.T


def term_sizes(tables: Any, term: Any) -> tuple[float, float]:
    """Bounds of a term's value and of its second derivative, over all times; a command has none."""
    if term.kind == TermKind.COMMAND:
        return 0.0, 0.0
    if term.kind == TermKind.SINUSOID:
        return abs(term.amplitude) + abs(term.offset), abs(term.amplitude) * term.omega**2
    pieces = np.asarray(tables.pieces[term.piece : term.piece + term.piece_count])
    sizes, power = np.abs(pieces["coefficient"]), np.arange(pieces["coefficient"].shape[1])
    second = sizes @ (power * (power - 1)) / pieces["half"] ** 2
    return float(sizes.sum(axis=1).max(initial=0.0)), float(second.max(initial=0.0))


def command_values(course: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Value and two derivatives of the course of a command [point, 3]."""
    s, half = time - course[:, SINCE], course[:, HALF]
    fading = course[:, DECAY] * np.exp(-s * course[:, INVERSE_LAG])
    inverse = course[:, INVERSE_LAG]
    value = course[:, VALUE] + s * course[:, RATE] + s * s * half + fading
    return np.stack([value, course[:, RATE] + 2.0 * s * half - inverse * fading, 2.0 * half + inverse**2 * fading], 1)


def piece_values(pieces: Any, inside: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Value and two derivatives of a piecewise polynomial [3, point]."""
    which = np.clip(np.searchsorted(pieces["start"], time, side="right") - 1, 0, len(pieces) - 1)
    chosen = np.asarray(pieces)[which]
    half, coefficients = chosen["half"], chosen["coefficient"]
    u = np.clip((inside - chosen["mid"]) / half, -1.0, 1.0)
    value = rate = second = np.zeros(len(time))
    for k in range(int(chosen["degree"].max(initial=0)), -1, -1):
        second, rate, value = second * u + 2.0 * rate, rate * u + value, value * u + coefficients[:, k]
    return np.stack([value, rate / half, second / half**2])
