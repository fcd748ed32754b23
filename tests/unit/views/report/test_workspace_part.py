"""The workspace in reports: size, question, pictures and slices."""

import re

import pytest

from robot_machines import eight_cables, hall
from taut.results.errors import ResultError
from taut.robots.workspaces.workspace import workspace
from taut.views.report import report_page
from taut.views.report.workspace import workspace_page
from taut.views.robots.workspace import size_text
from unit.results.synthetic import CABLES, synthetic_result


@pytest.fixture(scope="module")
def page():
    return workspace_page(hall().to_xarray())


def test_volume_question_pictures_and_slices_are_there(page):
    assert size_text(hall().to_xarray()) in page and "m³" in page
    for words in ("static: a pose belongs to it if the cables carry the weight", "20 to 900 N", "x from -8 to 8 m",
                  "a, b, c = 0, 0, 0 rad", "points of a grid 9 x 8 x 7 are inside"):  # fmt: skip
        assert words in page
    assert len(re.findall(r'<img src="data:image/png', page)) == 5 and "default-src 'none'" in page


def test_an_empty_workspace_is_called_so():
    empty = workspace(eight_cables(), {"x": (-8, 8), "y": (-5, 5), "z": (8, 9)}, grid=3, kind="static", surface=True)
    page = workspace_page(empty.to_xarray())
    assert "It is empty: no point of the region belongs to it." in page and page.count("<img") == 1


def test_hostile_words_are_no_markup():
    data = hall().to_xarray()
    data.attrs |= {"robot": "<script>x</script>", "question": '{"kind": "<b onclick=1>: y"}'}
    page = workspace_page(data)
    assert "<script>x" not in page and "<b onclick" not in page


def test_a_run_has_it_as_a_section_and_only_its_own():
    run = synthetic_result(samples=3)
    run.dataset = run.dataset[["body_position", "body_quaternion", "cable_nodes"]]
    with pytest.raises(ResultError, match="another robot"):
        report_page(run, workspace=hall().to_xarray())
    exits = run["cable_nodes"][0, :, 0].values.tolist()
    robot = eight_cables(exits=exits * 2)
    data = workspace(robot, {"z": 1.0}, grid=3, kind="wrench-closure").to_xarray()
    cables = [{"name": name, "exit": place} for name, place in zip([*CABLES, *"abcd"], exits * 2, strict=True)]
    run.dataset.attrs["scenario"] = f"name: own\ncables: {cables}"
    data = data.assign_coords(cable=[*CABLES, *"abcd"])
    assert '<h2 id="workspace">Workspace</h2>' in report_page(run, workspace=data)
