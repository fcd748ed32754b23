"""The explicit midpoint rule with a fixed step, as "Add an integrator" says."""

MIDPOINT = '''"""The explicit midpoint rule with a fixed step, order 2 [Hairer 1993, sec. II.1].

    y_1 = y_0 + h f(t + h/2, y_0 + h/2 f(t, y_0))                                                               (1)
"""

import numpy as np

from taut.integrate.explicit.advance import close_end, take_sample
from taut.integrate.explicit.step import evaluate_stage
from taut.integrate.step.one_step import OneStep
from taut.integrate.samples.raw import Samples
from taut.integrate.step.scales import set_scales
from taut.integrate.status import MORE, NOT_FINITE
from taut.integrate.step.dense import close_step, hermite_terms
from taut.integrate.step.to_event import end_value, first_event, stepping_to_event, without_event
from taut.integrate.step.size import asked_step
from taut.integrate.step.work import Shape, new_step_work
from taut.integrate.step.time_loop import sampling, step_trial, time_loop
from taut.kernels.arrays import copy
from taut.kernels.jit import block, entry
from taut.model import Data, Model
from taut.model.enums import JointKind

SHAPE = Shape(stages=3, terms=3)
HALF = 0.5
USUAL_STEP = 1e-3  # [s]


@block
def solve_step(model, work, h):
    """Eq. (1) and the cubic through both ends."""
    K, begin, now, end, time = work.K, work.y_begin, work.y_now, work.y_end, work.clock[0].time
    copy(begin, now)
    evaluate_stage(model, work, 0, time)
    for c in range(len(now)):
        now[c] = begin[c] + HALF * h * K[0, c]
    evaluate_stage(model, work, 1, time + HALF * h)
    for c in range(len(now)):
        end[c] = begin[c] + h * K[1, c]
    copy(end, now)
    evaluate_stage(model, work, 2, time + h)
    hermite_terms(work, h, K[0], K[2])
    return True


step_to_event = stepping_to_event(solve_step, end_value)


@block
def take_step(model, work, samples, h):
    """A step; one with an event in it is taken anew until it ends there."""
    solve_step(model, work, h)
    s, event, slope, low, high = first_event(model, work, h)
    if event < 0:
        return without_event(work, s, event, h)
    work.count[0].event = event
    return step_to_event(model, work, s * h, slope, low * h, high * h)


@block
def settle_step(model, work, h):
    """Close the end of a step, if it is finite."""
    for c in range(len(work.y_end)):
        if not abs(work.y_end[c]) < np.inf:
            return NOT_FINITE
    work.clock[0].step = work.clock[0].nominal
    close_end(model, work, h)
    return MORE


@block
def finish_step(model, work, samples):
    """The end of the step becomes the begin of the next."""
    close_step(work, samples)


try_step = step_trial(asked_step, take_step, settle=settle_step)
loop = time_loop(try_step, sampling(take_sample), finish_step)


@entry
def midpoint_advance(model, work, samples, most_steps):
    """Steps until the segment's end; returns a code of ``integrate.status``."""
    return loop(model, work, samples, most_steps)


class Midpoint(OneStep):
    """One run by the explicit midpoint rule."""

    name = "midpoint"
    order = 2
    stability = "bounded"
    citation = "Hairer1993"
    counted = {"accepted": "accepted", "evaluations": "evaluated"}

    def __init__(
        self, model: Model, data: Data, tolerance: float, largest_step: float = np.inf, *,
        step: float | None = None, closing: bool = True,
    ) -> None:
        """Begin at the state in ``data``."""
        work = new_step_work(model, data, SHAPE)
        super().__init__(model, work, tolerance, largest_step, step or USUAL_STEP)
        set_scales(work, model, data, tolerance)
        work.count[0].is_closed = closing
        work.count[0].has_driven = np.any(model.tables.nodes["kind"] == JointKind.DRIVEN)

    def advance(self, samples: Samples, most_steps: int) -> int:
        """Step on; returns a code of ``integrate.status``."""
        return int(midpoint_advance(self.model.tables, self.work, samples, most_steps))
'''
EDITS = {
    "integrate/midpoint.py": MIDPOINT,
    "integrate/settings.py": [
        (
            '    "radau": "taut.integrate.radau.method:Radau",\n',
            '    "radau": "taut.integrate.radau.method:Radau",\n    "midpoint": "taut.integrate.midpoint:Midpoint",\n',
        ),
        ("    GeneralizedAlpha,\n    MoreauJean,", "    GeneralizedAlpha,\n    Midpoint,\n    MoreauJean,"),
        (
            "    explicit: Explicit | dict[str, Any] | None\n",
            "    explicit: Explicit | dict[str, Any] | None\n    midpoint: Midpoint | dict[str, Any] | None\n",
        ),
        (
            "    explicit: Explicit = Explicit()\n",
            "    explicit: Explicit = Explicit()\n    midpoint: Midpoint = Midpoint()\n",
        ),
    ],
    "scenario/records/run.py": [
        (
            'Stabilisation = Literal["projection", "none"]',
            "class Midpoint(Record):\n"
            '    """Settings of the integrator midpoint."""\n\n'
            '    closing: Flag = note("loops are closed after every step", True)\n\n\n'
            'Stabilisation = Literal["projection", "none"]',
        ),
        (
            '    explicit: Explicit = note("settings of the integrator explicit", Explicit())\n',
            '    explicit: Explicit = note("settings of the integrator explicit", Explicit())\n'
            '    midpoint: Midpoint = note("settings of the integrator midpoint", Midpoint())\n',
        ),
    ],
}
MISTAKE = ("integrate/midpoint.py", "HALF = 0.5", "HALF = 0.45")


def check():
    """The method has its stated order on a pendulum, passes its audit, finds an event, and knows its settings."""
    import numpy as np

    import taut
    from taut.integrate.settings import ALL_INTEGRATORS

    machine = taut.Machine("swing").run(duration=0.32, save_every=0.16, tolerance=1e-4)
    joint = {"kind": "revolute", "axis": [0, 1, 0], "position": 1.0}
    machine.body("bob", mass=1.0, inertia=[0.01] * 3, com=[0, 0, -1], joint=joint)
    model = taut.build(machine)
    exact = taut.simulate(model, integrator="explicit", tolerance=1e-11)["joint_velocity"].values[-1]
    errors = []
    for step in (0.02, 0.01, 0.005):
        result = taut.simulate(model, integrator="midpoint", step=step, midpoint={"closing": False})
        assert step > 0.005 or result.ok, result.audit["reasons"]
        errors.append(np.linalg.norm(result["joint_velocity"].values[-1] - exact))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(orders - ALL_INTEGRATORS["midpoint"].order).max() < 0.15, orders

    drop = taut.Machine("drop").run(duration=0.5, save_every=0.25, tolerance=1e-4, integrator="midpoint", step=1e-2)
    drop.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [0, 0, -1]})
    drop.event("passes", body="mass", value=-1.0)
    events = taut.simulate(taut.build(drop)).events
    assert len(events) and abs(float(events[0]["time"]) - np.sqrt(2 / 9.81)) < 1e-5, events


if __name__ == "__main__":
    check()
