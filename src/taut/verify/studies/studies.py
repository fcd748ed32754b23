"""Studies: equal to single runs, also after kills; every design; statistics against closed forms."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario.errors import ScenarioError
from taut.studies.measures import evaluate
from taut.studies.store import open_study
from taut.studies.study import Study, load_study, study
from taut.studies.sweep import sweep
from taut.verify.quantity import Quantity, at_most
from taut.verify.studies import closed_forms
from taut.verify.studies.kills import SIGNALS, expected_kills, sweep_with_kills

RUNS, KILLS = 2000, 10
SOURCE = "single runs by taut.simulate"
TEXT = """taut-study: 1
name: double pendulums
base: double-pendulum
vary:
  run.duration: 1
  bodies.upper.mass: {from: 1, to: 2}
  bodies.lower.mass: {normal: [1, 0.1]}
design: {kind: random, count: %d, seed: 11}
measure:
  angle: {final: joint_position, joint: lower}
  speed: {peak: body_velocity, by: body}
  ok: audit
"""
LIST = {"kind": "list", "file": "runs.csv"}
DESIGNS: list[tuple[str, dict[str, Any]]] = [
    ("grid", {"design": "grid"}),
    ("random", {"design": {"kind": "random", "count": 6}}),
    ("latin-hypercube", {"design": {"kind": "latin-hypercube", "count": 6}}),
    ("sobol", {"design": {"kind": "sobol", "count": 6}}),
    ("saltelli", {"design": {"kind": "saltelli", "count": 2}}),
    ("morris", {"design": {"kind": "morris", "count": 2}}),
    ("list", {"design": LIST}),
]


def quantities() -> Iterator[Quantity]:
    """Two thousand runs by two workers, a study with kills, all designs, and closed forms."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.yaml"
        file.write_text(TEXT % RUNS, encoding="utf-8")
        read = load_study(file)
        sweep(read, output=Path(folder) / "whole.zarr", workers=2)
        whole = open_study(Path(folder) / "whole.zarr")
        name = f"runs of {RUNS} that differ from single runs in any bit"
        yield at_most(name, different(read, whole), 0.0, SOURCE)
        kinds = sweep_with_kills(file, Path(folder) / "killed.zarr", KILLS, seed=4)
        for kind, count in expected_kills(KILLS).items():
            yield Quantity(f"kills while runs end: {kind}", kinds[kind], count, 0.0, SIGNALS[kind])
        killed = open_study(Path(folder) / "killed.zarr")
        is_same = killed.drop_vars("seconds").identical(whole.drop_vars("seconds"))
        yield Quantity("the dataset after the kills is the same, bit for bit", is_same, 1, 0.0, "undisturbed study")
    for kind, keys in DESIGNS:
        yield at_most(f"{kind}: runs that differ from single runs", design_differences(keys), 0.0, SOURCE)
    yield from closed_forms.quantities()


def different(read: Study, found: Any) -> int:
    """Number of runs of a study that differ from a run on its own."""
    return sum(not is_same_run(read, found, run) for run in range(read.count))


def is_same_run(read: Study, found: Any, run: int) -> bool:
    """Whether a run's measures are those of a run on its own."""
    try:
        result = simulate(build(read.scenario(read.values(run))))
    except ScenarioError:
        return False
    measures = read.record.measure.items()
    return all(np.array_equal(found[name].values[run], evaluate(measure, result)) for name, measure in measures)


def design_differences(keys: dict[str, Any]) -> int:
    """A small study of a design against single runs."""
    way = {"from": 1, "to": 2, "count": 2}
    vary = {"run.duration": 0.05, "bodies.upper.mass": way, "bodies.lower.mass": {**way, "to": 3}}
    measures = {"angle": {"final": "joint_position", "joint": "lower"}, "ok": "audit"}
    if keys["design"] != LIST:
        read = study("double-pendulum", vary, measures, **keys)
        return different(read, sweep(read, workers=1))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "runs.csv"
        file.write_text("bodies.upper.mass,run.integrator\n1,radau\n2,radau\n2,generalized-alpha\n", encoding="utf-8")
        read = study("double-pendulum", {"run.duration": 0.05}, measures, design={**LIST, "file": str(file)})
        return different(read, sweep(read, workers=1))
