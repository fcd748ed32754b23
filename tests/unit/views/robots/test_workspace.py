"""The figure of a workspace: slices with the bands of the margin, the picture, size and question in words."""

import numpy as np
import pytest

from robot_machines import hall, planar
from taut.results.errors import ResultError
from taut.robots.workspaces.workspace import workspace
from taut.views.robots.bands import band_levels
from taut.views.robots.picture import still_machine, workspace_picture
from taut.views.robots.shape import read_shape
from taut.views.robots.slices import slices
from taut.views.robots.workspace import asked, draw_workspace, size_text, workspace_figure


def test_three_slices_one_picture_and_a_legend_with_a_unit():
    data = hall().to_xarray()
    figure = workspace_figure(data)
    *flat, picture, legend = figure.axes
    labels = [(axis.get_xlabel(), axis.get_ylabel()) for axis in flat]
    assert labels == [("x [m]", "z [m]"), ("y [m]", "z [m]"), ("x [m]", "y [m]")]
    assert len(picture.images) == 1 and picture.get_title().startswith("boundary, and where the margin is")
    assert legend.get_xlabel() == "capacity margin [N]"
    top = hall().values[hall().inside].max()
    assert legend.get_xlim()[1] == pytest.approx(band_levels(top)[-1])


def flat_area(figure):
    """Share of the axes that has a colour of the legend, and is not white."""
    figure.canvas.draw()
    axis = figure.axes[0]
    axis.set_axis_off()
    shown = np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)
    box = axis.get_window_extent()
    part = shown[len(shown) - int(box.y1) : len(shown) - int(box.y0), int(box.x0) : int(box.x1)]
    return float(np.mean(np.ptp(part, axis=2) > 30))


@pytest.mark.parametrize(
    ("kind", "robot", "demands"),
    [
        ("wrench-closure", planar(), {}),
        ("stiffness", planar(stiffness=1e5), {"stiffness": 1.0}),
        ("static", planar(), {}),
    ],
)
def test_colours_end_where_the_workspace_does(kind, robot, demands):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    region = {"x": (-4.0, 4.0), "z": (-1.0, 4.0)}
    found = workspace(robot, region, grid=61, kind=kind, surface="space", **demands)
    figure = workspace_figure(found.to_xarray())
    FigureCanvasAgg(figure)
    assert 0.05 < found.inside.mean() < 0.9 and flat_area(figure) == pytest.approx(found.inside.mean(), abs=0.02)


def test_a_plane_is_drawn_on_a_finer_grid_and_nothing_is_said():
    data = workspace(planar(), grid=5, kind="static", surface="space").to_xarray()
    (part,) = slices(data)
    assert part.shape == (161, 161) and part.dims == ("x", "z")
    coarse = data["margin"].values
    np.testing.assert_allclose(part.values[::40, ::40], coarse, rtol=1e-9)
    empty = workspace(planar(), {"z": (20.0, 21.0)}, grid=5, kind="static").to_xarray()
    assert [text.get_text() for text in workspace_figure(empty).axes[0].texts] == ["nothing inside"]


def test_the_picture_shows_the_workspace_and_the_machine():
    data = hall().to_xarray()
    shape, machine = read_shape(data), still_machine(data)
    size = (240, 160)
    with_it = workspace_picture(machine, shape, size)
    hidden = type(shape)([], shape.levels, shape.unit, shape.kind, shape.low, shape.high)
    without = workspace_picture(machine, hidden, size)
    changed = np.any(with_it != without, axis=2)
    # a part of the picture, and one can see through: what was dark before stays darker than its surroundings
    assert 0.05 < changed.mean() < 0.6
    dark = changed & (without.max(axis=2) < 120)
    assert dark.sum() > 10 and with_it[dark].mean() < with_it[changed & ~dark].mean() - 20.0


def test_size_and_question_in_words():
    data = hall().to_xarray()
    value, spread = hall().volume.value, hall().volume.uncertainty
    assert size_text(data).startswith(f"{value:.0f}"[:2]) and f"± {spread:.2g} m³" in size_text(data)
    assert asked(data).startswith("A pose belongs to it if the cables carry the weight; tension limits: 20 to 900 N")
    assert size_text(workspace(planar(), grid=5, kind="static").to_xarray()).endswith("of 25 grid points inside")


@pytest.mark.parametrize("name", ["a.png", "a.svg", "a.pdf"])
def test_figures_of_planes_lines_and_nothing_are_drawn(name, tmp_path):
    for region in ({}, {"z": 1.0}, {"z": (20.0, 21.0)}):
        draw_workspace(workspace(planar(), region, grid=5, kind="static").to_xarray(), tmp_path / name)
    assert (tmp_path / name).stat().st_size > 1000


def test_a_folder_that_is_not_there_is_said(tmp_path):
    data = workspace(planar(), grid=3, kind="static").to_xarray()
    with pytest.raises(ResultError, match="cannot be written"):
        draw_workspace(data, tmp_path / "nowhere" / "a.png")
