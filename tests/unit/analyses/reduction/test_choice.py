"""The number of shapes, chosen by the errors of all training runs."""

from types import SimpleNamespace

import pytest

from taut.analyses.reduction.choice import Limits, choose
from taut.analyses.reduction.errors import Errors

LAST = 8  # number of sizes


class Ladder:
    """Shapes of growing size; a size is its number."""

    def first_size(self, shapes):
        return shapes or 1

    def grown(self, size):
        return min(size + 1, LAST)

    def shapes(self, size):
        return SimpleNamespace(count=size)


class Known(Limits):
    """Limits that need no run of the full machine."""

    def __init__(self, target, own):
        super().__init__([], target, self.hear)
        self.known = {k: max(target, error) for k, error in enumerate(own)}
        self.heard = []

    def hear(self, text):
        self.heard.append(text)


def chosen(errors, own=(0.0, 0.0), target=0.01, shapes=None, failed=()):
    """Size and what was said, for errors by input and size."""
    runs = [SimpleNamespace(scenario=k) for k in range(len(errors))]

    def trial(k, found, run):
        size = found["cable"].count
        error = errors[k][size - 1]
        status = "failed" if (k, size) in failed else "completed"
        return Errors(0.0, error, 0.0, 0.5 * error, 0.0), 1.0, SimpleNamespace(status=status), size

    limits = Known(target, own)
    taken = choose({"cable": Ladder()}, runs, trial, limits, shapes)
    assert len(taken.errors) == len(taken.results) == len(runs)
    return taken.model, limits.heard


def test_first_size_that_meets_the_target_on_all_inputs():
    size, heard = chosen([[0.5, 0.005, 0.005, 0.001], [0.5, 0.3, 0.009, 0.001]])
    assert size == 3
    assert heard[-1] == "3 coordinates per cable: error 0.5 %, 0.9 %"


def test_nobody_asks_for_more_than_the_full_run_is_worth():
    assert chosen([[0.5, 0.005, 0.001], [0.5, 0.25, 0.2]], own=(0.0, 0.3))[0] == 2


def test_search_ends_when_more_shapes_do_no_better():
    size, heard = chosen([[0.2, 0.3, 0.05, 0.048, 0.06, 0.001], [0.0] * 6])
    assert size == 3
    assert len(heard) == 5
    # a size that is worse on the first input is not tried on the second
    assert heard[1] == "2 coordinates per cable: error 30 %"


def test_search_ends_with_the_last_size():
    assert chosen([[0.9 ** (2 * k) for k in range(LAST)]])[0] == LAST


def test_a_run_that_fails_does_not_count():
    assert chosen([[0.001, 0.009], [0.001, 0.009]], failed={(1, 1)})[0] == 2


@pytest.mark.parametrize("shapes", [2, 5])
def test_given_size_is_taken(shapes):
    assert chosen([[0.5] * LAST], shapes=shapes)[0] == shapes
