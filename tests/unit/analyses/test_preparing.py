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
