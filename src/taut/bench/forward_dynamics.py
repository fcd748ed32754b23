"""Constrained forward dynamics of the 4-4 robot: microseconds per evaluation and growth with the number of elements.

The state is a random one near the start, so that nothing is zero by luck. One evaluation is kinematics, laws, bias,
factor, closures, interface and accelerations. Pinocchio's ``constraintDynamics`` gets the same 78 coordinates and 24
rows, with the forces given.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.bench.timing import best_seconds, one_core
from taut.build import build
from taut.dynamics.forward import forward
from taut.dynamics.positions import move
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
    return build(library.load(SCENARIO, [f"defaults.cable.elements={elements}", f"run.driven={driven}"]))


def random_state(model: Model, seed: int = 1) -> Data:
    """A state near the start, in motion."""
    rng = np.random.default_rng(seed)
    data = new_data(model)
    data.time[0] = 0.5
    move(model.tables, data.q.copy(), 1e-3 * rng.normal(size=model.column_count), data.q)
    data.v[:] = 0.1 * rng.normal(size=model.column_count)
    return data


def evaluation_microseconds(model: Model) -> float:
    """Best time of one evaluation [us]."""
    data, factor = random_state(model), new_factor(model)
    return 1e6 * best_seconds(lambda count: repeat_forward(model.tables, data, factor, count))


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is told what is going on."""
    report("compiling (once)")
    evaluation_microseconds(robot(1, "eliminated"))
    figures: dict[str, Any] = {key: {} for key in FORMS}
    with one_core():
        for elements in ELEMENTS:
            for key, driven in FORMS.items():
                report(f"{elements} elements per cable, exits {driven}")
                figures[key][str(elements)] = evaluation_microseconds(robot(elements, driven))
        exponents = {key: np.log(figures[key]["160"] / figures[key]["40"]) / np.log(4) for key in FORMS}
        figures["exponent_40_160"] = float(max(exponents.values()))
        report("Pinocchio, constraintDynamics")
        figures |= peer_figures(figures["us_multiplier"]["5"])
    return figures


def peer_figures(ours: float) -> dict[str, Any]:
    """Pinocchio on the same system in the same run; None where it is not installed (extra ``bench``)."""
    try:
        from taut.bench.pinocchio_tree import PinocchioTree
    except ImportError:
        return {"pinocchio_us": None, "speedup_vs_pinocchio": None}
    model = robot(5, "multipliers")
    data = random_state(model)
    forward(model.tables, data, new_factor(model))
    theirs = 1e6 * best_seconds(PinocchioTree(model).constraint_dynamics(data))
    return {"pinocchio_us": theirs, "speedup_vs_pinocchio": theirs / ours}


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
