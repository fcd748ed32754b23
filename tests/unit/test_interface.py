"""Small things that users type."""

import inspect
import subprocess
import sys
from dataclasses import fields
from typing import get_args

import pytest

import taut
from taut.analyses.spaces.report import describe_space, describe_spaces
from taut.integrate.settings import RunSettings, Settings


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


def test_build_and_verify_are_functions_whatever_is_imported():
    text = (
        "import taut.build.tree, taut.verify.cases, inspect, taut\n"
        "from taut.build import build\nfrom taut import verify\nfrom taut.build.machine.laws import joint_spring\n"
        "assert inspect.isfunction(taut.build) and inspect.isfunction(taut.verify)\n"
        "assert taut.build is build and taut.verify is verify\n"
        "assert taut.build(taut.Machine('m').platform(mass=1.0, box=[1, 1, 1])).column_count == 6\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True)


def test_settings_of_a_run_are_typed_where_they_are_given():
    for call in (taut.simulate, taut.Stepper):
        settings = inspect.signature(call).parameters["settings"]
        assert get_args(settings.annotation) == (Settings,)
    known = {field.name for field in fields(RunSettings)}
    assert set(Settings.__annotations__) == known


def test_records_of_forces_and_spaces_give_datasets():
    model = taut.build(taut.load("double-pendulum"))
    found = taut.inverse_dynamics(model, taut.start_state(model).data, [0.0] * model.column_count).to_xarray()
    assert found["force"].sizes["actuator"] == model.column_count and found["force"].attrs["units"] == "N or N m"
    stewart = taut.build(taut.load("stewart-actuated"))
    sizes = describe_spaces(stewart).to_xarray()
    assert sizes["coordinates"].sel(space="task") == 6 and sizes.attrs["freedoms"] == 6
    M = describe_space(stewart, "task").to_xarray()["M"]
    assert M.sizes == {"coordinate": 6, "by": 6}


def test_a_result_that_nobody_audited_is_not_ok():
    result = taut.simulate(taut.build(taut.load("double-pendulum", ["run.duration=0.1"])))
    assert not taut.Result(result.to_xarray().assign_attrs(audit="{}")).ok
