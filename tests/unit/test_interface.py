"""Small things that users type."""

import pytest

import taut


def test_load_takes_files_and_names_of_the_library(tmp_path):
    assert taut.load("double-pendulum") == taut.library.load("double-pendulum")
    file = tmp_path / "mine.yaml"
    file.write_text(taut.library.path("double-pendulum").read_text())
    assert taut.load(file, ["run.duration=2"]).run.duration == 2.0
    with pytest.raises(taut.ScenarioError, match="neither a file nor a library scenario"):
        taut.load("doubel-pendulum")


def test_build_takes_a_machine_and_a_machine_a_motion():
    machine = taut.Machine("m").platform(mass=1.0, box=[0.1, 0.1, 0.1], position=[0, 0, 1]).motion(offset=[0, 0, "t"])
    assert taut.build(machine).names.bodies == {"platform": 1}
    assert machine.scenario().motion.body == "platform"


def test_a_result_says_whether_it_can_be_used():
    assert taut.simulate(taut.build(taut.load("double-pendulum", ["run.duration=0.1"]))).ok


def test_analyses_give_datasets():
    model = taut.build(taut.load("crane-3d"))
    rest = taut.statics(model).to_xarray()
    assert rest["body_position"].sel(body="load").dims == ("xyz",) and rest["body_position"].attrs["units"] == "m"
    found = taut.modes(model, count=2).to_xarray()
    assert found["natural_frequency"].sizes == {"oscillation": 2} and found["shape"].sizes["mode"] == 2
