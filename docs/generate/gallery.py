"""The page docs/gallery.md and its pictures, made from runs of every machine of the library.

Usage: python docs/generate/gallery.py             run all machines, draw them, write the page (some minutes)
       python docs/generate/gallery.py NAME ...    only these machines, and the page
       python docs/generate/gallery.py --page      only the page, from the runs kept

A run leaves docs/pictures/gallery/NAME.png and its numbers in docs/pictures/gallery/runs.json; of these and of the
machine's own file the page is made. Nothing on it is written by hand.
"""

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import taut
from taut import library
from taut.integrate.settings import run_settings
from taut.scenario.scenario import Scenario
from taut.views.film.camera import camera_for
from taut.views.film.picture import Painter
from taut.views.scene.machine import read_machine

DOCS = Path(__file__).resolve().parent.parent
PAGE, PICTURES = DOCS / "gallery.md", DOCS / "pictures" / "gallery"
RUNS = PICTURES / "runs.json"
SIZE = 480, 340  # size of a picture [pixels]
COLOURS = 64
MOST_BYTES = 40_000
MOMENT = 0.6  # share of the run at which the machine is shown; of what is left where something fails
NEARER = 0.5  # size at that moment over that of the whole motion below which the eye goes nearer
WARM = 0.01  # duration of a run before the timed one, which loads the compiled code [s]
POINTS = 300  # number of points of the drawn path

GROUPS = {
    "Cable robots": "A platform on two cables or more.",
    "Carried by drones, vehicles and ships": "The cables' exits move: on quadcopters, on vehicles, on a deck.",
    "Suspended platforms": "Wire ropes of a hundred metres that stretch, swing, twist and go slack.",
    "Cranes and hoists": "Trolleys, hooks, sheaves, drums and counterweights.",
    "Slack, impacts and failures": "What snaps, bounces or breaks.",
    "Manipulators and linkages": "The rigid cousins, closed loops without cables.",
}
CARRIED = ("quadcopter", "mobile", "aerial", "replenishment")
HOISTS = ("crane", "gantry", "tackle", "elevator")
FAILING = ("cut", "loss", "snatch", "snap", "bounce", "ball")

INTRODUCTION = """# Gallery

Every machine of the library, each drawn from a run of its own. `taut run NAME` repeats it, `taut view NAME` opens it in
the studio, `taut init NAME` copies its file here. Times are those of the run alone, on one core of a shared cloud
machine, with the engine compiled and loaded; the first run of a kind [compiles](usage/running.md#run) for a minute.

This page is made by `python docs/generate/gallery.py`.
"""


def group_of(name: str, scenario: Scenario) -> str:
    """Heading under which a machine stands on the page."""
    kinds = {cable.kind for cable in scenario.cables}
    if any(word in name for word in CARRIED):
        return "Carried by drones, vehicles and ships"
    if "ritz" in kinds:
        return "Suspended platforms"
    if any(word in name.split("-") for word in FAILING):
        return "Slack, impacts and failures"
    if (scenario.crane is not None or any(word in name.split("-") for word in HOISTS)) and name != "crane-3":
        return "Cranes and hoists"
    return "Cable robots" if len(scenario.cables) > 1 else "Manipulators and linkages"


def run(name: str) -> dict[str, Any]:
    """Run a machine, draw it, and return the numbers of the page."""
    scenario = library.load(name)
    model = taut.build(scenario)
    summary = taut.describe(model, taut.start_state(model))
    taut.simulate(model, duration=WARM)
    begin = time.perf_counter()
    result = taut.simulate(model)
    seconds = time.perf_counter() - begin
    draw(result, [failure.name for failure in scenario.failures], PICTURES / f"{name}.png")
    return {
        "bodies": len(summary["bodies"]),
        "cables": len(summary["cables"]),
        "degrees_of_freedom": summary["degrees_of_freedom"],
        "duration": scenario.run.duration,
        "simulated": float(result.time[-1]),
        "integrator": run_settings(model, {}).integrator,
        "status": result.status,
        "audit": result.audit["verdict"],
        "seconds": float(f"{seconds:.2g}"),
    }


