"""The benchmark of what users wait for: its figures and their text."""

import taut
from taut.bench import waiting


def test_the_loop_is_timed_for_every_run():
    machine = taut.Machine("falls")
    machine.body("ball", mass=1.0, joint={"kind": "prismatic", "axis": [0, 0, 1]})
    machine.run(duration=0.1)
    model, spent = taut.build(machine.scenario()), waiting.Stepping()
    with spent:
        found = waiting.times(lambda: taut.simulate(model), 2)
    taut.simulate(model)
    assert len(spent.seconds) == 3 and 0.0 < min(spent.seconds) < found["seconds"]


def test_lines():
    case = {"seconds": 0.02, "processor_seconds": 0.01}
    figures = {"simulate": {**case, "integration": 0.008, "ratio": 2.5}, "commands": {"run": case, "check": case},
               "controllers": {"crane-2d": case}, "python": {"ratio": 1.2}, "event": {"ratio": 1.04}}  # fmt: skip
    lines = waiting.lines(figures)
    assert lines[0] == "taut.simulate: 20.0 ms, integration 8.0 ms: 2.50 times"
    assert len(lines) == 6 and "1.20 times the same marks" in lines[4]
