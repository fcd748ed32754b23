"""Piecewise polynomials and sinusoids: values, derivatives, held ends, jumps."""

import numpy as np
import pytest

from taut.scenario.signals.pieces import (
    PolynomialPieces,
    Sinusoid,
    constant_pieces,
    evaluate_terms,
    jumps_of,
    local_pieces,
)

BREAKS = np.array([1.0, 2.0, 5.0])
COEFFICIENTS = np.array([[1.0, -2.0, 0.5, 3.0], [0.25, 1.0, 0.0, -2.0]])


def test_local_powers_are_shifted_exactly():
    pieces = local_pieces(BREAKS, COEFFICIENTS)
    for i, (left, right) in enumerate(zip(BREAKS, BREAKS[1:], strict=False)):
        t = np.linspace(left, right, 20)[:-1]
        polynomial = np.polynomial.Polynomial(COEFFICIENTS[i])
        for order, value in enumerate(pieces.evaluate(t)):
            assert value == pytest.approx(
                polynomial.deriv(order)(t - left) if order else polynomial(t - left), abs=1e-13
            )


def test_ends_are_held():
    pieces = local_pieces(BREAKS, COEFFICIENTS)
    before, after = pieces.evaluate(np.array([-3.0, 9.0]))[0]
    assert before == pytest.approx(1.0)
    assert after == pytest.approx(np.polynomial.Polynomial(COEFFICIENTS[1])(3.0))
    assert not np.any(pieces.evaluate(np.array([-3.0, 9.0]))[1:])


def test_inner_break_belongs_to_the_right_piece():
    assert local_pieces(BREAKS, COEFFICIENTS).evaluate(np.array([2.0]))[0] == pytest.approx(0.25)


def test_frozen_rows_stay_in_one_piece():
    pieces = local_pieces(BREAKS, COEFFICIENTS)
    left_of_the_break = pieces.evaluate(np.array([[2.0, 1.5]]), frozen=True)[0][0, 0]
    assert left_of_the_break == pytest.approx(COEFFICIENTS[0].sum())


def test_jumps_of_each_order():
    # value at 1, slope at 2, curvature at 3, nothing at 4, slope against the held end at 5
    rows = [[1, 0, 0], [2, 0, 0], [2, 1, 0], [3, 1, 1], [5, 3, 1]]
    pieces = local_pieces(np.arange(6.0), np.array(rows, float))
    assert pieces.jumps() == [1.0, 2.0, 3.0, 5.0]


def test_sinusoid_holds_its_ends():
    wave = Sinusoid(2.5, np.pi, end=0.5)
    value, slope, curvature = wave.evaluate(np.array([0.25, 0.5, 3.0]))
    assert value == pytest.approx([2.5 * np.sin(np.pi / 4), 2.5, 2.5])
    assert slope[2] == curvature[2] == 0
    assert wave.jumps() == [0.5]


def test_terms_add_up():
    terms = [constant_pieces(2.0), Sinusoid(1.0, 3.0), PolynomialPieces(BREAKS, COEFFICIENTS)]
    t = np.linspace(0, 6, 50)
    for order, value in enumerate(evaluate_terms(terms, t)):
        assert value == pytest.approx(sum(term.evaluate(t)[order] for term in terms))
    assert jumps_of(terms, 1.5) == [1.0]
