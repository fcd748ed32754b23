"""The library: every scenario loads, is named, and can be found."""

import pytest

from taut import library
from taut.scenario import ScenarioError


@pytest.mark.parametrize("name", library.names())
def test_scenario_is_clean(name):
    scenario = library.load(name)
    assert scenario.warnings() == []
    assert library.title(name) == scenario.name and scenario.description


@pytest.mark.parametrize("name", library.names())
def test_file_opens_with_its_source(name):
    text = library.path(name).read_text(encoding="utf-8")
    assert text.startswith("# ") and "SI units" in text.split("taut: 1")[0]


def test_variants_differ_only_where_they_say():
    base = library.load("mamidi-pick-and-place")
    paper = library.load("mamidi-pick-and-place-paper")
    assert {cable.exit_joint for cable in paper.cables} == {"azimuth-polar"}
    assert paper.drivers == base.drivers and paper.platform == base.platform
    ours = {"exit_joint": "transverse", "bend_axes": "alternating"}
    assert [c.model_copy(update=ours) for c in paper.cables] == list(base.cables)
    assert {cable.mass_per_length for cable in library.load("mamidi-pick-and-place-table2").cables} == {0.03}


def test_stewart_masses_are_the_published_ones():
    bodies = library.load("stewart-free-fall").bodies
    assert bodies["upper1"].mass_properties()[0] == pytest.approx(11.34042298615801, rel=1e-14)
    assert bodies["lower1"].mass_properties()[0] == pytest.approx(1.157186018995715, rel=1e-14)
    assert bodies["upper6"].mass_properties()[2].diagonal() == pytest.approx([2.127197561, 2.127197561, 0.0017365023])
    assert bodies["lower6"].mass_properties()[2].diagonal() == pytest.approx([0.0243123577, 0.0243123577, 0.0004086313])


def test_find(tmp_path):
    (tmp_path / "mine.yaml").write_text("taut: 1", encoding="utf-8")
    assert library.find(str(tmp_path / "mine.yaml")) == tmp_path / "mine.yaml"
    assert library.find("stewart-free-fall") == library.path("stewart-free-fall")
    assert library.find("stewart") == library.path("stewart-free-fall")  # the short name of a library scenario
    with pytest.raises(ScenarioError, match="did you mean 'stewart-free-fall'"):
        library.find("stewart-free-fal")
