"""Inputs of a linear model: commands, other signals, and generalised forces.

The course of a signal has value w0, rate w1 and second rate w2 (``model.commands``), which follow from the input u and
from states of their own, those of the actuator:
    acts value                 w0 = u;                         with a lag T:  w0' = (u - w0)/T
    acts rate                  w0' = w1 = u;                   with a lag:    w0' = w1,  w1' = w2 = (u - w1)/T
    acts acceleration          w0' = w1,  w1' = w2 = u;        with a lag:    and w2' = (u - w2)/T            (1)
A signal that moves something needs a second rate. If its command does not give one, such as a value without a lag,
the input is the second rate itself, and its name ends in ``.acceleration``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.build.again import with_signals
from taut.loop.given import listed
from taut.loop.specs import refuse
from taut.model import Model
from taut.scenario.control.command import SignalCommand
from taut.scenario.control.units import command_units

# order of the derivative of the signal that a command sets, by what it acts on
DEGREE = {"value": 0, "ramp": 0, "rate": 1, "acceleration": 2}


@dataclass(frozen=True)
class Chain:
    """The states of an actuator, Eq. (1): x' = A x + B u, and w = C x + D u."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray


@dataclass(frozen=True)
class Input:
    """One input: a command by its row, or a generalised force by its column."""

    name: str
    unit: str
    row: int = -1
    column: int = -1
    degree: int = 0  # order of the derivative of the signal that is commanded
    lag: float = 0.0  # time constant of the actuator's first-order lag [s]; 0: none
    base: str = ""  # unit of the signal itself, not of the commanded derivative

    def chain(self) -> Chain:
        """Linear states of the actuator behind an input."""
        count = self.degree + (1 if self.lag else 0)
        A, B, C, D = np.eye(count, k=1), np.zeros(count), np.eye(3, count), np.zeros(3)
        if self.lag:
            A[-1, -1], B[-1] = -1.0 / self.lag, 1.0 / self.lag
            if count < 3:
                C[count], D[count] = A[-1], B[-1]
        else:
            if count:
                B[-1] = 1.0
            D[self.degree] = 1.0
        return Chain(A, B, C, D)

    def smooth_for(self, *, moves: bool) -> "Input":
        """The input itself, or, if it moves something and would jump, the second rate of its signal."""
        if not moves or self.column >= 0 or self.degree + (1 if self.lag else 0) >= 2:
            return self
        unit = f"{self.base}/s^2" if self.base else ""
        return replace(self, name=f"{self.name}.acceleration", unit=unit, degree=2, lag=0.0)

    def state_names(self) -> list[str]:
        """Names of the input's states: the signal, its rate, its second rate."""
        stem = self.name.removesuffix(".acceleration")
        return [f"{stem}{end}" for end in (".signal", ".signal.rate", ".signal.second")][: len(self.chain().B)]

    def state_units(self) -> list[str]:
        """Units of the actuators' states."""
        return [f"{self.base}{end}" if self.base else "" for end in ("", "/s", "/s^2")][: len(self.chain().B)]


def with_inputs(scenario: Any, names: Sequence[str] | None, time: float) -> tuple[Any, tuple[str, ...]]:
    """The scenario without controllers and with every input a command; and the inputs meant.

    Named signals that are no commands become such, with their value at ``time`` [s]. Without names: all commands, else
    the actuated joints (found by the model), marked by an empty tuple.
    """
    commands = scenario.commands()
    names = tuple(commands) if names is None else listed(names, "inputs")
    made = {}
    for name in names:
        if name in scenario.signals and name not in commands:
            value = float(scenario.signal(name).evaluate(time)[0])
            made[name] = SignalCommand(initial=value)
    signals = {**scenario.signals, **made}
    return scenario.model_copy(update={"controllers": {}, "signals": signals}), names


def find_inputs(model: Model, names: Sequence[str]) -> list[Input]:
    """The inputs by name: commands, and columns for generalised forces; without names those of actuated joints."""
    scenario, columns = model.scenario, list(model.names.columns)
    commands, units = list(model.plan.commands), command_units(scenario)
    found = []
    for name in names or [columns[c] for c in np.flatnonzero(model.tables.columns["is_actuated"])]:
        if name in commands:
            spec = model.plan.commands[name]
            base = units[name].removesuffix("/s^2").removesuffix("/s")
            found.append(Input(name, units[name], commands.index(name), -1, DEGREE[spec.acts], spec.lag or 0.0, base))
        elif name in columns:
            c = columns.index(name)
            unit = "N m" if model.tables.columns["is_rotation"][c] else "N"
            found.append(Input(f"force.{name}", unit, column=c))
        else:
            raise refuse("is no command, signal or coordinate", name, [*commands, *scenario.signals, *columns])
    return found


def standing(model: Model, time: float) -> Model:
    """The machine with every signal but the commands standing still, as it is at a time [s]."""
    from taut.scenario.signals.curves import TermCurve
    from taut.scenario.signals.pieces import CommandTerm, constant_pieces, evaluate_terms

    curves, end = [], max(model.plan.run.duration, time)
    for curve in model.curves:
        terms = curve.terms(end)
        kept: list[Any] = [term for term in terms if isinstance(term, CommandTerm)]
        others = [term for term in terms if not isinstance(term, CommandTerm)]
        value = float(np.sum(evaluate_terms(others, np.array([time]))[0])) if others else 0.0
        curves.append(TermCurve([constant_pieces(value), *kept] if others else kept))
    return with_signals(replace(model, curves=tuple(curves)), end) if curves else model
