"""The server listens before anything slow is imported, so that a browser loads its page meanwhile."""

import subprocess
import sys

START = """
import sys
from taut.views.player.server import address, new_server, stop_server
server = new_server("taut")
slow = sorted({"xarray", "pandas", "numba", "matplotlib", "scipy", "taut.results"} & set(sys.modules))
print(address(server), slow)
stop_server(server)
"""
LATE = """
import sys, taut
from taut.views.player import view_results
player = view_results(taut.open_result(sys.argv[1]), is_opened=False)
print(sorted({"numba", "matplotlib"} & set(sys.modules)))
player.close()
"""


def last_line(program, *arguments):
    run = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip().splitlines()[-1]


def test_a_server_needs_nothing_slow():
    address, _, slow = last_line(START).partition(" ")
    assert address.startswith("http://127.0.0.1:") and slow == "[]"


def test_a_page_needs_no_compiler(tmp_path):
    from unit.results.synthetic import synthetic_result

    synthetic_result(samples=5).save(tmp_path / "run.nc")
    assert last_line(LATE, str(tmp_path / "run.nc")) == "[]"
