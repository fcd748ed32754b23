"""The controllers pid, quadcopter and cable-length written down slowly: by names and vectors, sample by sample."""

from types import SimpleNamespace

import numpy as np

from taut.control.courses import course_at, limited, set_course
from taut.kernels.bounded_qp import bounded_qp
from taut.model.commands import ENTRIES, VALUE

NEARNESS = 1e-3  # weight of the preload against the wrench


class SlowPid:
    """u = feedforward + kp e + ki int e + kd de/dt."""

    def __init__(self, plan, spec):
        self.spec, self.limits = spec, plan.commands[spec.command].limits
        self.setpoint, self.feedforward = plan.curve(spec.setpoint), plan.curve(spec.feedforward)
        self.integral, self.last, self.slope = 0.0, None, 0.0

    def __call__(self, time, measured):
        spec, y = self.spec, measured[self.spec.measure]
        wanted, wanted_rate, _ = self.setpoint.evaluate(time)
        error = wanted - y
        if spec.rate is not None:
            rate = measured[spec.rate]
        else:
            if self.last is not None:
                share = spec.period / (spec.period + spec.filter)
                self.slope += share * ((y - self.last) / spec.period - self.slope)
            self.last, rate = y, self.slope
        u = self.feedforward.evaluate(time)[0] + spec.kp * error + spec.kd * (wanted_rate - rate) + self.integral
        low, high = self.limits
        push = spec.ki * error
        if not ((u >= high and push > 0) or (u <= low and push < 0)):
            self.integral += spec.ki * spec.period * error
        return {spec.command: u}


class SlowQuadcopter:
    """Acceleration, tilt, moments, thrusts."""

    def __init__(self, model, name, spec):
        self.spec, rotors = spec, model.plan.equipment[name]
        self.mass, self.inertia = rotors.mass + spec.carries, np.array(rotors.inertia)
        self.gravity = float(np.linalg.norm(model.tables.settings[0].gravity))
        self.setpoint = [model.plan.curve(signal) for signal in spec.setpoint]
        x, y, _ = rotors.points.T
        self.mixing = np.linalg.pinv([np.ones(4), y, -x, np.array([1.0, -1.0, 1.0, -1.0]) * rotors.moment_ratio])

    def __call__(self, time, measured):
        spec = self.spec
        wanted = np.array([curve.evaluate(time) for curve in self.setpoint])
        w, W = spec.bandwidth, spec.attitude_bandwidth
        a = w**2 * (wanted[:, 0] - measured[spec.position]) + 2 * w * (wanted[:, 1] - measured[spec.velocity])
        a = a + wanted[:, 2]
        across = a[:2] * min(1.0, spec.most_tilt * self.gravity / np.linalg.norm(a[:2]))
        tilt = np.array([-across[1], across[0], 0.0]) / self.gravity
        turn = np.asarray(measured[spec.orientation])
        angles = 2.0 * turn[1:] * (1.0 if turn[0] >= 0.0 else -1.0)
        moment = self.inertia * (W**2 * (tilt - angles) - 2 * W * np.asarray(measured[spec.spin]))
        thrusts = self.mixing @ np.array([self.mass * (a[2] + self.gravity), *moment])
        return dict(zip(spec.commands, thrusts.tolist(), strict=True))


class SlowLead:
    """Winch commands by the straight lines from exits to anchors: chords, statics, feedback."""

    def __init__(self, model, name, spec):
        plan, reeving = model.plan, model.plan.equipment[name]
        self.spec, self.R, self.plan = spec, reeving.orientation, plan
        self.winches = {}
        for cable, data in reeving.winches.items():
            command = plan.commands[data.command]
            course = np.zeros(ENTRIES)
            course[VALUE] = command.initial
            self.winches[cable] = SimpleNamespace(data=data, spec=command, course=course, asked=0.0)
        self.path = [plan.curve(signal) for signal in spec.setpoint]
        self.statics = Statics(model, reeving, spec) if spec.feedforward is not None else None
        self.lasting = np.zeros(3)

    def __call__(self, time, measured):
        spec, ahead = self.spec, self.spec.delay + 0.5 * self.spec.period
        r, rate, second = np.array([curve.evaluate(time + ahead) for curve in self.path]).T
        r = r + self.correction(time, measured)
        chords = {name: r + self.R @ winch.data.anchor - (measured[spec.exits[name]] if name in spec.exits
                                                          else winch.data.exit)
                  for name, winch in self.winches.items()}  # fmt: skip
        tensions = {name: measured[key] for name, key in spec.tensions.items()}
        if self.statics is not None:
            tensions = self.statics.tensions(chords, second)
        return {winch.data.command: self.command(winch, time, wanted(chords[name], rate, second, winch.data,
                                                                      tensions.get(name)))
                for name, winch in self.winches.items()}  # fmt: skip

    def correction(self, time, measured):
        spec = self.spec
        if spec.position is None:
            return np.zeros(3)
        error = np.array([curve.evaluate(time)[0] for curve in self.path]) - measured[spec.position]
        lasting = self.lasting + spec.period * error
        moved = spec.kp * error + spec.ki * lasting
        far = np.linalg.norm(moved)
        if far <= spec.most_correction:
            self.lasting = lasting
            return moved
        return moved * (spec.most_correction / far)

    def command(self, winch, time, length):
        spec, w, h = self.spec, self.spec.bandwidth, 0.5 * self.spec.period
        acts = time + spec.delay
        own, own_rate, _ = course_at(winch.course, acts)
        L, rate, second = length
        gap, gap_rate = L - h * rate + 0.5 * h**2 * second - own, rate - h * second - own_rate
        if winch.spec.acts == "acceleration":
            u = second + 2.0 * w * gap_rate + w**2 * gap
        else:
            u = rate + (winch.spec.lag or 0.0) * second + w * gap
        winch.asked = limited(winch.spec, float(u), winch.asked, spec.period)
        set_course(winch.course, winch.spec, winch.asked, acts, spec.period)
        return winch.asked


class Statics:
    """Tensions that carry a body along its path."""

    def __init__(self, model, reeving, spec):
        self.rule, self.mass = spec.feedforward, reeving.mass + spec.feedforward.carries
        self.gravity = np.array(model.tables.settings[0].gravity)
        self.arms = {name: reeving.orientation @ (winch.anchor - reeving.com)
                     for name, winch in reeving.winches.items()}  # fmt: skip
        self.size = max(float(np.linalg.norm(arm)) for arm in self.arms.values()) or 1.0

    def tensions(self, chords, acceleration):
        pulls = {name: -s / np.linalg.norm(s) for name, s in chords.items()}
        W = np.array([[*pull, *np.cross(self.arms[name], pull) / self.size] for name, pull in pulls.items()]).T
        w = np.concatenate([self.mass * (acceleration - self.gravity), np.zeros(3)])
        near = NEARNESS**2 * np.ones(len(pulls))
        found, _ = bounded_qp(W.T @ W + np.diag(near), -(W.T @ w) - self.rule.preload * near, self.rule.least)
        return {name: float(tension) for name, tension in zip(pulls, found, strict=True)}


def wanted(s, rate, second, winch, tension):
    """What the command's signal is to be, with two rates."""
    d = np.linalg.norm(s)
    u = s / d
    chord = np.array([d, u @ rate, u @ second + (rate @ rate - (u @ rate) ** 2) / d])
    chord /= 1.0 + max(tension or 0.0, 0.0) / winch.stiffness
    chord[0] -= winch.offset
    return chord
