"""The page of `taut view`, by its own server: it shows what the result says, to this machine only, and reads little.

The large result is a file with a hole: only its two ends are written, the rest reads as zeros and takes no disk.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from taut.verify.quantity import Quantity, at_most

CABLES, ELEMENTS, SAMPLES, DURATION = 60, 12, 60_000, 600.0  # size of the result: ten minutes at 100 samples per second
ROWS = 20  # number of first and of last rows that are written
WANTED = (0.0, 599.0, 300.0, 17.0)  # times to which the view jumps [s]
GIGABYTE = 1000.0  # limit of memory [MB]
SERVER = "what the server is built for"
LOOK = "import sys; from taut.verify.trust.see import look; look(sys.argv[1])"


def quantities() -> Iterator[Quantity]:
    """Open a large result in its own process, and look around in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.nc"
        write_hollow(path)
        size = path.stat().st_size / 1e6
        seen = look_apart(path)
    error = np.abs(np.array(seen["shown"]) - np.array(WANTED) / DURATION).max()
    yield at_most("place in the page less place in the result", error, 1e-6, "the result", "m")
    yield at_most(f"memory for a result of {size:.0f} MB", seen["peak"], GIGABYTE, "read as it is shown", "MB")
    yield Quantity("addresses listened on beside the loopback one", seen["open"], 0, 0, SERVER)
    yield Quantity("clients of two that get the scene after a third vanished", seen["clients"], 2, 0, SERVER)


def write_hollow(path: Path) -> None:
    """Write sixty cables that hang side by side under a body that moves 1 m in 600 s."""
    import h5netcdf

    time = np.arange(SAMPLES) * DURATION / SAMPLES
    nodes = np.zeros((ROWS, CABLES, ELEMENTS + 1, 3))
    nodes[..., 0], nodes[..., 2] = np.linspace(-5, 5, CABLES)[:, None], np.linspace(10, 0, ELEMENTS + 1)
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (SAMPLES, 1, 1))
    position = np.stack([time / DURATION, 0 * time, 0 * time], axis=1)[:, None]
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


def look_apart(path: Path) -> dict[str, Any]:
    """Look at a result in a process of its own, whose memory is then that of the page."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", LOOK, str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def look(path: str) -> None:
    """Open a result, go to some times, let clients come and go, and print what was found as JSON."""
    from taut.results.result import open_result
    from taut.views.player import view_results

    begin = time.monotonic()
    player = view_results(open_result(path), is_opened=False)
    opened = time.monotonic() - begin
    shown = []
    for wanted in WANTED:
        player.seconds_to_show(wanted)
        shown.append(float(player.stages[0].bodies[0].position[0]))
    clients, strange = served_clients(player.address), open_addresses(player.server.get_port())
    # memory of this process alone: the peak from getrusage includes that of the process that started it
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(line.split()[1]) * 1.024e-3 for line in lines if line.startswith("VmHWM"))
    player.close()
    print(json.dumps({"opened": opened, "peak": peak, "shown": shown, "clients": clients, "open": strange}))


def served_clients(address: str) -> int:
    """Number of two clients that get the scene, after one that vanished in the middle of a message."""
    import viser
    from websockets.sync.client import connect

    def client():
        place = address.replace("http", "ws")
        return connect(place, subprotocols=[f"viser-v{viser.__version__}"], max_size=None, compression=None)  # type: ignore[arg-type]

    gone = client()
    gone.recv(timeout=30)
    # a client that vanishes: the head of a masked message of 1000 bytes and three of them, then the connection is
    # closed
    gone.socket.sendall(bytes([0x82, 0xFE, 0x03, 0xE8]) + b"\x01\x02\x03\x04" + b"abc")
    gone.socket.close()
    with client() as one, client() as two:
        return sum(len(each.recv(timeout=30)) > 1000 for each in (one, two))


def open_addresses(port: int) -> int:
    """How many addresses beside 127.0.0.1 listen on a port."""
    count = 0
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            local, state = line.split()[1], line.split()[3]
            count += state == "0A" and local.endswith(f":{port:04X}") and local != f"0100007F:{port:04X}"
    return count
