"""Machines as FMUs, run by FMPy."""

import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import taut
from plants import slider
from taut.loop import Plant
from taut.loop.fmu import export_fmu
from taut.loop.fmu.slave import Machine

fmpy = pytest.importorskip("fmpy")
PERIOD = 0.01


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("fmu") / "slider.fmu"
    return export_fmu(slider(), path, period=PERIOD, parameters=["bodies.mass.mass"])


@pytest.fixture
def loaded(file):
    """An instance after its initialisation, and its value references."""
    from fmpy.fmi2 import FMU2Slave

    description, folder = fmpy.read_model_description(file), fmpy.extract(file)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    made = FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName="one",
                     modelIdentifier=description.coSimulation.modelIdentifier)  # fmt: skip
    made.instantiate()
    made.setupExperiment(startTime=0.0)
    made.enterInitializationMode()
    made.exitInitializationMode()
    yield made, references
    made.terminate()
    made.freeInstance()
    shutil.rmtree(folder, ignore_errors=True)


def test_it_is_the_plant_step_by_step_and_bit_by_bit(loaded):
    made, references = loaded
    plant = Plant(slider(), period=PERIOD)
    for k in range(20):
        made.setReal([references["push"]], [0.1 * k])
        made.doStep(k * PERIOD, PERIOD)
        assert made.getReal([references["place"]]) == plant.step([0.1 * k]).tolist()


def test_its_state_is_kept_and_restored(loaded):
    made, references = loaded
    made.setReal([references["push"]], [1.0])
    made.doStep(0.0, PERIOD)
    kept = made.getFMUstate()
    made.doStep(PERIOD, PERIOD)
    there = made.getReal([references["place"]])
    made.setFMUstate(kept)
    made.doStep(PERIOD, PERIOD)
    assert made.getReal([references["place"]]) == there != [0.0]
    made.freeFMUstate(kept)


def test_parameters_change_the_machine(file):
    def end(mass):
        signals = np.array([(0.0, 1.0), (1.0, 1.0)], dtype=[("time", float), ("push", float)])
        found = fmpy.simulate_fmu(str(file), stop_time=0.1, output_interval=PERIOD, input=signals, output=["place"],
                                  start_values={"bodies.mass.mass": mass})  # fmt: skip
        return found["place"][-1]

    assert end(1.0) == pytest.approx(2.0 * end(2.0)) == pytest.approx(0.005)


def test_version_3_where_the_tool_allows(tmp_path):
    path = export_fmu(slider(), tmp_path / "slider3.fmu", fmi="3.0", period=PERIOD)
    description = fmpy.read_model_description(str(path))
    assert description.fmiVersion == "3.0"
    signals = np.array([(0.0, 1.0), (1.0, 1.0)], dtype=[("time", float), ("push", float)])
    found = fmpy.simulate_fmu(str(path), stop_time=0.1, output_interval=PERIOD, input=signals, output=["place"])
    assert found["place"][-1] == pytest.approx(0.0025)
    # step by step those of a plant, bit by bit
    plant = Plant(slider(), period=PERIOD)
    expected = [plant.reset()[0], *(plant.step([1.0])[0] for _ in range(len(found) - 1))]
    assert len(found) == round(0.1 / PERIOD) + 1 and np.array_equal(found["place"], expected)


def test_without_taut_it_says_what_is_missing(file, tmp_path):
    with zipfile.ZipFile(file) as opened:
        opened.extractall(tmp_path)
    (script,) = (tmp_path / "resources").glob("taut_*.py")
    answer = subprocess.run([sys.executable, "-S", "-E", str(script)], capture_output=True, text=True, cwd=tmp_path)
    assert answer.returncode and "this FMU needs taut" in answer.stderr and "pip install" in answer.stderr


def machine_of(file, folder):
    """What the FMU in a file does, without FMI around it."""
    with zipfile.ZipFile(file) as opened:
        opened.extractall(folder)
    return Machine(folder / "resources")


def test_noise_is_that_of_the_plant_and_new_at_every_instant(tmp_path):
    machine = machine_of(export_fmu(slider(), tmp_path / "n.fmu", period=PERIOD, noise=True), tmp_path / "n")
    machine.begin()
    plant, seen = Plant(slider(), period=PERIOD, noise=True), []
    for k in range(4):
        assert machine.step(k * PERIOD, PERIOD) == ""
        assert machine.seen == plant.step([0.0]).tolist()
    for k in range(8, 16):
        machine.step(k * PERIOD / 2, PERIOD / 2)
        seen += machine.seen
    assert len(set(seen)) == 8


def test_a_ramp_ends_with_the_step_of_the_importing_tool(tmp_path):
    file = export_fmu(slider(acts="ramp"), tmp_path / "r.fmu", period=PERIOD, observations=["joint.mass.acceleration"])
    machine = machine_of(file, tmp_path / "r")
    machine.begin()
    machine.commands["push"] = 2.0
    for k in range(3):
        assert machine.step(5 * k * PERIOD, 5 * PERIOD) == "" and machine.seen == pytest.approx([1.0], rel=1e-12)


@pytest.mark.parametrize(("options", "text"), [
    ({"parameters": ["bodies.mass.joint.axis[5]"]}, "has 3 entries, from 0"),
    ({"path": "a.zip"}, "must end in .fmu"), ({"fmi": "1.0"}, "no version of FMI"),
    ({"parameters": ["bodies.mas.mass"]}, "did you mean 'mass'"), ({"parameters": ["name"]}, "no number"),
    ({"observations": ["mas.position"]}, "did you mean 'mass.position'"),
])  # fmt: skip
def test_mistakes_are_told(options, text):
    with pytest.raises(taut.ScenarioError, match=text):
        export_fmu(slider(), options.pop("path", "a.fmu"), **options)


def test_places_where_nothing_can_be_written_are_told(tmp_path):
    (tmp_path / "a.fmu").mkdir()
    for path, text in ((tmp_path / "a.fmu", "is a folder"), (tmp_path / "no" / "a.fmu", "folder does not exist")):
        with pytest.raises(taut.ResultError, match=text):
            export_fmu(slider(), path)
