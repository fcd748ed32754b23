"""Measures of a result whose numbers are known."""

import numpy as np
import pytest
import xarray as xr

from taut.results.result import Result
from taut.studies.measures import Measure, evaluate, measure_problems

TIME = np.linspace(0.0, 4.0, 401)
WAVE = np.stack([np.sin(2 * np.pi * TIME), 3 + 2 * np.cos(2 * np.pi * TIME)], axis=1)


@pytest.fixture(scope="module")
def result():
    slack = np.stack([TIME < 1.0, TIME > 3.5], axis=1)[:, :, None]
    place = np.stack([WAVE, -WAVE, TIME[:, None] * np.ones(2)], axis=2)
    variables = {"tension": (("time", "cable"), WAVE), "slack": (("time", "cable", "element"), slack),
                 "place": (("time", "body", "xyz"), place)}  # fmt: skip
    coords = {"time": TIME, "cable": ["C1", "C2"], "body": ["a", "b"], "xyz": ["x", "y", "z"]}
    events = '[{"time": 1.5, "name": "hit"}, {"time": 2.5, "name": "hit"}]'
    attrs = {"status": "completed", "audit": '{"verdict": "pass"}', "events": events}
    return Result(xr.Dataset(variables, coords, attrs))


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ({"max": "tension"}, 5.0),
        ({"max": "tension", "cable": "C1"}, 1.0),
        ({"min": "tension", "cable": "C2", "after": 1.9, "before": 2.1}, 3 + 2 * np.cos(0.2 * np.pi)),
        ({"peak": "place", "body": "b", "axis": "y"}, 5.0),
        ({"range": "tension", "cable": "C2"}, 4.0),
        ({"mean": "tension", "cable": "C2"}, 3.0),
        ({"rms": "tension", "cable": "C1"}, np.sqrt(0.5)),
        ({"std": "tension", "cable": "C2"}, np.sqrt(2.0)),
        ({"final": "place", "body": "a", "axis": "z"}, 4.0),
        ({"initial": "tension", "cable": "C2"}, 5.0),
        ({"integral": "place", "body": "a", "axis": "z"}, 8.0),
        ({"seconds": "slack"}, 0.995 + 0.495),
        ({"seconds": "tension", "cable": "C1", "above": 0.5}, 4 / 3),
        ({"period": "tension", "cable": "C2"}, 1.0),
        ({"event": "hit"}, 1.5),
        ({"events": "hit"}, 2.0),
        ({"of": "audit"}, 1.0),
    ],
)
def test_single_numbers(result, measure, value):
    assert evaluate(Measure(**measure), result) == pytest.approx(value, abs=5e-3 if "seconds" in measure else 1e-3)


def test_one_number_for_each(result):
    assert evaluate(Measure(max="tension", by="cable"), result) == pytest.approx([1.0, 5.0])
    assert evaluate(Measure(final="place", body="a", by="axis"), result) == pytest.approx([0.0, 0.0, 4.0])
    assert evaluate(Measure(max="place", axis="z", by="body"), result) == pytest.approx([4.0, 4.0])


def test_an_event_that_does_not_happen_has_no_time(result):
    assert np.isnan(evaluate(Measure(event="miss"), result)) and evaluate(Measure(events="miss"), result) == 0


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        ({"max": "tensions"}, "did you mean 'tension'"),
        ({"max": "tension", "cable": "C3"}, "known: C1, C2"),
        ({"max": "tension", "axis": "x"}, "tension has no axis"),
        ({"final": "tension"}, "name cable"),
        ({"max": "tension", "after": 9}, "after the end of the run"),
    ],
)
def test_problems(result, measure, text):
    problems = measure_problems("m", Measure(**measure), result.dataset, 4.0)
    assert problems and text in str(problems[0])


@pytest.mark.parametrize(
    "measure", [{}, {"max": "a", "min": "b"}, {"max": "a", "above": 1}, {"max": "a", "after": 2, "before": 1}]
)
def test_measures_that_say_nothing_or_too_much(measure):
    with pytest.raises(ValueError):
        Measure(**measure)
