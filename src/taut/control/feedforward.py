"""Feedforward: commands that follow signals, sampled."""

from collections.abc import Mapping
from typing import Any

from taut.control.reference import Reference


class Feedforward:
    """The value of a signal for every command."""

    def __init__(self, plan: Any, spec: Any) -> None:
        """Read the signals of the commands."""
        self.signals = {command: Reference(plan.curve(signal), spec) for command, signal in spec.commands.items()}

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The commands at a sample."""
        return {command: signal(time)[0] for command, signal in self.signals.items()}
