import numpy as np
import pytest

from taut.results.channels import BY_NAME, CHANNELS, COORDINATES, assemble, pad_cables
from unit.results.synthetic import synthetic_arrays, synthetic_result

RESULT = synthetic_result(samples=21)


@pytest.mark.parametrize("name", list(RESULT.dataset.data_vars))
def test_every_variable_has_unit_and_meaning(name):
    assert RESULT[name].attrs["units"] and RESULT[name].attrs["long_name"]


@pytest.mark.parametrize("name", list(RESULT.dataset.coords))
def test_every_coordinate_has_a_meaning_and_numbers_have_units(name):
    coordinate = RESULT[name]
    assert coordinate.attrs["long_name"]
    assert ("units" in coordinate.attrs) == (coordinate.dtype.kind in "if")


def test_channels_are_listed_once_and_know_their_dimensions():
    assert len(BY_NAME) == len(CHANNELS)
    assert {dim for channel in CHANNELS for dim in channel.dims} == {*COORDINATES, "step", "sample"}


def test_platform_is_the_body_of_that_name():
    for name in ("position", "quaternion", "velocity", "angular_velocity", "acceleration"):
        body = RESULT[f"body_{name}"].sel(body="platform")
        np.testing.assert_array_equal(RESULT[f"platform_{name}"], body)


def test_elements_count_from_one_and_nodes_from_zero():
    assert list(RESULT["element"].values) == [1, 2, 3, 4, 5]
    assert list(RESULT["node"].values) == [0, 1, 2, 3, 4, 5]


def test_energy_balance_follows_from_its_parts():
    stored = RESULT["energy_kinetic"] + RESULT["energy_gravity"] + RESULT["energy_elastic"]
    expected = stored - stored[0] - RESULT["work_input"] + RESULT["work_dissipated"]
    np.testing.assert_allclose(RESULT["energy_balance"], expected, atol=1e-14)


def test_machine_without_cables_has_no_cable_variables():
    arrays = {
        "body_position": np.zeros((3, 1, 3)),
        "cable_tension": np.zeros((3, 0, 0)),
        "multiplier": np.zeros((3, 0)),
    }
    dataset = assemble(arrays, {"time": [0.0, 1.0, 2.0], "body": ["bob"], "cable": [], "row": []}, {})
    assert set(dataset.variables) == {"body_position", "time", "body", "xyz"}


def test_cables_of_different_lengths_are_padded():
    parts = [np.ones((2, 3)), np.ones((2, 5))]
    tension = pad_cables(parts)
    dataset = assemble({"cable_tension": tension}, {"time": [0.0, 1.0], "cable": ["A", "B"]}, {})
    assert list(dataset["cable_element_count"].values) == [3, 5]
    assert np.isnan(dataset["cable_tension"].sel(cable="A", element=4)).all()


def test_unknown_channel_is_refused():
    with pytest.raises(ValueError, match="no such channel: cable_tensoin"):
        assemble({"cable_tensoin": np.zeros(3)}, {}, {})


def test_wrong_shape_is_refused():
    arrays, coords = synthetic_arrays(samples=5)
    with pytest.raises(ValueError, match="cable_length has dimensions"):
        assemble({"cable_length": arrays["cable_nodes"]}, coords, {})
