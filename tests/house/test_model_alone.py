"""A model stands alone: what runs it reads no scenario, and another process can run it."""

import ast
import pickle
import subprocess
import sys

import pytest

import taut
from house.sources import PACKAGE
from taut import library
from taut.build.again import with_run

ROOMS = ("kernels", "dynamics", "integrate", "control")
OTHER_PROCESS = """
import pickle, sys, taut
model = pickle.load(open(sys.argv[1], "rb"))
print(taut.simulate(model)["body_position"].values.tobytes().hex())
"""


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_that_run_a_model_read_no_scenario(room):
    for path in sorted((PACKAGE / room).rglob("*.py")):
        names = [node.lineno for node in ast.walk(ast.parse(path.read_text()))
                 if isinstance(node, ast.Attribute) and node.attr == "scenario"]  # fmt: skip
        assert not names, f"{path.name} reads a scenario in lines {names}"


@pytest.mark.parametrize("name", ["double-pendulum", "crane-2d"])
def test_a_pickled_model_runs_in_another_process_to_the_same_bits(name, tmp_path):
    model = with_run(taut.build(library.load(name)), {"duration": 0.5})
    (tmp_path / "model").write_bytes(pickle.dumps(model))
    found = subprocess.run([sys.executable, "-c", OTHER_PROCESS, str(tmp_path / "model")], check=True,
                           capture_output=True, text=True)  # fmt: skip
    assert found.stdout.strip() == taut.simulate(model)["body_position"].values.tobytes().hex()


def test_a_longer_run_builds_nothing_but_signals_and_is_the_same():
    scenario = library.load("aerial-crane")
    longer = with_run(taut.build(library.load("aerial-crane", ["run.duration=3"])), {"duration": scenario.run.duration})
    assert longer.digest() == taut.build(scenario).digest()
    assert longer.breakpoints == taut.build(scenario).breakpoints
