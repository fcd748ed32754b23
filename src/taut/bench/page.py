"""A page of `taut view` in a real browser, timed: what the page needs, with and without the drawing.

Without a graphics card the browser draws in software, which takes most of the time. So the page is opened twice: as it
is, and with a WebGL that draws nothing. The first says what such a machine needs; the difference is what a graphics
card takes over. A busy machine adds to the seconds of the clock, hardly to those of the processor.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
NO_DRAWING = ["--disable-gpu", "--disable-accelerated-2d-canvas"]
COMMAND = "from taut.cli import main; main()"
PATIENCE = 120_000  # longest wait for the page [ms]
# script: whether the scene has the platform, and a picture was made with it
IS_SHOWN = """() => { const nodes = window.__viserMutable?.nodeRefFromName ?? {};
  return Object.keys(nodes).some(name => name.includes('/body/') && nodes[name]); }"""
PICTURE = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Server(NamedTuple):
    """`taut view` in its own process."""

    process: subprocess.Popen
    address: str
    begin: float  # time at which the process was started [s]


def find_browser() -> str | None:
    """Path of a browser on this machine, or None."""
    names = (os.environ.get("TAUT_BROWSER") or "", *BROWSERS)
    return next((path for path in (shutil.which(name) for name in names if name) if path), None)


def start_view(result: Path) -> Server:
    """Start `taut view RESULT --no-open` and wait for its address."""
    begin = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", COMMAND, "view", str(result), "--no-open"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    words = process.stdout.readline().split()
    if len(words) < 2:
        raise RuntimeError(f"taut view {result} did not start")
    return Server(process, words[1], begin)


def open_page(browser: Any, result: Path, *, is_drawn: bool) -> dict[str, float]:
    """Seconds from the start of the command to its address and to the machine in the page; and of processors."""
    context = browser.new_context(viewport={"width": 1280, "height": 760})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    if not is_drawn:
        page.add_init_script(path=Path(__file__).with_name("no_drawing.js"))
    session = browser.new_browser_cdp_session()
    before = _processors(session)
    server = start_view(result)
    try:
        address = time.monotonic() - server.begin
        page.goto(server.address, wait_until="commit")
        page.wait_for_selector(".taut-readout")
        page.wait_for_function(IS_SHOWN)
        page.evaluate(PICTURE)
        shown = time.monotonic() - server.begin
        after = _processors(session)
        spent = {f"processor_{kind}": after.get(kind, 0.0) - before.get(kind, 0.0) for kind in ("renderer", "GPU")}
        pid = server.process.pid
        return {"address": address, "shown": shown, "processor_taut": _processor_of(pid), **spent,
                "peak_megabytes": peak_of(pid)}  # fmt: skip
    finally:
        context.close()
        server.process.terminate()
        server.process.wait()


def _processors(session: Any) -> dict[str, float]:
    """Processor seconds of the browser's processes, by what they do."""
    found: dict[str, float] = {}
    for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
        found[process["type"]] = found.get(process["type"], 0.0) + process["cpuTime"]
    return found


def _processor_of(pid: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_of(pid: int) -> float:
    """Largest memory of a process so far [MB]."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
