"""Random changes of a good scenario give a scenario or a ScenarioError, also through build and start."""

import copy

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from bad_input.cases import GOOD
from taut import library
from taut.build import build
from taut.integrate.start.start_state import start_state
from taut.scenario import ScenarioError, loads, make_scenario
from taut.scenario.io.yaml_text import read_yaml

EXTREME = [0, -1, 1, 0.5, 3, 1e-30, 1e-300, 1e30, -1e30, 1e300, float("nan"), float("inf"), 10**400, True, None]
ODD = [
    "",
    "x",
    "t",
    "world",
    "platform",
    "nan",
    "1/t",
    "a\x00b",
    "é" * 70,
    [],
    {},
    [1, 2],
    [0, 0, 0],
    [[]],
    {"kind": "x"},
    {"": 1},
]
SCENARIOS = [GOOD, *(library.path(name).read_text(encoding="utf-8") for name in library.names())]
DATA = [read_yaml(text, "scenario")[0] for text in SCENARIOS]
RELAXED = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


def attempt(make, *arguments) -> None:
    """Make a scenario and go on to its start state; only a ScenarioError may stop it."""
    try:
        start_state(build(make(*arguments)))
    except ScenarioError as error:
        assert error.problems and str(error)


def paths(data, path=()):
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, entry in entries:
        yield (*path, step)
        yield from paths(entry, (*path, step))


@st.composite
def mutated(draw):
    """One to three entries deleted, renamed or replaced."""
    data = copy.deepcopy(draw(st.sampled_from(DATA)))
    for _ in range(draw(st.integers(1, 3))):
        known = list(paths(data))
        if not known:
            break
        *front, last = draw(st.sampled_from(known))
        holder = data
        for step in front:
            holder = holder[step]
        how = draw(st.sampled_from(["delete", "rename", "extreme", "odd", "swap"]))
        if how == "extreme":
            holder[last] = draw(st.sampled_from(EXTREME) | st.floats())
        elif how == "odd":
            holder[last] = copy.deepcopy(draw(st.sampled_from(ODD)))
        elif how == "swap":
            holder[last] = copy.deepcopy(draw(st.sampled_from([holder[step] for step in entries(holder)])))
        else:
            value = holder.pop(last)
            if how == "rename" and isinstance(holder, dict):
                holder[draw(st.sampled_from([str(last)[:-1], str(last) + "s", "mass", "kind"]))] = value
    return data


def entries(holder):
    return list(holder) if isinstance(holder, dict) else range(len(holder))


@RELAXED
@given(mutated())
def test_mutated_data(data):
    attempt(make_scenario, data)


@RELAXED
@given(st.sampled_from(SCENARIOS), st.integers(0, 5000), st.integers(0, 40), st.text(max_size=5))
def test_mutated_text(text, place, length, insert):
    place %= len(text)
    attempt(loads, text[:place] + insert + text[place + length :], "mutated.yaml")


@RELAXED
@given(st.text(max_size=200))
def test_any_text(text):
    attempt(loads, text)


@RELAXED
@given(st.text("t0123456789+-*/().,e sincoaxbtpqrw", max_size=40))
def test_any_expression(text):
    attempt(loads, GOOD.replace("0.1*sin(2*pi*t)", repr(text)))


@pytest.mark.parametrize("text", SCENARIOS)
def test_unchanged(text):
    assert start_state(build(loads(text))).error < 1e-9
