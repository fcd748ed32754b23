"""Piecewise linear forces by `reduce`: points, file, run, refusals."""

import numpy as np
import pytest

from taut import library
from taut.analyses.reduction import compare, reduce
from taut.build import build
from taut.build.reduction.reduction import load_reduction
from taut.integrate.simulate import simulate
from taut.scenario.errors import ScenarioError

PUSH = "forces[0].force[2]={{kind: expression, expression: {}*10*9.81*sin(pi*(t - 0.2)/0.6)**2, start: 0.2, end: 0.8}}"


def robot(amplitude=0.8):
    """The planar robot with few elements and a short push."""
    return library.load("tempel-planar", ["defaults.cable.elements=3", "run.duration=1.2", PUSH.format(amplitude)])


@pytest.fixture(scope="module")
def rom():
    return reduce(robot(), method="piecewise", points=3)


def test_taut_cables_move_as_in_the_full_model(rom):
    assert rom.points.count == 3
    model = build(robot())
    full, linear = simulate(model), simulate(model, rom=rom)
    assert compare(full, linear).moved < 1e-2
    assert linear["rom_trust"].max() <= 1.0
    assert linear["rom_residual"].max() <= 10 * max(rom.residual, 1e-4)


def test_the_first_point_is_the_start_and_none_is_taken_twice(rom):
    start = simulate(build(robot()), duration=0.05)["joint_position"].values[0]
    assert rom.points.q[0] == pytest.approx(start, abs=1e-9)
    apart = np.linalg.norm(rom.points.place(rom.points.q, rom.points.v)[:, None] - rom.points.place(
        rom.points.q, rom.points.v), axis=-1)  # fmt: skip
    assert apart[~np.eye(3, dtype=bool)].min() > 0.0


def test_file_keeps_everything(rom, tmp_path):
    rom.save(tmp_path / "robot.rom")
    kept = load_reduction(tmp_path / "robot.rom")
    for name, part in rom.points.content().items():
        assert np.array_equal(kept.points.content()[name], part), name
    assert kept.residual == rom.residual


def test_more_force_is_outside_and_the_full_model_takes_over(rom):
    model = build(robot(1.3))
    taken = simulate(model, rom=rom, rom_fallback=True)
    assert any("takes over" in event["what"] for event in taken.events)
    assert compare(simulate(model), taken).body < 0.05


def test_refusals():
    with pytest.raises(ScenarioError, match="cannot be piecewise linear ones: its coordinates are not all"):
        reduce(library.load("crane-heavy-rope"), method="piecewise")
    with pytest.raises(ScenarioError, match="is no method of reduction"):
        reduce(robot(), method="pieces")
    with pytest.raises(ScenarioError, match="is no setting of the method piecewise"):
        reduce(robot(), method="piecewise", shapes=3)
