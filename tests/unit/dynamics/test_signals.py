import numpy as np
import pytest

from taut.build.tree import TreeBuilder
from taut.dynamics.signals import evaluate_signals
from taut.model import new_data
from taut.scenario.signals.pieces import PolynomialPieces, Sinusoid, evaluate_terms

pytestmark = pytest.mark.nojit

RNG = np.random.default_rng(5)
BREAKS = np.cumsum(RNG.uniform(0.1, 1.0, size=8))
PIECES = PolynomialPieces(BREAKS, RNG.normal(size=(7, 16)))
LINE = PolynomialPieces(np.array([-1.0, 3.0]), np.array([[1.0, 2.0]]))
SIGNALS = {
    "pieces": [PIECES],
    "line": [LINE],
    "sinusoid": [Sinusoid(2.0, 3.0, 0.4, -1.0)],
    "gated sinusoid": [Sinusoid(2.0, 3.0, 0.4, -1.0, start=0.5, end=2.5)],
    "sum": [PIECES, LINE, Sinusoid(2.0, 3.0, start=1.0)],
    "nothing": [],
}


def evaluate(terms, time):
    """Value and two derivatives from the tables; a second signal must not disturb the first."""
    builder = TreeBuilder()
    for signal in (SIGNALS["sum"], terms):
        builder.add_signal(signal)
    model = builder.finish()
    data = new_data(model)
    data.time[0] = time
    evaluate_signals(model.tables, data)
    return data.signals[1]


def expected(terms, time, rel=1e-12):
    return pytest.approx(np.array(evaluate_terms(terms, time)), rel=rel, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in SIGNALS if name != "nothing"])
@pytest.mark.parametrize("time", [-5.0, 0.0, 0.7, 1.9, 2.6, 50.0])
def test_tables_say_what_the_scenario_says(name, time):
    assert evaluate(SIGNALS[name], time) == expected(SIGNALS[name], time)


@pytest.mark.parametrize("time", BREAKS[:-1])
def test_at_a_break_the_later_piece_counts(time):
    """The later piece counts also when rounding puts the break outside the piece."""
    assert evaluate([PIECES], time) == expected([PIECES], time, rel=1e-10)


@pytest.mark.parametrize("step", [0.0, 1e-3])
def test_end_value_is_held(step):
    assert evaluate([PIECES], BREAKS[-1] + step) == expected([PIECES], BREAKS[-1] + step, rel=1e-10)
    assert evaluate([PIECES], BREAKS[0] - 1.0)[1:].tolist() == [0.0, 0.0]


def test_a_signal_without_terms_is_zero():
    assert evaluate([], 1.0).tolist() == [0.0, 0.0, 0.0]
