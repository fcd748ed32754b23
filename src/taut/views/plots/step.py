"""Step size (as [Mamidi2024, Fig. 14]), and Newton iterations of each step."""

import numpy as np

from taut.results.result import Result
from taut.views.plots.sheet import Curve, Panel, Sheet


def step_sheets(result: Result) -> list[Sheet]:
    """Sizes of the accepted steps on a logarithmic axis, and what each cost."""
    if "step_size" not in result or "step_time" not in result:
        return []
    time, size = result["step_time"].values, result["step_size"].values
    # add the start of the first step, which is the end of no step
    steps = Curve("step size", np.append(time[0] - size[0], time), np.append(size[0], size), kind="steps")
    panels = [Panel("step size [s]", [steps], is_logarithmic=True)]
    if "step_newton_iterations" in result:
        curve = Curve("Newton", time, result["step_newton_iterations"].values, kind="points")
        panels.append(Panel("Newton iterations", [curve], is_integer=True, smallest_span=4.0))
    return [Sheet("step", "Steps of the integrator", panels)]
