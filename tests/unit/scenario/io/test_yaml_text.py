"""YAML to plain data: scalars, aliases, merges, lines."""

import pytest

from taut.scenario.errors import ScenarioError
from taut.scenario.io.yaml_text import plain_scalar, read_yaml

SCALARS = {
    "": None, "~": None, "null": None, "true": True, "False": False, "yes": "yes", "1": 1,
    "-007": -7, "0x1F": 31, "0o17": 15, "1.5": 1.5, "2e-3": 0.002, "1.": 1.0, ".5": 0.5, "1e3": 1000.0,
    "-.inf": float("-inf"),
    "1_000": "1_000", "1:30": "1:30", "nan": "nan", "2001-01-01": "2001-01-01", "0x": "0x", "e3": "e3", "+": "+",
}  # fmt: skip


@pytest.mark.parametrize("text", SCALARS)
def test_scalar(text):
    value = plain_scalar(text)
    assert value == SCALARS[text] and type(value) is type(SCALARS[text])


def test_quoted_scalars_are_text():
    assert read_yaml("[\"1\", '2', !!str 3, 4]", "f")[0] == ["1", "2", "3", 4]


def test_lines():
    text = "a: 1\nb:\n  - x\n  - {c: 2,\n     d: 3}\n"
    lines = read_yaml(text, "f")[1].lines
    assert (lines[("a",)], lines[("b", 0)], lines[("b", 1)], lines[("b", 1, "d")]) == (1, 3, 4, 5)


def test_aliases_and_merges():
    data, source = read_yaml("base: &b {x: 1, y: 2}\nother: {<<: *b, y: 3}\nsame: *b\nboth: {<<: [{z: 0}, *b]}\n", "f")
    assert data["other"] == {"x": 1, "y": 3}
    assert data["same"] == data["base"]
    assert data["both"] == {"x": 1, "y": 2, "z": 0}
    assert source.where("same.x") == ("f", 3)


def test_keys_are_text():
    assert read_yaml("1: a\ntrue: b\n", "f")[0] == {"1": "a", "true": "b"}


def test_byte_order_mark_is_skipped():
    assert read_yaml("\ufeffa: 1".encode(), "f")[0] == {"a": 1}


@pytest.mark.parametrize(
    "text", ["? [a]\n: 1", "a: &a [*a]", "<<: 1", "a: !x 1", "%YAML 9.9\n---\na: 1", "a: b: c", "[*x]"]
)
def test_refused(text):
    with pytest.raises(ScenarioError) as caught:
        read_yaml(text, "file.yaml")
    assert str(caught.value).startswith("file.yaml:")
