"""`taut reduce` and `taut run --rom`: files, answers, refusals."""

import json

import pytest

import taut
from command_line import call

CRANE = ("crane-heavy-rope", "--set", "cables[0].elements=8", "--set", "run.duration=1")
MOTION = "drivers.trolley.motion.values=[0, 1]"


pytestmark = pytest.mark.usefixtures("folder")


def test_a_reduced_model_is_made_and_run(folder):
    made = call("reduce", *CRANE, "--train", MOTION, "-o", "crane.rom", "--json")
    assert made.exit_code == 0, made.output
    answer = json.loads(made.stdout)
    assert answer["inputs"] == 2 and answer["cables"]["rope"]["elements"] == 8
    for options in ((), ("--rom-fallback",)):
        ran = call("run", *CRANE, "--rom", "crane.rom", *options, "-o", "crane.nc", "--restart")
        assert ran.exit_code == 0, ran.output
        assert "rom_trust" in taut.open_result(folder / "crane.nc").dataset


def test_refusals_name_what_is_wrong(folder):
    answer = call("run", *CRANE, "--rom-fallback")
    assert answer.exit_code == 2 and "--rom-fallback: needs a reduced model" in answer.output
    answer = call("run", *CRANE, "--rom", "none.rom")
    assert answer.exit_code == 2 and "none.rom: cannot be read: No such file" in answer.output
    answer = call("reduce", "gantry-crane")
    assert answer.exit_code == 2 and "its length changes" in answer.output
