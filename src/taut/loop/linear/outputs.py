"""C and D: differences of the measurements along the motions of the full machine."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from taut.control.measuring.measure import Measurements
from taut.dynamics.tree.positions import move
from taut.loop.linear.inputs import Input
from taut.loop.linear.rest import ENTRIES, Motions
from taut.model import Data, Model, data_beside, set_moment

# largest displacement of a difference [m or rad]; directions without displacement are scaled by their velocity
STEP = 1e-5


def measuring(model: Model, chosen: Mapping[str, Any], data: Data) -> Measurements:
    """Measurements of the chosen quantities, at the workspace's commands and modes."""
    return Measurements(replace(model, plan=replace(model.plan, measurements=dict(chosen))), data)


def output_matrix(
    model: Model, data: Data, chosen: Mapping[str, Any], inputs: list[Input], motions: Motions
) -> tuple[Measurements, np.ndarray, np.ndarray]:
    """The measurements, their values at the operating point, and their slopes along every motion."""
    work = data_beside(model, data)._replace(commands=data.commands.copy())
    see = measuring(model, chosen, work)
    set_moment(work, data)
    work.still[0] = 0.0

    def look(k: int, h: float) -> np.ndarray:
        move(model.tables, data.q, h * motions.q[:, k], work.q)
        work.v[:], work.z[:] = data.v + h * motions.v[:, k], data.z + h * motions.z[:, k]
        work.acceleration[:] = data.acceleration + h * motions.a[:, k]
        work.lam[:] = data.lam + h * motions.lam[: len(work.lam), k] if len(work.lam) else 0.0
        work.commands[:] = data.commands
        for chosen_input, course in zip(inputs, motions.w[:, :, k], strict=True):
            for (entry, scale), value in zip(ENTRIES, course, strict=True):
                if chosen_input.row >= 0:
                    work.commands[chosen_input.row, entry] += h * scale * value
        return see.exact(work)

    count = motions.q.shape[1]
    still = look(0, 0.0) if count else see.exact(work)
    slopes = np.zeros((len(still), count))
    for k in range(count):
        # central difference, in which quadratic terms of the motion cancel
        size = np.abs(motions.q[:, k]).max(initial=0.0)
        size = max(size, *(np.abs(motions.w[:, 0, k])), 0.0) if len(inputs) else size
        h = STEP / size if size > 0.0 else STEP / max(np.abs(motions.v[:, k]).max(initial=0.0), STEP)
        slopes[:, k] = (look(k, h) - look(k, -h)) / (2.0 * h)
    return see, still, slopes
