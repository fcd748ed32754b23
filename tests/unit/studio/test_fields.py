import pytest

from taut import library
from taut.studio.fields import find_fields
from taut.studio.panel import hint, slider_range
from taut.studio.saving import new_file

ROBOT = library.path("mamidi-pick-and-place")


def fields_of(name):
    return {(field.group, field.key): field for field in find_fields(library.load(name))}


def test_units_limits_and_values_come_from_the_schema():
    fields = fields_of("mamidi-pick-and-place")
    mass, tolerance = fields["platform", "mass"], fields["run", "tolerance"]
    assert (mass.value, mass.unit, mass.low, mass.paths) == (0.5, "kg", 0.0, ("platform.mass",))
    assert (tolerance.low, tolerance.high, tolerance.is_open) == (1e-13, 0.1, False)
    assert fields["run", "duration"].is_open and "greater than 0" in hint(fields["run", "duration"])


def test_a_number_that_all_cables_share_is_one_field():
    length = fields_of("mamidi-pick-and-place")["cables", "length"]
    assert len(length.paths) == 4
    changed = library.load("mamidi-pick-and-place", length.settings("0.8"))
    assert {cable.length for cable in changed.cables} == {0.8}


@pytest.mark.parametrize("name", library.names())
def test_every_field_can_be_set(name):
    """Each field, given its own value again, leaves the scenario as it is."""
    scenario = library.load(name)
    settings = [setting for field in find_fields(scenario) for setting in field.settings(repr(field.value))]
    assert settings and library.load(name, settings) == scenario


def test_sliders_stay_within_the_schema():
    span = slider_range(fields_of("mamidi-pick-and-place")["platform", "mass"])
    assert 0.0 < span["min"] < span["initial_value"] < span["max"] and span["step"] > 0.0


@pytest.mark.parametrize("name", ["../a.nc", "/etc/a.nc", "", ".hidden", "a\\b", "there.nc", "sub/a.nc"])
def test_files_go_to_the_folder_and_over_none(tmp_path, name):
    from taut.results.errors import ResultError

    (tmp_path / "there.nc").touch()
    with pytest.raises(ResultError):
        new_file(name, tmp_path, ".nc")
    assert new_file("new", tmp_path, ".nc") == tmp_path / "new.nc"
