"""Inverse dynamics of cable robots: work is energy, and a run led by the lengths found follows."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import taut
from taut.analyses.inverse_result import inverse_motion
from taut.cli import app
from taut.robots.following import follow, led_scenario

MOTION = {"offset": ["along", "across", "up - 2"], "rotation": [0, "0.1*sin(turn)", "0.2*sin(turn)"]}


def robot(**changes):
    from taut.scenario.records.motion import Motion

    scenario = taut.library.load("cogiro")
    return scenario.model_copy(update={"motion": Motion.model_validate(MOTION), **changes})


def test_work_of_the_cables_is_the_energy_of_the_platform():
    for wrench in (None, [30.0, -20.0, 10.0, 5.0, 0.0, -5.0]):
        found = follow(robot(), method="barycentre", samples=1601, wrench=wrench)
        assert found.tensions.is_within.all() and np.ptp(found.energy) > 400.0
        assert found.work_error < 1e-6
    assert {"cable_power", "cable_unstrained_length", "work"} <= set(found.to_xarray().data_vars)


def test_a_run_led_by_the_lengths_found_follows_the_motion():
    found = follow(robot(), method="barycentre", samples=801)
    result = taut.simulate(taut.build(led_scenario(robot(), found)))
    assert result.audit["verdict"] == "pass"
    want = np.stack([np.interp(result.time, found.times, x) for x in found.tensions.poses[:, :3].T], -1)
    gone = result["body_position"].sel(body="platform").values - want
    # what is left is the damping of the cables, which the lengths do not know
    assert np.ptp(want, axis=0).min() > 0.4 and np.abs(gone).max() < 2e-4
    pulls = np.stack([np.interp(result.time, found.times, f) for f in found.tensions.tensions.T], -1)
    away = result["cable_tension"].values.reshape(pulls.shape) - pulls
    assert np.abs(away).max() < 0.01 * pulls.max()


def test_motions_that_cannot_be_followed_have_one_clear_answer():
    from taut.scenario.records.motion import Motion

    for change, words in (({"motion": None}, "prescribes no motion"),
                          ({"motion": Motion(body="nobody", offset=(0.0, 0.0, 0.0))}, "one of nobody"),
                          ({"motion": Motion(offset=("0.1*t", 0.0, 0.0))}, "must start at rest")):  # fmt: skip
        with pytest.raises(taut.ScenarioError, match=words):
            machine = robot(**change)
            led_scenario(machine, follow(machine, limits=(0.0, 1e9), samples=11))


def test_the_command_finds_tensions_or_says_what_is_missing(tmp_path):
    given = ["invdyn", "cogiro", "--set", 'motion.offset=["along", "across", "up - 2"]', "--method", "barycentre"]
    good = CliRunner().invoke(
        app, [*given, "-o", str(tmp_path / "a.nc"), "--drive", str(tmp_path / "led.yaml"), "--json"]
    )
    answer = json.loads(good.stdout)
    assert good.exit_code == 0 and answer["ok"] and min(answer["smallest_tension"]) > 200.0
    assert taut.load(tmp_path / "led.yaml").name.endswith("led")
    picture = CliRunner().invoke(app, [*given, "-o", str(tmp_path / "a.png")])
    assert picture.exit_code == 0 and (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    far = CliRunner().invoke(
        app, ["invdyn", "cogiro", "--set", 'motion.offset=["9*along", 0, 0]', "-o", str(tmp_path / "b.nc")]
    )
    assert far.exit_code == 1 and "are missing" in far.stdout
    heavy = CliRunner().invoke(app, ["invdyn", "mamidi-8-8-rest", "--set", 'motion.offset=["0.1*sin(t)", 0, 0]', "-o",
                                     str(tmp_path / "c.nc")])  # fmt: skip
    assert "TOO HEAVY" in heavy.stdout


def test_the_analysis_of_actuators_sends_cable_robots_here():
    with pytest.raises(taut.ScenarioError, match="only pulls"):
        inverse_motion(taut.build(robot()))
