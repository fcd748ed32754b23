"""Constrained forward dynamics of the 4-4 robot: microseconds per evaluation and growth with the number of elements.

The state is a random one near the start, so that nothing is zero by luck. One evaluation is kinematics, laws, bias,
factor, closures, interface and accelerations. Pinocchio's ``constraintDynamics`` gets the same 78 coordinates and 24
rows, with the forces given; ours is called in a compiled loop, theirs from Python.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.bench.timing import best_seconds, one_core
from taut.build import build
from taut.dynamics.forward import forward
from taut.dynamics.tree.positions import move
from taut.kernels.jit import kernel
from taut.model import Data, Model, new_data, new_factor

SCENARIO = "mamidi-pick-and-place"
ELEMENTS = (5, 10, 20, 40, 80, 160)
FORMS = {"us_multiplier": "multipliers", "us_eliminated": "eliminated"}


@kernel
def repeat_forward(model, data, factor, count):
    """Evaluate ``count`` times."""
    for _ in range(count):
        forward(model, data, factor)


def robot(elements: int, driven: str) -> Model:
    """The 4-4 robot with a number of elements per cable."""
    return build(library.load(SCENARIO, [f"defaults.cable.elements={elements}", f"run.driven={driven}", "ground=null"]))


def random_state(model: Model, seed: int = 1) -> Data:
    """A state near the start, in motion."""
    rng = np.random.default_rng(seed)
    data = new_data(model)
    data.time[0] = 0.5
    move(model.tables, data.q.copy(), 1e-3 * rng.normal(size=model.column_count), data.q)
    data.v[:] = 0.1 * rng.normal(size=model.column_count)
    return data


def evaluations(model: Model) -> Callable[[int], object]:
    """A call that makes a number of evaluations."""
    data, factor = random_state(model), new_factor(model)
    return lambda count: repeat_forward(model.tables, data, factor, count)


def peer_evaluations() -> Callable[[int], object] | None:
    """Evaluations by Pinocchio on the same system; None where it is not installed (extra ``bench``)."""
    try:
        from taut.bench.pinocchio_tree import PinocchioTree
    except ImportError:
        return None
    model = robot(5, "multipliers")
    data = random_state(model)
    forward(model.tables, data, new_factor(model))
    return PinocchioTree(model).constraint_dynamics(data)


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    report("compiling (once)")
    evaluations(robot(1, "eliminated"))(1)
    report("building the robots")
    calls: dict[Any, Any] = {(key, n): evaluations(robot(n, form)) for key, form in FORMS.items() for n in ELEMENTS}
    peer = peer_evaluations()
    if peer is not None:
        calls["pinocchio"] = peer
    report("measuring, in turns")
    with one_core():
        best = best_seconds(calls)
    figures: dict[str, Any] = {key: {str(n): 1e6 * best[key, n] for n in ELEMENTS} for key in FORMS}
    exponents = [np.log(figures[key]["160"] / figures[key]["40"]) / np.log(4) for key in FORMS]
    figures["exponent_40_160"] = float(max(exponents))
    theirs = 1e6 * best["pinocchio"] if peer is not None else None
    figures["pinocchio_us"] = theirs
    figures["speedup_vs_pinocchio"] = theirs / figures["us_multiplier"]["5"] if theirs is not None else None
    return figures


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as a small table."""
    rows = ["elements per cable   multipliers [us]   eliminated [us]"]
    held, eliminated = figures["us_multiplier"], figures["us_eliminated"]
    rows += [f"{n:18d}   {held[str(n)]:16.2f}   {eliminated[str(n)]:15.2f}" for n in ELEMENTS]
    rows.append(f"growth exponent from 40 to 160 elements: {figures['exponent_40_160']:.3f}")
    if figures["pinocchio_us"] is None:
        rows.append("Pinocchio is not installed: pip install 'taut[bench]'")
    else:
        rows.append(f"Pinocchio constraintDynamics, 5 elements: {figures['pinocchio_us']:.1f} us, "
                    f"{figures['speedup_vs_pinocchio']:.1f} times ours")  # fmt: skip
    return rows
