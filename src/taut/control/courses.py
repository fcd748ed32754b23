"""From a command to the course of its signal until the next one, Eq. (1) of ``model.commands``."""

from typing import Any

import numpy as np

from taut.model.commands import DECAY, HALF, INVERSE_LAG, RATE, SINCE, VALUE


def course_at(row: np.ndarray, time: float) -> tuple[float, float, float]:
    """Value, rate and second rate of a command's course."""
    s = time - row[SINCE]
    decay = row[DECAY] * np.exp(-s * row[INVERSE_LAG])
    value = row[VALUE] + s * (row[RATE] + s * row[HALF]) + decay
    rate = row[RATE] + 2.0 * s * row[HALF] - row[INVERSE_LAG] * decay
    return value, rate, 2.0 * row[HALF] + row[INVERSE_LAG] ** 2 * decay


def set_course(row: np.ndarray, spec: Any, command: float, time: float, period: float) -> None:
    """Let a command act from ``time`` [s] on.

    With x the quantity that is commanded (the signal itself, its rate or its acceleration) and a lag T,
        x = command + (x(0) - command) exp(-s/T)
    which the signal follows by as many integrations, without a jump of what lies below.
    """
    value, rate, second = course_at(row, time)
    lag = spec.lag or 0.0
    row[:] = 0.0
    row[SINCE] = time
    row[INVERSE_LAG] = 1.0 / lag if lag else 0.0
    if spec.acts == "ramp":
        row[VALUE], row[RATE] = value, (command - value) / period
    elif spec.acts == "rate":
        gap = (rate - command) * lag
        row[VALUE], row[RATE], row[DECAY] = value + gap, command, -gap
    elif spec.acts == "acceleration":
        gap = (second - command) * lag
        row[VALUE], row[RATE], row[HALF], row[DECAY] = value - gap * lag, rate + gap, 0.5 * command, gap * lag
    else:
        row[VALUE], row[DECAY] = command, (value - command) if lag else 0.0


def limited(spec: Any, command: float, before: float, period: float) -> float:
    """A command within its limits, and no further from the one before than its rate allows."""
    if spec.rate_limit is not None:
        step = spec.rate_limit * period
        command = min(max(command, before - step), before + step)
    if spec.limits is not None:
        command = min(max(command, spec.limits[0]), spec.limits[1])
    return command
