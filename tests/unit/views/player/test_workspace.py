"""A workspace in the page: all its triangles are sent, it can be hidden, and another robot's is not shown."""

from dataclasses import replace

import numpy as np
import pytest

from robot_machines import hall
from taut.results.errors import ResultError
from taut.results.result import Result
from taut.views.player import view_results
from taut.views.player.workspace import legend_html
from taut.views.robots.shape import read_shape
from unit.results.synthetic import synthetic_result


@pytest.fixture(scope="module")
def player():
    data = hall().to_xarray()
    opened = view_results(Result(data), is_opened=False, workspace=data)
    yield opened
    opened.close()


def test_the_page_has_the_mesh_innermost_first(player):
    shape, stage = read_shape(hall().to_xarray()), player.workspace
    assert [handle.name for handle in stage.handles] == [f"/workspace/{sheet.name}" for sheet in shape.sheets[::-1]]
    for handle, sheet in zip(stage.handles, shape.sheets[::-1], strict=True):
        np.testing.assert_allclose(handle.vertices[handle.faces], sheet.corners, atol=1e-5)
        assert 0.0 < handle.opacity < 0.5 and handle.visible
        # all sheets have one box, so that the page draws them in this order
        np.testing.assert_allclose([handle.vertices.min(axis=0), handle.vertices.max(axis=0)], [shape.low, shape.high],
                                   atol=1e-5)  # fmt: skip


def test_it_can_be_hidden_and_made_clearer(player):
    stage = player.workspace
    stage.shown.value = False
    assert not any(handle.visible for handle in stage.handles)
    stage.shown.value = True
    assert all(handle.visible for handle in stage.handles)
    before = stage.handles[0].opacity
    stage.opacity.value = 0.25
    assert stage.handles[0].opacity == pytest.approx(0.5 * before)


def test_a_robot_without_a_run_has_neither_time_nor_plots(player):
    assert player.controls.group.options == ("none",) and not player.controls.forces.visible
    assert player.controls.legend.content == ""
    assert np.all(player.machine.low <= player.workspace.shape.low)


def test_the_legend_has_levels_unit_size_and_question():
    data = hall().to_xarray()
    text = legend_html(data, read_shape(data))
    for words in ("capacity margin [N]", "m³", "tension limits", "20 to 900 N", f"{read_shape(data).levels[-1]:g} N"):
        assert words in text


def test_another_robot_is_refused_and_hidden_after_a_change(player):
    other = synthetic_result(samples=3)
    with pytest.raises(ResultError, match="another robot"):
        view_results(other, is_opened=False, workspace=hall().to_xarray())
    machine = replace(player.machine, frames=type(player.machine.frames)(other))
    assert player.workspace.around(machine) is machine
    assert not any(handle.visible for handle in player.workspace.handles)
    assert "compute it again" in player.workspace.legend.content
    player.workspace.around(player.machine)
    assert all(handle.visible for handle in player.workspace.handles)
