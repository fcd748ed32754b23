"""Commands set in compiled code: the course that the signal takes from then on, as ``control.courses`` has it."""

from taut.dynamics.signals import evaluate_command
from taut.kernels.jit import part
from taut.model.commands import DECAY, ENTRIES, HALF, INVERSE_LAG, RATE, SINCE, VALUE

ACTS = ("value", "ramp", "rate", "acceleration")  # what a command is, by its number
BY_RAMP, BY_RATE, BY_ACCELERATION = 1, 2, 3


@part
def start_course(rows, i, acts, lag, command, time, period):
    """Let a command act from a time on: ``control.courses.set_course``."""
    value, rate, second = evaluate_command(rows, i, time)
    row = rows[i]
    for k in range(ENTRIES):
        row[k] = 0.0
    row[SINCE] = time
    row[INVERSE_LAG] = 1.0 / lag if lag > 0.0 else 0.0
    if acts == BY_RAMP:
        row[VALUE], row[RATE] = value, (command - value) / period
    elif acts == BY_RATE:
        gap = (rate - command) * lag
        row[VALUE], row[RATE], row[DECAY] = value + gap, command, -gap
    elif acts == BY_ACCELERATION:
        gap = (second - command) * lag
        row[VALUE], row[RATE] = value - gap * lag, rate + gap
        row[HALF], row[DECAY] = 0.5 * command, gap * lag
    else:
        row[VALUE], row[DECAY] = command, (value - command) if lag > 0.0 else 0.0
