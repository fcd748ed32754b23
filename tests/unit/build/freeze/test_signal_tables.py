import numpy as np
import pytest

from taut.build.freeze.signal_tables import signal_tables
from taut.model.enums import TermKind
from taut.scenario.signals.pieces import PolynomialPieces, Sinusoid

pytestmark = pytest.mark.nojit

PIECES = PolynomialPieces(np.array([0.0, 1.0, 3.0]), np.array([[1.0, 2.0], [3.0, 4.0]]))


def test_terms_and_pieces_are_numbered():
    signals, terms, pieces = signal_tables([[PIECES], [], [Sinusoid(1.0, 2.0, 3.0, 4.0), PIECES]])
    assert signals.term.tolist() == [0, 1, 1]
    assert signals.term_count.tolist() == [1, 0, 2]
    assert terms.kind.tolist() == [TermKind.POLYNOMIAL, TermKind.SINUSOID, TermKind.POLYNOMIAL]
    assert terms.piece[[0, 2]].tolist() == [0, 2]
    assert pieces.start.tolist() == [0.0, 1.0, 0.0, 1.0]


def test_pieces_keep_their_polynomials():
    _, _, pieces = signal_tables([[PIECES]])
    assert pieces.mid.tolist() == [0.5, 2.0]
    assert pieces.half.tolist() == [0.5, 1.0]
    assert pieces.degree.tolist() == [1, 1]
    assert pieces.coefficient[:, :2].tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_sinusoids_keep_their_span():
    _, terms, _ = signal_tables([[Sinusoid(1.0, 2.0, 3.0, 4.0, start=-1.0, end=5.0)]])
    term = terms[0]
    assert (term.amplitude, term.omega, term.phase, term.offset, term.start, term.end) == (1, 2, 3, 4, -1, 5)
