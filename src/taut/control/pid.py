"""PID: proportional, integral and derivative action on one measurement."""

from typing import Any

import numpy as np

from taut.control.law import DONE, Law
from taut.kernels.jit import entry

KP, KI, KD, PERIOD, FILTER, LOW, HIGH, HAS_RATE = range(8)
INTEGRAL, SLOPE, LAST, HAS_LAST = range(4)


@entry
def pid_answer(law):
    """u = feedforward + kp e + ki int e + kd de/dt; the integral stops while the command presses on its limit."""
    n, memory, wanted = law.numbers, law.memory, law.wanted[law.slot[0]]
    y = law.told[0]
    error = wanted[0, 0] - y
    if n[HAS_RATE] != 0.0:
        rate = law.told[1]
    else:
        # backward differences through a first-order filter
        if memory[HAS_LAST] != 0.0:
            share = n[PERIOD] / (n[PERIOD] + n[FILTER])
            memory[SLOPE] += share * ((y - memory[LAST]) / n[PERIOD] - memory[SLOPE])
        memory[LAST], memory[HAS_LAST] = y, 1.0
        rate = memory[SLOPE]
    u = wanted[1, 0] + n[KP] * error + n[KD] * (wanted[0, 1] - rate) + memory[INTEGRAL]
    push = n[KI] * error
    if not ((u >= n[HIGH] and push > 0.0) or (u <= n[LOW] and push < 0.0)):
        memory[INTEGRAL] += n[KI] * n[PERIOD] * error
    law.out[0] = u
    return DONE


class Pid(Law):
    """Gains, limits and signals of ``pid_answer``."""

    entry = pid_answer

    def __init__(self, plan: Any, spec: Any) -> None:
        """Read gains and signals."""
        low, high = plan.commands[spec.command].limits or (-np.inf, np.inf)
        measured = [spec.measure] if spec.rate is None else [spec.measure, spec.rate]
        numbers = [spec.kp, spec.ki, spec.kd, spec.period, spec.filter, low, high, spec.rate is not None]
        wanted = [(plan.curve(signal), 0.0) for signal in (spec.setpoint, spec.feedforward)]
        super().__init__(spec, [(name, 1) for name in measured], wanted, numbers=numbers, memory=4)
