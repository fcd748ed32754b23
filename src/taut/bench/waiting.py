"""What users wait for: a whole ``taut.simulate``, `taut run` and `taut check`, controllers, and events that never come.

A whole run is compared with its integration, the time that it spends in the compiled stepping loop. Commands are timed
from the start of their process, imports included, with compiled code on the disk. A Python function that is called at
every sample is compared with the same run whose force has a jump at each of these times, since a step ends and the
method restarts there too; also given is the same run with steps that end there, without a restart. Processor times
are of the process; on a machine with nothing else to do they are those of the clock.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.radau.method import Radau
from taut.integrate.simulate import simulate
from taut.model import Model
from taut.scenario.io.reading import loads

SCENARIO = "mamidi-pick-and-place"
CONTROLLED = ("crane-2d", "winch-robot-circle", "crane-hoisting")
COMMAND = "from taut.cli import main; main()"
REPEATS = 15
RUNS = 5  # number of timed calls of commands, and of runs of machines with controllers
# sampling period of the Python function, equal to that of the results, and duration of the run [s]
PERIOD, END = 0.01, 6.0
TINY = 1e-9  # force whose jumps mark the times of a run [N]


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    figures = {"simulate": whole(report), "commands": commands(report), "controllers": {}}
    for name in CONTROLLED:
        report(name)
        model = build(library.load(name))
        figures["controllers"][name] = times(lambda model=model: simulate(model), RUNS)
    return figures | {"python": python_function(report), "event": idle_event(report)}


def whole(report: Callable[[str], None]) -> dict[str, Any]:
    """A whole run of a model that has run before, and the share of its integration."""
    report(f"taut.simulate of {SCENARIO}")
    model = build(library.load(SCENARIO))
    simulate(model)
    spent = Stepping()
    with spent:
        found = times(lambda: simulate(model), REPEATS)
    integration = statistics.median(spent.seconds[-REPEATS:])
    return found | {"integration": integration, "ratio": found["seconds"] / integration}


class Stepping:
    """While this is open, the seconds of every run in the compiled stepping loop are added up."""

    def __init__(self) -> None:
        """Start at zero seconds."""
        self.seconds: list[float] = []
        self._known: Any = None

    def __enter__(self) -> None:
        """Replace Radau's method by one that is timed."""
        self._advance = Radau.advance
        advance, seconds = self._advance, self.seconds

        def timed(method: Radau, samples: Any, most_steps: int) -> int:
            if self._known is not method:
                self._known = method
                seconds.append(0.0)
            begin = time.perf_counter()
            code = advance(method, samples, most_steps)
            seconds[-1] += time.perf_counter() - begin
            return code

        method: Any = Radau
        method.advance = timed

    def __exit__(self, *_: object) -> None:
        """Put Radau's method back."""
        Radau.advance = self._advance


def times(call: Callable[[], Any], repeats: int) -> dict[str, float]:
    """Medians of the clock's and the processor's seconds of several equal calls, after one that is not counted."""
    call()
    clock, processor = [], []
    for _ in range(repeats):
        begin, working = time.perf_counter(), time.process_time()
        call()
        clock.append(time.perf_counter() - begin)
        processor.append(time.process_time() - working)
    return {"seconds": statistics.median(clock), "processor_seconds": statistics.median(processor)}


def commands(report: Callable[[str], None]) -> dict[str, Any]:
    """`taut run` with its file, and `taut check`, in processes of their own."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        output = str(Path(folder, "out.nc"))
        asked = {"run": ["run", SCENARIO, "-o", output, "--restart"], "check": ["check", SCENARIO]}
        for name, words in asked.items():
            report(f"taut {name}")
            own = [command(words) for _ in range(RUNS + 1)][1:]
            found[name] = {key: statistics.median(one[key] for one in own) for key in own[0]}
    return found


def command(words: list[str]) -> dict[str, float]:
    """Seconds of one command, from the start of its process to its end."""
    source = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])}
    # bytecode is part of what is warm
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-c", COMMAND, *words], env=environment, check=True, capture_output=True)
    seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    working = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return {"seconds": seconds, "processor_seconds": working}


def pushed(signal: dict[str, Any], more: str = "") -> Model:
    """The robot with one more force on its platform."""
    text = library.path(SCENARIO).read_text()
    force = f"\nsignals: {{push: {json.dumps(signal)}}}\nforces: [{{body: platform, force: [push, 0, 0]}}]\n"
    return build(loads(text + force + more))


def python_function(report: Callable[[str], None]) -> dict[str, Any]:
    """Seconds of runs with a Python function called at every sample, with as many marks instead, and without either."""
    marks = np.arange(0.0, END + 0.5 * PERIOD, PERIOD).round(6).tolist()
    # kinks: the force is continuous, its slope jumps at every mark
    zigzag = {"kind": "waypoints", "times": marks, "values": [TINY * (k % 2) for k in range(len(marks))],
              "blend": "linear"}  # fmt: skip
    watched = "measurements: {place: {body: platform}}\n"
    watched += f"controllers: {{watch: {{kind: python, period: {PERIOD}, commands: [push]}}}}\n"
    models = {"python": pushed({"kind": "command"}, watched), "marks": pushed(zigzag)}
    plain = build(library.load(SCENARIO))
    calls: dict[str, Callable[[], Any]] = {
        "python": lambda: simulate(models["python"], controllers={"watch": lambda time, measured: {"push": 0.0}}),
        "marks": lambda: simulate(models["marks"]),
        "stops": lambda: simulate(plain, stops=marks[1:-1]),
    }
    found: dict[str, Any] = {}
    for name, call in calls.items():
        report(f"a Python controller: {name}")
        found[name] = times(call, RUNS)
    return found | {"ratio": found["python"]["processor_seconds"] / found["marks"]["processor_seconds"]}


def idle_event(report: Callable[[str], None]) -> dict[str, Any]:
    """Seconds of runs with and without an event that never happens, and their ratio."""
    report("an event that never happens")
    never = "\nevents: [{name: never, measure: position, value: 50, crossing: up}]\n"
    without, with_it = build(library.load(SCENARIO)), build(loads(library.path(SCENARIO).read_text() + never))
    found = {"without": times(lambda: simulate(without), REPEATS), "with": times(lambda: simulate(with_it), REPEATS)}
    return found | {"ratio": found["with"]["processor_seconds"] / found["without"]["processor_seconds"]}


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    one = figures["simulate"]
    text = [f"taut.simulate: {1e3 * one['seconds']:.1f} ms, integration {1e3 * one['integration']:.1f} ms: "
            f"{one['ratio']:.2f} times"]  # fmt: skip
    text += [f"taut {name}: {case['seconds']:.2f} s, processor {case['processor_seconds']:.2f} s"
             for name, case in figures["commands"].items()]  # fmt: skip
    text += [f"{name}: {1e3 * case['seconds']:.0f} ms, processor {1e3 * case['processor_seconds']:.0f} ms"
             for name, case in figures["controllers"].items()]  # fmt: skip
    text.append(f"a Python function at every sample: {figures['python']['ratio']:.2f} times the same marks without it")
    text.append(f"an event that never happens: {figures['event']['ratio']:.2f} times the run without it")
    return text
