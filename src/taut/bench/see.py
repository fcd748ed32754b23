"""Looking at results: how soon the page shows the machine, how quickly it follows, how long a film takes.

Seconds of the clock depend on what else the machine does; those of the processor hardly do.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from taut import library
from taut.bench.large_result import write_large
from taut.bench.page import FLAGS, NO_DRAWING, SOFTWARE, find_browser, open_page
from taut.bench.timing import one_core
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import open_result

REPEATS = 3
SEEKS = 60
FILM_SECONDS, FILM_RATE = 10.0, 30.0
NAMES = {"pick-and-place": "pick and place, 6 s", "large": "60 cables, 10 min at 100 Hz"}
FILM = """
import json, sys, time
begin = time.perf_counter()
from taut.results.result import open_result
from taut.views.film import FilmSettings, animate
result = open_result(sys.argv[1])
speed = float(result.time[-1] - result.time[0]) / float(sys.argv[3])
animate(result, sys.argv[2], FilmSettings(fps=float(sys.argv[4]), speed=speed))
print(json.dumps({"clock": time.perf_counter() - begin, "processor": time.process_time()}))
"""


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.nc" for name in NAMES}
        report("making the results")
        simulate(build(library.load("mamidi-pick-and-place")), output=files["pick-and-place"])
        write_large(files["large"])
        figures["megabytes"] = {name: file.stat().st_size / 1e6 for name, file in files.items()}
        figures["page"] = pages(files, report)
        for name, file in files.items():
            report(f"{name}: moments")
            figures.setdefault("moments", {})[name] = moments(file)
        report("film")
        figures["film"] = film(files["pick-and-place"], Path(folder) / "film.mp4")
    figures["load"] = os.getloadavg()[0]
    return figures


def pages(files: dict[str, Path], report: Callable[[str], None]) -> dict[str, Any]:
    """Open every result with and without drawing; of several times the quickest."""
    path = find_browser()
    if path is None:
        return {}
    from playwright.sync_api import sync_playwright

    found: dict[str, Any] = {name: {} for name in files}
    with sync_playwright() as playwright:
        for words, flags in (("no drawing", NO_DRAWING), ("software", SOFTWARE)):
            browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
            for name, file in files.items():
                report(f"{name}: page, {words}")
                rounds = [open_page(browser, file, is_drawn=words == "software") for _ in range(REPEATS)]
                found[name][words] = {key: min(r[key] for r in rounds if key in r) for key in rounds[0]}
            browser.close()
    return found


def moments(file: Path) -> dict[str, float]:
    """Milliseconds to show a moment, of those in order and of those anywhere, and the largest of each [ms]."""
    from taut.views.player import view_results

    player = view_results(open_result(file), is_opened=False)
    try:
        end, random = player.machine.frames.end, np.random.default_rng(1)
        orders = {"in order": 0.3 * end + np.arange(SEEKS) / 30.0, "anywhere": random.uniform(0.0, end, SEEKS)}
        found = {}
        for words, times in orders.items():
            spent = [player.seconds_to_show(float(t)) for t in times]
            found[words], found[f"{words}, longest"] = 1e3 * float(np.median(spent)), 1e3 * max(spent)
        return found
    finally:
        player.close()


def film(result: Path, output: Path) -> dict[str, float]:
    """Seconds of a whole film on one core, from the import to the file, encoder included."""
    command = [sys.executable, "-c", FILM, str(result), str(output), str(FILM_SECONDS), str(FILM_RATE)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with one_core():
        begin, before = time.perf_counter(), os.times()
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        clock, after = time.perf_counter() - begin, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    own = json.loads(done.stdout.splitlines()[-1])
    return {"clock": clock, "processor": processor, "drawing": own["processor"], "pictures": FILM_SECONDS * FILM_RATE}


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as tables in Markdown."""
    heads = "| page | drawing | address [s] | machine shown [s] | processor: taut, page, drawing [s] | memory [MB] |"
    text = [heads, "|---" * 6 + "|"]
    for name, kinds in figures["page"].items():
        for words, row in kinds.items():
            processor = ", ".join(f"{row.get(f'processor_{k}', 0.0):.1f}" for k in ("taut", "renderer", "GPU"))
            text.append(f"| {NAMES[name]} | {words} | {row['address']:.2f} | {row['shown']:.2f} | {processor} | "
                        f"{row['peak_megabytes']:.0f} |")  # fmt: skip
    if not figures["page"]:
        text.append("| no browser on this machine | | | | | |")
    text += ["", "| moments | in order [ms] | longest | anywhere [ms] | longest |", "|---" * 5 + "|"]
    for name, row in figures["moments"].items():
        text.append(f"| {NAMES[name]}, {figures['megabytes'][name]:.0f} MB | "
                    + " | ".join(f"{value:.1f}" for value in row.values()) + " |")  # fmt: skip
    film = figures["film"]
    text += ["", f"film of {FILM_SECONDS:g} s, {film['pictures']:.0f} pictures of 1280x720, on one core: "
             f"{film['clock']:.1f} s, {film['processor']:.1f} s of the processor",
             f"load of the machine at the end: {figures['load']:.1f} processes"]  # fmt: skip
    return text
