"""The controllers pid and quadcopter written down slowly: by names and vectors, sample by sample."""

import numpy as np


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
