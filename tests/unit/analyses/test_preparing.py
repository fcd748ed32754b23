"""Compiled code made in advance: the processes that make it."""

import os
import subprocess
import sys
import time

PROGRAM = """
import os, signal
from taut.analyses.preparing import make_pool
if __name__ == "__main__":
    pool = make_pool(1)
    print(pool.submit(os.getpid).result(), pool.submit(os.getenv, "TAUT_COMPILERS").result(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_processes_of_the_pool_compile_alone_and_end_with_their_owner(tmp_path):
    file = tmp_path / "owner.py"
    file.write_text(PROGRAM)
    said = subprocess.run([sys.executable, file], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    worker, compilers = int(said[0]), said[1]
    assert compilers == "1"
    patience = time.monotonic() + 30
    while is_alive(worker) and time.monotonic() < patience:
        time.sleep(0.05)
    assert not is_alive(worker)


NEEDS_NO_MORE = """
import gc
import taut
from taut.analyses.preparing import SHORT, call_controllers
from taut.analyses.seldom_called import call_seldom_called


def signatures():
    kept = [found for found in gc.get_objects() if hasattr(getattr(found, "_cache", None), "shipped")]
    return {(entry.py_func.__qualname__, signature) for entry in kept for signature in entry.overloads}


for name in ("double-pendulum", "bounce"):
    model = taut.build(taut.load(name))
    taut.simulate(model, duration=SHORT, save_every=SHORT)
    call_seldom_called(model)
call_controllers(taut.build(taut.load("crane-2d")))
prepared = signatures()
runs = {"mamidi-pick-and-place": 0.01, "bounce": 1.0, "crane-2d": 0.05, "stewart-actuated": 0.01, "four-bar": 0.1}
for name, duration in runs.items():
    taut.simulate(taut.build(taut.load(name)), duration=duration)
print(sorted({name for name, _ in signatures() - prepared}), len(prepared))
"""


def test_what_is_prepared_is_all_that_runs_with_events_and_controllers_call(tmp_path):
    file = tmp_path / "needs.py"
    file.write_text(NEEDS_NO_MORE)
    said = subprocess.run([sys.executable, file], stdout=subprocess.PIPE, text=True, check=True).stdout
    missing, count = said.rsplit(maxsplit=1)
    assert missing == "[]" and int(count) > 20