def draw(result: taut.Result, failures: list[str], file: Path) -> None:
    """The machine at one moment, with the path of its main body so far."""
    machine = read_machine(result)
    frame = machine.frames.at(moment_of(result, failures))
    low, high = machine.box_at(frame)
    is_small = np.linalg.norm(high - low) < NEARER * np.linalg.norm(machine.high - machine.low)
    camera = camera_for(machine, *SIZE, frame=frame if is_small else None)
    # seen from nearby, a path only hides the machine
    path = machine.path(machine.main_body, POINTS) if machine.main_body and not is_small else None
    behind = path[1][path[0] <= frame.time] if path is not None else None
    picture = Image.fromarray(np.asarray(Painter(machine, camera).draw(frame, behind)))
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
    if file.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{file} has {file.stat().st_size} bytes, more than {MOST_BYTES}")


def moment_of(result: taut.Result, failures: list[str]) -> float:
    """The time to show [s]: after the first failure, or when something has been let go."""
    found = [event for event in result.events if event["name"] in failures or event["what"].endswith("lets go")]
    begin = float(found[0]["time"]) if found else 0.0
    return begin + MOMENT * (float(result.time[-1]) - begin)


def source_of(name: str) -> str:
    """The comment at the head of a machine's file: what it is, and where its numbers come from."""
    lines = library.path(name).read_text(encoding="utf-8").split("taut: 1")[0].splitlines()
    text = " ".join(line.removeprefix("#").strip() for line in lines).strip()
    return re.sub(r"\s*SI units[^.]*\.\s*$", "", text)


def plain(text: str) -> str:
    """A text in which nothing but names of commands is markup."""
    return re.sub(r"([\\*_<>\[\]|])", r"\\\1", text)


def counted(count: int, one: str, many: str) -> str:
    """A number of things in words."""
    return f"{count} {one if count == 1 else many}"


def numbers(found: dict[str, Any]) -> str:
    """Key numbers of a run in one line."""
    what = [counted(found["bodies"], "body", "bodies"), counted(found["cables"], "cable", "cables"),
            counted(found["degrees_of_freedom"], "degree of freedom", "degrees of freedom")]  # fmt: skip
    shown = f"{found['simulated']:.4g} s of motion in {found['seconds']:g} s"
    if found["status"] != "completed":
        shown += f" (of {found['duration']:g} s; ends as *{found['status']}*)"
    return f"{', '.join(what)}. {shown}; `{found['integrator']}`; audit: {found['audit']}."


def entry(name: str, scenario: Scenario, found: dict[str, Any]) -> str:
    """Section of one machine on the page."""
    source = plain(source_of(name))
    description = scenario.description[:1].upper() + scenario.description[1:]
    return "\n".join([
        f"### {name}", "",
        f"![{plain(scenario.name)}](pictures/gallery/{name}.png)", "",
        f"{plain(description.rstrip('.'))}.", "",
        numbers(found), "",
        source if "Source:" in source else f"*Source:* {source}", "",
        f"`taut run {name}`", "",
    ])  # fmt: skip


def page() -> str:
    """The text of docs/gallery.md."""
    runs = json.loads(RUNS.read_text(encoding="utf-8"))
    machines = {name: library.load(name) for name in library.names() if name in runs}
    parts = [INTRODUCTION]
    for group, remark in GROUPS.items():
        members = [name for name, scenario in machines.items() if group_of(name, scenario) == group]
        parts += [f"## {group}\n\n{remark}\n", *(entry(name, machines[name], runs[name]) for name in members)]
    return "\n".join(parts)


def main(words: list[str]) -> None:
    """Run what is asked for, and write the page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    runs = json.loads(RUNS.read_text(encoding="utf-8")) if RUNS.is_file() else {}
    for name in [] if words == ["--page"] else words or library.names():
        runs[name] = run(name)
        print(f"{name}: {numbers(runs[name])}", flush=True)
        kept = {key: runs[key] for key in library.names() if key in runs}
        RUNS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
