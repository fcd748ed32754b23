import time
from dataclasses import replace

import numpy as np
import pytest

from taut.results.errors import ResultError
from taut.views.film.camera import camera_for
from taut.views.player import view_results
from taut.views.player.charts import on_one_grid, summed_up
from taut.views.player.stage import turns_to
from taut.views.plots.sheet import Curve
from taut.views.scene.meshes import rotation_matrix
from unit.results.synthetic import synthetic_result

RESULT = synthetic_result(samples=61)


@pytest.fixture(scope="module")
def player():
    opened = RESULT.view(is_opened=False)
    yield opened
    opened.close()


def wait_for(condition):
    deadline = time.monotonic() + 10.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_seeking_moves_bodies_cables_and_controls(player):
    player.seek(3.0)
    wait_for(lambda: player.controls.slider.value == 3.0)
    (stage,) = player.stages
    np.testing.assert_allclose(stage.bodies[0].position, RESULT["platform_position"].sel(time=3.0), atol=1e-6)
    nodes = RESULT["cable_nodes"].sel(time=3.0).values
    middles = 0.5 * (nodes[:, :-1] + nodes[:, 1:]).reshape(-1, 3)
    np.testing.assert_allclose(stage.cables.batched_positions, middles, atol=1e-5)
    assert "t = 3.0000 s" in player.controls.readout.content


def test_playing_lets_time_run_and_repeats(player):
    player.set_speed(100.0)
    player.seek(5.5)
    player.toggle()
    wait_for(lambda: player.time < 5.0)
    player.toggle()
    assert not player.is_playing


def test_other_results_are_overlaid_and_taken_away(player):
    player.load([RESULT, synthetic_result(samples=31)])
    assert [stage.is_ghost for stage in player.stages] == [False, True]
    assert player.stages[1].bodies[0].opacity < 0.5
    player.load([RESULT])
    assert len(player.stages) == 1 and player.controls.slider.max == 6.0


def test_traces_come_and_go(player):
    stage = player.stages[0]
    assert {"platform", "exit of C1", "anchor of C4"} <= set(stage.trace_points())
    player.trace("anchor of C4")
    assert "anchor of C4" in stage.traces
    player.trace("anchor of C4")
    assert "anchor of C4" not in stage.traces


def test_arrows_need_a_force(player):
    stage = player.stages[0]
    player.set_forces(True)
    player.seconds_to_show(3.0)
    forces = np.linalg.norm(RESULT["anchor_force"].sel(time=3.0).values, axis=1)
    assert stage.arrows.visible and len(stage.arrows.points) == np.sum(forces > 0.0)
    nothing = replace(player.machine.frames.at(3.0), anchor_force=np.zeros((4, 3)))
    stage.show(nothing)
    assert not stage.arrows.visible
    player.set_forces(False)


def test_the_camera_goes_to_where_the_machine_is(player):
    frame = player.machine.frames.at(3.0)
    near, far = camera_for(player.machine, 600, 600, frame=frame), camera_for(player.machine, 600, 600)
    low, high = player.machine.box_at(frame)
    assert np.linalg.norm(near.eye - near.target) < np.linalg.norm(far.eye - far.target)
    assert np.all((low - 0.1 < near.target) & (near.target < high + 0.1))


def test_turns_bring_z_to_the_direction():
    directions = np.array([[0, 0, 1.0], [1, 2, -3], [0, 0, -2], [5, 0, 0]])
    z = rotation_matrix(turns_to(directions))[:, :, 2]
    np.testing.assert_allclose(z, directions / np.linalg.norm(directions, axis=1, keepdims=True), atol=1e-12)


def test_many_curves_are_summed_up_and_peaks_stay():
    x = np.linspace(0, 1, 20_001)
    curves = [Curve(f"C{k}", x, np.sin(x) + k) for k in range(60)]
    curves[7].y[12_345] = 999.0
    grid, values = on_one_grid(summed_up(curves))
    assert len(values) == 3 and len(grid) < 1000 and values.max() == 999.0


def test_a_result_without_samples_is_refused():
    empty = synthetic_result(samples=3)
    empty.dataset = empty.dataset.isel(time=slice(0, 0))
    with pytest.raises(ResultError, match="has no samples"):
        view_results(empty, is_opened=False)
