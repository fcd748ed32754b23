"""Commands of many machines at once: ``control.courses`` in arrays, a row for each machine, with the same rounding."""

from typing import Any

import numpy as np

from taut.model.commands import DECAY, HALF, INVERSE_LAG, RATE, SINCE, VALUE


def limit_many(spec: Any, command: np.ndarray, before: np.ndarray, period: float) -> np.ndarray:
    """Commands within their limits, and no further from those before than their rate allows."""
    if spec.rate_limit is not None:
        step = spec.rate_limit * period
        command = np.minimum(np.maximum(command, before - step), before + step)
    if spec.limits is not None:
        command = np.minimum(np.maximum(command, spec.limits[0]), spec.limits[1])
    return command


def set_courses(rows: np.ndarray, spec: Any, command: np.ndarray, time: np.ndarray, period: float) -> np.ndarray:
    """Rows of a command that is set at a time [s], shape [machine, entry], each as ``set_course`` makes it."""
    s = time - rows[:, SINCE]
    decay = rows[:, DECAY] * np.exp(-s * rows[:, INVERSE_LAG])
    value = rows[:, VALUE] + s * (rows[:, RATE] + s * rows[:, HALF]) + decay
    rate = rows[:, RATE] + 2.0 * s * rows[:, HALF] - rows[:, INVERSE_LAG] * decay
    second = 2.0 * rows[:, HALF] + rows[:, INVERSE_LAG] ** 2 * decay
    lag, made = spec.lag or 0.0, np.zeros_like(rows)
    made[:, SINCE] = time
    made[:, INVERSE_LAG] = 1.0 / lag if lag else 0.0
    if spec.acts == "ramp":
        made[:, VALUE], made[:, RATE] = value, (command - value) / period
    elif spec.acts == "rate":
        gap = (rate - command) * lag
        made[:, VALUE], made[:, RATE], made[:, DECAY] = value + gap, command, -gap
    elif spec.acts == "acceleration":
        gap = (second - command) * lag
        made[:, VALUE], made[:, RATE] = value - gap * lag, rate + gap
        made[:, HALF], made[:, DECAY] = 0.5 * command, gap * lag
    else:
        made[:, VALUE], made[:, DECAY] = command, (value - command) if lag else 0.0
    return made
