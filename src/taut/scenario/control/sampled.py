"""Keys and signals that the records of all controllers share."""

from collections.abc import Sequence
from typing import Any

from taut.scenario.base import NonNegative, Positive, Record, quantity
from taut.scenario.signals.records import Signal


def path_signals(setpoint: Sequence[Signal], turn: Sequence[Signal] | None) -> dict[str, Any]:
    """Return the signals of a path on which a body is led, by their keys."""
    found = {f"setpoint[{k}]": signal for k, signal in enumerate(setpoint)}
    return found | {f"turn[{k}]": signal for k, signal in enumerate(turn or ())}


class Sampled(Record):
    """Keys that all controllers share: when they are called, and when their commands act."""

    period: Positive = quantity("time between samples", "s")
    delay: NonNegative = quantity("time from a sample to its command", "s", 0.0)
    start: NonNegative = quantity("time of the first sample", "s", 0.0)

    def outputs(self) -> tuple[str, ...] | None:
        """Return the names of the commands that the controller sets; None for all."""
        return ()

    def signals(self) -> dict[str, Any]:
        """Return the signals that the controller follows, by their keys."""
        found = {key: getattr(self, key) for key in ("setpoint", "feedforward", "reference") if hasattr(self, key)}
        joints = getattr(self, "joints", {})
        return found | {f"joints.{name}.reference": joint.reference for name, joint in joints.items()}
