"""Signals as tables: every signal a sum of terms, every term a sinusoid, a run of polynomial pieces or a command."""

from typing import Any

import numpy as np

from taut.model import tables as t
from taut.model.enums import TermKind
from taut.scenario.signals.pieces import CommandTerm, PolynomialPieces, Sinusoid


def signal_tables(signals: list[list[Any]]) -> tuple[Any, Any, Any]:
    """Signal, term and piece tables."""
    terms = [term for signal in signals for term in signal]
    polynomials = [term for term in terms if isinstance(term, PolynomialPieces)]
    signal_table = t.new_table(t.SIGNALS, len(signals))
    term_table = t.new_table(t.TERMS, len(terms))
    piece_table = t.new_table(t.PIECES, sum(len(p.coefficients) for p in polynomials))
    first_term = np.cumsum([0] + [len(signal) for signal in signals])
    for k, signal in enumerate(signals):
        signal_table[k].term, signal_table[k].term_count = first_term[k], len(signal)
    piece = 0
    for row, term in zip(term_table, terms, strict=True):
        if isinstance(term, Sinusoid):
            fill_sinusoid(row, term)
        elif isinstance(term, CommandTerm):
            row.kind, row.piece, row.offset, row.amplitude = TermKind.COMMAND, term.index, term.initial, term.scale
        else:
            row.kind = TermKind.POLYNOMIAL
            row.piece, row.piece_count = piece, len(term.coefficients)
            row.start, row.end = term.breaks[0], term.breaks[-1]
            fill_pieces(piece_table[piece : piece + len(term.coefficients)], term)
            piece += len(term.coefficients)
    return signal_table, term_table, piece_table


def fill_sinusoid(row: Any, term: Sinusoid) -> None:
    """Fill the row of one sinusoid."""
    row.kind = TermKind.SINUSOID
    row.amplitude, row.omega, row.phase, row.offset = term.amplitude, term.omega, term.phase, term.offset
    row.start, row.end = term.start, term.end


def fill_pieces(rows: Any, term: PolynomialPieces) -> None:
    """Fill the rows of one piecewise polynomial's pieces."""
    for i, row in enumerate(rows):
        left, right = term.breaks[i], term.breaks[i + 1]
        row.start, row.mid, row.half = left, 0.5 * (left + right), 0.5 * (right - left)
        row.degree = term.coefficients.shape[1] - 1
        row.coefficient[: row.degree + 1] = term.coefficients[i]
