"""Manipulators that cannot be: clear errors, no traceback."""

import re

import pytest
from typer.testing import CliRunner

from taut import library
from taut.cli import app

HEXAPOD = library.path("hexapod").read_text(encoding="utf-8")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(text, *command):
        (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
        result = CliRunner().invoke(app, [command[0], "bad.yaml", *command[1:]])
        assert result.exit_code == 2, result.output
        assert "Traceback" not in result.output
        return result.stderr

    return call


CHECKS = {
    "stroke": ("range: [0.9, 1.55]", "range: [0.1, 1.55]", "the leg is shorter than its stroke: 0.8 m long"),
    "apart": ("range: [0.9, 1.55]", "range: [0.9, 1.65]", "the leg comes apart"),
    "outside": ("range: [0.9, 1.55]", "range: [0.9, 1.0]", "lies outside the joint's range [0.9, 1]"),
    "order": ("range: [0.9, 1.55]", "range: [1.55, 0.9]", "must be [lowest, highest]"),
    "wrong joint": (
        "kind: universal, origin",
        "kind: universal, range: [0, 1], origin",
        "is for revolute and prismatic",
    ),
    "no such body": ("motion: {offset", "motion: {body: plate, offset", "there is no body of this name"),
    "both": ("motion: {offset", "motion: {position: [0, 0, 1], offset", "give position or offset, not both"),
}


@pytest.mark.parametrize("name", CHECKS)
def test_check(run, name):
    old, new, text = CHECKS[name]
    assert old in HEXAPOD
    assert text in run(HEXAPOD.replace(old, new, 1), "check")


def test_motion_out_of_range(run):
    error = run(HEXAPOD.replace("-0.06*sway, 0.08*sway]", "-0.06*sway, 0.6*sway]", 1), "invdyn")
    assert "joint.range" in error and "outside of the joint's range" in error and "at t = " in error


def test_motion_out_of_reach(run):
    text = library.path("six-rss-heave").read_text(encoding="utf-8").replace("values: [0, 0.1]", "values: [0, 3]")
    error = run(text, "invdyn", "--set", "run.save_every=0.01")
    assert "cannot be reached" in error or "singular pose" in error


def test_motion_along_a_lost_freedom(run):
    text = library.path("delta").read_text(encoding="utf-8")
    error = run(text.replace("motion: {offset", "motion: {rotation: [0, hop, 0], offset"), "invdyn")
    assert "the machine cannot move along platform.ry" in error


def test_no_motion(run):
    text = library.path("stewart-free-fall").read_text(encoding="utf-8")
    assert "prescribes no motion" in run(text, "invdyn")


def test_unknown_space(run):
    assert "is not a space" in run(HEXAPOD, "spaces", "--space", "tusk")


def test_no_actuators(run):
    assert "no joint is actuated" in run(HEXAPOD.replace(", actuated: true", ""), "spaces")


def test_bad_scan(run):
    assert "is no grid" in run(HEXAPOD, "spaces", "--scan", "x=1:0")


def test_nonsense_geometry(run):
    """All legs at one point of the platform: nothing holds its turns."""
    text = re.sub(r"points: \[\[0, 0, 0\], \[.*?\]\]", "points: [[0, 0, 0], [0, 0, 0]]", HEXAPOD)
    assert "the actuators do not determine the platform" in run(text.replace("range: [0.9, 1.55], ", ""), "spaces")
