"""The safe working zone: bounded by range, reach and singularities."""

import numpy as np
import pytest

from manipulators import manipulator
from taut.analyses.spaces.scan import default_grid, parse_grid, scan
from taut.scenario.errors import ScenarioError
from taut.views.plots.zone import draw_zone


def test_hexapod_zone(tmp_path):
    field = scan(manipulator("hexapod"), parse_grid("x=-0.6:0.6:9,z=0.6:1.8:9"))
    safe, in_range = field["is_safe"].values, field["is_in_range"].values
    assert safe.any() and not in_range.all()
    assert not np.any(safe & ~in_range)
    draw_zone(field, tmp_path / "zone.png")
    assert (tmp_path / "zone.png").stat().st_size > 10_000


def test_the_flat_pose_of_a_stewart_platform_bounds_its_zone():
    field = scan(manipulator("stewart-free-fall"), parse_grid("x=-0.1:0.1:3,z=-0.5:0.5:21"))
    z = field["platform_z"].values
    assert not field["is_safe"].values[:, z < 0.0].any()
    assert field["is_safe"].values[:, z > 0.2].all()


def test_default_grid_lies_about_the_start():
    grid = default_grid(manipulator("planar-3rrr"))
    assert grid.limits[0][0] < 0.0 < grid.limits[0][1]


@pytest.mark.parametrize("text", ["x=0:1", "x=1:0:5,z=0:1:5", "a=0:1:5,z=0:1:5", "x=0:1:5,x=0:1:5", "nonsense"])
def test_bad_grid(text):
    with pytest.raises(ScenarioError, match="is no grid"):
        parse_grid(text)
