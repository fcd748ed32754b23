"""Frequencies of robots on cables with mass: light cables, Rayleigh's share, and whether cables swing along."""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import taut
from robot_machines import ROPES
from taut.cli import app
from taut.robots.massive import compare_mass


def test_light_cables_add_a_third_of_their_mass():
    found = compare_mass(taut.library.load("crane-3"), mass_per_length=1e-3)
    # they move in proportion to the distance from the exit, nearly: far below their own frequencies
    assert found.changes == pytest.approx(np.full(3, -found.mass_share / 6.0), rel=0.25)
    assert found.is_good.all() and np.all(found.shares > 0.999)


def test_a_platform_with_turns_keeps_its_six_modes():
    robot = taut.library.load("ipanema-3")
    found = compare_mass(robot, mass_per_length=1e-4, elements=3)
    assert found.with_mass == pytest.approx(found.frequencies, rel=2e-3) and found.is_good.all()
    assert len(found.to_xarray().mode) == 6


def test_the_verdict_turns_where_cables_swing_with_the_platform():
    run = CliRunner()
    light = run.invoke(app, ["stiffness", "crane-3", "--cable-mass", "0.01", "--json"])
    assert light.exit_code == 0 and min(json.loads(light.stdout)["shares"]) > 0.98
    heavy = run.invoke(app, ["stiffness", "crane-3", "--cable-mass", "0.1"])
    assert heavy.exit_code == 1 and "NOT GOOD ENOUGH: 1 of 3 modes" in heavy.stdout
    unknown = run.invoke(app, ["stiffness", "crane-3", "--cable-mass", "own"])
    assert unknown.exit_code == 2 and "mass of the cables is not known" in unknown.output


def test_over_pulleys_and_through_holes():
    base = taut.robots.robot_of(taut.library.load("crane-3"))
    points = compare_mass(base, mass_per_length=0.01)
    for changes in ({"leads": 1e-4}, {"radii": 1e-3}):
        found = compare_mass(replace(base, **changes), mass_per_length=0.01)
        assert found.changes == pytest.approx(points.changes, rel=3e-3)
    far = replace(base, leads=[0.0, 3.0, 0.0], radii=[0.2, 0.0, 0.1])
    light = compare_mass(far, mass_per_length=1e-4)
    assert light.with_mass == pytest.approx(taut.robots.stiffness(far).frequencies, rel=1e-4)
    with pytest.raises(taut.ScenarioError, match="ropes over sheaves are not compared"):
        compare_mass(taut.scenario.loads(ROPES), mass_per_length=0.1)
