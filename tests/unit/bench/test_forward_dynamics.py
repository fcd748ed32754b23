"""The benchmark's figures: their keys, and their text."""

import json

import pytest
from typer.testing import CliRunner

from taut.bench import forward_dynamics
from taut.cli import app

KEYS = {"us_multiplier", "us_eliminated", "exponent_40_160", "pinocchio_us", "speedup_vs_pinocchio"}


@pytest.fixture
def quick(monkeypatch):
    """One short repeat of each size: the figures are rough."""
    monkeypatch.setattr("taut.bench.timing.REPEATS", 1)
    monkeypatch.setattr("taut.bench.timing.ROUNDS", 1)


def test_figures(quick):
    result = CliRunner().invoke(app, ["bench", "forward-dynamics", "--json"])
    figures = json.loads(result.stdout)
    assert set(figures) == KEYS
    assert set(figures["us_multiplier"]) == set(figures["us_eliminated"]) == {"5", "10", "20", "40", "80", "160"}
    assert figures["us_multiplier"]["160"] > figures["us_multiplier"]["5"] > 0


def test_lines_without_the_peer():
    times = dict.fromkeys(map(str, forward_dynamics.ELEMENTS), 1.5)
    figures = {"us_multiplier": times, "us_eliminated": times, "exponent_40_160": 1.0}
    lines = forward_dynamics.lines({**figures, "pinocchio_us": None, "speedup_vs_pinocchio": None})
    assert len(lines) == 9 and "not installed" in lines[-1]


def test_unknown_benchmark():
    result = CliRunner().invoke(app, ["bench", "foward-dynamics"])
    assert result.exit_code == 2 and "did you mean 'forward-dynamics'?" in result.stderr
