"""Writing and reading again gives the same scenario."""

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from taut import library
from taut.scenario import ScenarioError, dumps, load, loads, save
from taut.scenario.io.writing import to_plain
from taut.scenario.signals.records import SignalSine


@pytest.mark.parametrize("name", library.names())
def test_round_trip(name, tmp_path):
    scenario = library.load(name)
    assert loads(dumps(scenario)) == scenario
    save(scenario, tmp_path / "copy.yaml")
    assert load(tmp_path / "copy.yaml") == scenario


PRINTABLE = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff")


@settings(max_examples=50, deadline=None)
@given(st.text(PRINTABLE, min_size=1, max_size=80), st.floats(-1e30, 1e30))
def test_any_text_and_number(text, number):
    scenario = loads("taut: 1\nname: x\n").model_copy(update={"name": text, "gravity": (0.0, number, -0.0)})
    assert loads(dumps(scenario)) == scenario


def test_kinds_are_written_and_defaults_are_not():
    assert to_plain(SignalSine(amplitude=1, omega=2)) == {"kind": "sine", "amplitude": 1, "omega": 2}


def test_source_does_not_matter():
    scenario = library.load("four-bar")
    assert loads(dumps(scenario), "elsewhere") == scenario != library.load("bennett")


@pytest.mark.parametrize("name", ["a\\x85b", "a\\u2028b", "a\\x07b"])
def test_control_characters_in_a_name_are_refused(name):
    with pytest.raises(ScenarioError, match="name"):
        loads(f'taut: 1\nname: "{name}"\n')
