"""Winch commands that lead a body along a path, by the ways of its cables from exits over guides to anchors.

With the body at its wanted place and orientation every cable has a way of the length D, with the rates D' and D''
(``control/leading/led_ropes.py``). A cable of axial stiffness EA under the tension T is unstrained as long as
    L = D / (1 + T / EA).                                                                                        (1)
Tensions ahead carry the body's wrench w: what accelerates it against gravity, and turns it about its centre of mass,
    min |W T - w|^2 + e^2 |T - preload|^2,   T >= least.                                                          (2)
``control/leading/winch_commands.py`` makes commands of these lengths.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.build.machine.reeving import Reeving, WinchData, exit_name
from taut.control.leading.led_ropes import LedRopes, Motion, still
from taut.control.leading.winch_commands import Winch, follow, torque, turned
from taut.control.reference import Clock, Reference
from taut.kernels.bounded_qp import bounded_qp
from taut.model import Model
from taut.model.turns import turn_rates
from taut.scenario.errors import ScenarioError
from taut.scenario.records.orientation import rotation_from_quaternion, rotation_from_vector

NEARNESS = 1e-3  # e of Eq. (2): weight of the preload against the wrench


class CableLength:
    """Controller by Eqs. (1) and (2): commands of winches at every sample."""

    remembered = ("winches", "lasting")

    def __init__(self, model: Model, name: str, spec: Any) -> None:
        """Read geometry, stiffness and the path."""
        plan = model.plan
        self.name, self.plan, self.spec = name, plan, spec
        self.reeving: Reeving = plan.equipment[name]
        self.winches = {cable: Winch(data, plan.commands[data.command]) for cable, data in self.reeving.winches.items()}
        self.ropes = LedRopes(self.reeving)
        self.now = [Reference(plan.curve(signal), spec) for signal in spec.setpoint]
        self.ahead = spec.delay + 0.5 * spec.period
        clock = Clock(spec.start + self.ahead, spec.period)
        self.soon, self.turn = ([Reference(plan.curve(signal), clock) for signal in signals]
                                for signals in (spec.setpoint, spec.turn or ()))  # fmt: skip
        self.exits = {body: (start, [Reference(plan.curve(signal), clock) for signal in signals])
                      for body, (start, signals) in self.reeving.exits.items()}  # fmt: skip
        self.statics = Statics(model, self.reeving, spec) if spec.feedforward is not None else None
        self.lasting = np.zeros(3)  # integral of the position error [m s]

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The commands at a sample."""
        spec, motion = self.spec, self.wanted_motion(time, measured)
        self.ropes.put(spec.body, motion)
        self.put_carriers(time, measured)
        ways = self.ropes.lay()
        if not np.isfinite(ways).all():
            lost = int(np.flatnonzero(~np.isfinite(ways).all(axis=1))[0])
            raise no_way(self.plan, self.name, list(self.winches)[lost], time)
        tensions = {name: measured[key] for name, key in spec.tensions.items()}
        if self.statics is not None:
            tensions = self.statics.tensions(self.ropes.loads(spec.body), motion)
        found = {}
        for (name, winch), way in zip(self.winches.items(), ways, strict=True):
            tension = tensions.get(name)
            found[winch.data.command] = self.command(winch, time, wanted(way, winch.data, tension), tension, measured)
        return found

    def wanted_motion(self, time: float, measured: Mapping[str, Any]) -> Motion:
        """Wanted motion of the body that is led, in the middle of the next period."""
        ahead = time + self.ahead
        r, rate, second = np.array([reference(ahead) for reference in self.soon]).T
        r, R = r + self.correction(time, measured), self.reeving.orientation
        if not self.turn:
            return Motion(r, R, rate, np.zeros(3), second, np.zeros(3))
        turns = np.array([reference(ahead) for reference in self.turn]).T
        spin, spin_rate = turn_rates(*turns)
        return Motion(r, rotation_from_vector(turns[0]) @ R, rate, spin, second, spin_rate)

    def put_carriers(self, time: float, measured: Mapping[str, Any]) -> None:
        """Place other bodies and exits: as measured, moving on with their velocity, or by the signals they follow."""
        for body, carrier in self.spec.carriers.items():
            if body in self.ropes.rows:
                R, x = self.reeving.bodies[body]
                v, w = (np.zeros(3) if key is None else np.asarray(measured[key])
                        for key in (carrier.velocity, carrier.angular_velocity))  # fmt: skip
                if carrier.position is not None:
                    x = np.asarray(measured[carrier.position])
                if carrier.orientation is not None:
                    q = np.asarray(measured[carrier.orientation])
                    R = rotation_from_quaternion(q / np.linalg.norm(q))
                R = rotation_from_vector(w * self.ahead) @ R
                self.ropes.put(body, Motion(x + v * self.ahead, R, v, w, np.zeros(3), np.zeros(3)))
        for body, (start, references) in self.exits.items():
            x, v, a = np.array([reference(time + self.ahead) for reference in references]).T
            self.ropes.put(body, Motion(start + x, np.eye(3), v, np.zeros(3), a, np.zeros(3)))
        for name, key in self.spec.exits.items():
            self.ropes.put(exit_name(name), still(np.asarray(measured[key]), np.eye(3)))

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

    def command(self, winch: Winch, time: float, length: np.ndarray, tension: float | None,
                measured: Mapping[str, Any]) -> float:  # fmt: skip
        """What makes a cable as long as wanted, with its rates, in the middle of the next period."""
        data = winch.data
        paid = length - np.array([data.offset, 0.0, 0.0])
        if data.drum is None:
            return follow(winch, self.spec, time, paid)
        wound = turned(data.drum, paid)
        if data.how == "angle":
            return follow(winch, self.spec, time, wound)
        name = next(cable for cable, own in self.winches.items() if own is winch)
        h = self.ahead  # the servo compares wanted with measured values at the sample, so go back by h
        now = np.array([wound[0] - h * wound[1] + 0.5 * h**2 * wound[2], wound[1] - h * wound[2], wound[2]])
        angle, speed = float(measured[self.spec.angles[name]]), float(measured[self.spec.speeds[name]])
        return torque(winch, self.spec, now, angle, speed, tension)


