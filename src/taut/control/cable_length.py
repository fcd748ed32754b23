"""Winch commands that lead a body along a path, by the straight lines from exits to anchors.

With the wanted position r of the body, its orientation R, an anchor a and an exit e, the chord and its rates are
    s = r + R a - e,   d = |s|,   d' = u r',   d'' = u r'' + (r'^2 - d'^2) / d,   u = s / d,                       (1)
and a cable of axial stiffness EA under the tension T is unstrained as long as
    L = d / (1 + T / EA).                                                                                        (2)
Tensions ahead carry the body's wrench: pulls -u_i T_i with sum m (r'' - g), without moment about its centre of mass,
    min |W T - w|^2 + e^2 |T - preload|^2,   T >= least.                                                          (3)
The command that is held over the next period follows L with its rates taken in the middle of that period,
    acceleration:  L'' + 2 w (L' - l') + w^2 (L - l),      rate with a lag:  L' + lag L'' + w (L - l),             (4)
with l the winch's present length, which the controller computes from its own commands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.build.machine.equipment import Reeving, WinchData
from taut.control.courses import course_at, limited, set_course
from taut.control.reference import Reference
from taut.kernels.bounded_qp import bounded_qp
from taut.model import Model
from taut.model.commands import ENTRIES, VALUE

NEARNESS = 1e-3  # e of Eq. (3): weight of the preload against the wrench


@dataclass(frozen=True)
class Clock:
    """When samples are taken [s]."""

    start: float
    period: float


@dataclass
class Winch:
    """One cable, its winch, and the winch's last command."""

    data: WinchData
    spec: Any  # the scenario's record of the command
    course: np.ndarray
    asked: float = 0.0


class CableLength:
    """Eqs. (1) to (4) at every sample."""

    remembered = ("winches", "lasting")

    def __init__(self, model: Model, name: str, spec: Any) -> None:
        """Read geometry, stiffness and the path."""
        plan, reeving = model.plan, model.plan.equipment[name]
        self.spec, self.R = spec, reeving.orientation
        self.winches = {cable: Winch(data, plan.commands[data.command], start_course(plan.commands[data.command]))
                        for cable, data in reeving.winches.items()}  # fmt: skip
        self.now = [Reference(plan.curve(signal), spec) for signal in spec.setpoint]
        self.ahead = spec.delay + 0.5 * spec.period
        clock = Clock(spec.start + self.ahead, spec.period)
        self.soon = [Reference(plan.curve(signal), clock) for signal in spec.setpoint]
        self.statics = Statics(model, reeving, spec) if spec.feedforward is not None else None
        self.lasting = np.zeros(3)  # integral of the position error [m s]

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The commands at a sample."""
        spec = self.spec
        r, rate, second = np.array([reference(time + self.ahead) for reference in self.soon]).T
        r = r + self.correction(time, measured)
        chords = {}
        for name, winch in self.winches.items():
            e = measured[spec.exits[name]] if name in spec.exits else winch.data.exit
            chords[name] = r + self.R @ winch.data.anchor - e
        tensions = {name: measured[key] for name, key in spec.tensions.items()}
        if self.statics is not None:
            tensions = self.statics.tensions(chords, second)
        found = {}
        for name, winch in self.winches.items():
            length = wanted(chords[name], rate, second, winch.data, tensions.get(name))
            found[winch.data.command] = self.command(winch, time, length)
        return found

    def correction(self, time: float, measured: Mapping[str, Any]) -> np.ndarray:
        """Correction of the wanted position by feedback [m]; the integral stops at the limit (anti-windup)."""
        spec = self.spec
        if spec.position is None:
            return np.zeros(3)
        error = np.array([reference(time)[0] for reference in self.now]) - measured[spec.position]
        lasting = self.lasting + spec.period * error
        moved = spec.kp * error + spec.ki * lasting
        far = float(np.linalg.norm(moved))
        if far <= spec.most_correction:
            self.lasting = lasting
            return moved
        return moved * (spec.most_correction / far)

    def command(self, winch: Winch, time: float, length: np.ndarray) -> float:
        """Eq. (4) for the wanted length and its rates in the middle of the next period."""
        spec, w, h = self.spec, self.spec.bandwidth, 0.5 * self.spec.period
        acts = time + spec.delay
        own, own_rate, _ = course_at(winch.course, acts)
        L, rate, second = length
        # wanted length and rate at the time when the command starts to act, h before that of ``length``
        gap, gap_rate = L - h * rate + 0.5 * h**2 * second - own, rate - h * second - own_rate
        if winch.spec.acts == "acceleration":
            u = second + 2.0 * w * gap_rate + w**2 * gap
        else:
            u = rate + winch.spec.lag * second + w * gap
        u = limited(winch.spec, float(u), winch.asked, spec.period)
        winch.asked = u
        set_course(winch.course, winch.spec, u, acts, spec.period)
        return u


class Statics:
    """Tensions that carry a body along its path, Eq. (3)."""

    def __init__(self, model: Model, reeving: Reeving, spec: Any) -> None:
        """Read what the body weighs, and where its cables hold it."""
        self.rule, self.mass = spec.feedforward, reeving.mass + spec.feedforward.carries
        self.gravity = np.array(model.tables.settings[0].gravity)
        self.arms = {name: reeving.orientation @ (winch.anchor - reeving.com)
                     for name, winch in reeving.winches.items()}  # fmt: skip
        # scale moments to forces by the longest lever arm, so that both can be weighted together
        self.size = max(float(np.linalg.norm(arm)) for arm in self.arms.values()) or 1.0

    def tensions(self, chords: Mapping[str, np.ndarray], acceleration: np.ndarray) -> dict[str, float]:
        """The tension of every cable [N]."""
        pulls = {name: -s / np.linalg.norm(s) for name, s in chords.items()}
        W = np.array([[*pull, *np.cross(self.arms[name], pull) / self.size] for name, pull in pulls.items()]).T
        w = np.concatenate([self.mass * (acceleration - self.gravity), np.zeros(3)])
        near = NEARNESS**2 * np.ones(len(pulls))
        found, _ = bounded_qp(W.T @ W + np.diag(near), -(W.T @ w) - self.rule.preload * near, self.rule.least)
        return {name: float(tension) for name, tension in zip(pulls, found, strict=True)}


def wanted(s: np.ndarray, rate: np.ndarray, second: np.ndarray, winch: WinchData, tension: float | None) -> np.ndarray:
    """Value and two rates that the command's signal is to have: Eqs. (1), (2)."""
    d = float(np.linalg.norm(s))
    u = s / d
    chord_rate = float(u @ rate)
    chord = np.array([d, chord_rate, float(u @ second) + (float(rate @ rate) - chord_rate**2) / d])
    # a slack cable has zero tension; rates of the tension are neglected against those of the path
    chord /= 1.0 + max(tension or 0.0, 0.0) / winch.stiffness
    chord[0] -= winch.offset
    return chord


def start_course(spec: Any) -> np.ndarray:
    """The course of a command that has not been set yet."""
    course = np.zeros(ENTRIES)
    course[VALUE] = spec.initial
    return course
