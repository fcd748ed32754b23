"""A result of more than 1 GB opens without being read, and stays small in memory."""

import json
import subprocess
import sys

import h5netcdf
import numpy as np
import pytest

CABLES, ELEMENTS, SAMPLES = 60, 12, 60_000  # ten minutes at 100 Hz
ROWS = 20  # written at both ends; the rest is a hole in the file, which reads as zeros

LOOK = """
import json, sys, time
from pathlib import Path
import taut
from taut.views.player import view_results

begin = time.monotonic()
player = view_results(taut.open_result(sys.argv[1]), is_opened=False)
opened = time.monotonic() - begin
shown = []
for wanted in (0.0, 599.0, 300.0, 17.0):
    player.seek(wanted)
    while abs(player.controls.slider.value - wanted) > 1e-6:
        time.sleep(0.01)
    shown.append(float(player.stages[0].bodies[0].position[0]))
# of this program alone: the peak that getrusage knows includes the process that started it
peak = next(int(line.split()[1]) / 1024 for line in Path("/proc/self/status").read_text().splitlines()
            if line.startswith("VmHWM"))
player.close()
print(json.dumps({"opened": opened, "peak": peak, "shown": shown}))
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "large.nc"
    write_large(path)
    yield path
    path.unlink()


def write_large(path):
    """Sixty cables that hang side by side under a body that moves 1 m in 600 s."""
    time = np.arange(SAMPLES) * 0.01
    nodes = np.zeros((ROWS, CABLES, ELEMENTS + 1, 3))
    nodes[..., 0], nodes[..., 2] = np.linspace(-5, 5, CABLES)[:, None], np.linspace(10, 0, ELEMENTS + 1)
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (SAMPLES, 1, 1))
    position = np.stack([time / 600.0, 0 * time, 0 * time], axis=1)[:, None]
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"time": SAMPLES, "body": 1, "cable": CABLES, "node": ELEMENTS + 1, "element": ELEMENTS,
                           "xyz": 3, "wxyz": 4}  # fmt: skip
        file.attrs["format"], file.attrs["format_version"] = "taut result", 1
        file.attrs["title"], file.attrs["scenario"] = "large", "platform: {mass: 1, box: [10, 1, 1]}"
        file.create_variable("time", ("time",), data=time)
        for name, values in (("body", ["platform"]), ("cable", [f"C{k}" for k in range(CABLES)])):
            file.create_variable(name, (name,), data=np.array(values, dtype="S8"))
        file.create_variable("body_position", ("time", "body", "xyz"), data=position)
        file.create_variable("body_quaternion", ("time", "body", "wxyz"), data=quaternion)
        large = file.create_variable("cable_nodes", ("time", "cable", "node", "xyz"), dtype="f8")
        tension = file.create_variable("cable_tension", ("time", "cable", "element"), dtype="f8")
        exits = file.create_variable("cable_tension_exit", ("time", "cable"), dtype="f8")
        for first in (0, SAMPLES - ROWS):
            rows = slice(first, first + ROWS)
            large[rows] = nodes
            tension[rows] = 10.0 + np.sin(time[rows])[:, None, None]
            exits[rows] = 10.0 + np.sin(time[rows])[:, None] * np.ones(CABLES)


@pytest.mark.slow
def test_a_result_of_more_than_one_gigabyte_is_shown_in_less(large):
    assert large.stat().st_size > 1e9
    run = subprocess.run([sys.executable, "-c", LOOK, large], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout.strip().splitlines()[-1])
    np.testing.assert_allclose(answer["shown"], [0.0, 599 / 600, 0.5, 17 / 600], atol=1e-5)
    assert answer["peak"] < 1024  # MB
