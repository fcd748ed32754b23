"""Feedforward: commands that follow signals, sampled."""

from typing import Any

from taut.control.law import DONE, Law
from taut.kernels.jit import entry


@entry
def feedforward_answer(law):
    """The value of a signal for every command."""
    for k in range(len(law.out)):
        law.out[k] = law.wanted[law.slot[0], k, 0]
    return DONE


class Feedforward(Law):
    """The signals of ``feedforward_answer``."""

    entry = feedforward_answer

    def __init__(self, plan: Any, spec: Any) -> None:
        """Read the signals."""
        super().__init__(spec, [], [(plan.curve(signal), 0.0) for signal in spec.commands.values()])