class Statics:
    """Tensions that carry a body along its path, Eq. (2)."""

    def __init__(self, model: Model, reeving: Reeving, spec: Any) -> None:
        """Read what the body weighs, and where its cables hold it."""
        self.rule, self.mass = spec.feedforward, reeving.mass + spec.feedforward.carries
        self.gravity = np.array(model.tables.settings[0].gravity)
        self.com, self.inertia, self.names = reeving.com, reeving.inertia, tuple(reeving.winches)
        led = list(reeving.bodies).index(spec.body)
        points = [guide.point for winch in reeving.winches.values() for guide in winch.guides if guide.node == led]
        # scale moments to forces by the longest lever arm, so that both can be weighted together
        self.size = max(float(np.linalg.norm(point - self.com)) for point in points) or 1.0

    def tensions(self, loads: np.ndarray, motion: Motion) -> dict[str, float]:
        """The tension of every cable [N], from the loads of unit tensions about the body's origin [rope, 6]."""
        c, spin, spin_rate = motion.rotation @ self.com, motion.spin, motion.spin_rate
        a = motion.acceleration + np.cross(spin_rate, c) + np.cross(spin, np.cross(spin, c))
        J = motion.rotation @ self.inertia @ motion.rotation.T
        moment = J @ spin_rate + np.cross(spin, J @ spin)
        W = np.hstack([loads[:, :3], (loads[:, 3:] - np.cross(c, loads[:, :3])) / self.size]).T
        w = np.concatenate([self.mass * (a - self.gravity), moment / self.size])
        near = NEARNESS**2 * np.ones(len(loads))
        found, _ = bounded_qp(W.T @ W + np.diag(near), -(W.T @ w) - self.rule.preload * near, self.rule.least)
        return {name: float(tension) for name, tension in zip(self.names, found, strict=True)}


def wanted(way: np.ndarray, winch: WinchData, tension: float | None) -> np.ndarray:
    """Unstrained length of a cable, and its rates, Eq. (1).

    A slack cable has no tension; rates of the tension are neglected against those of the path.
    """
    return way / (1.0 + max(tension or 0.0, 0.0) / winch.stiffness)


def no_way(plan: Any, name: str, cable: str, time: float) -> ScenarioError:
    """The error of a controller of which a cable has no way."""
    message = f"at t = {time:.6g} s cable {cable} has no way over its guides to where the body is led"
    return ScenarioError([plan.problem(f"controllers.{name}.setpoint", message, remedy="lead it elsewhere")])
