"""Passivity-based control of a carrier whose load swings.

    u = kp (r - x) + (kd + ke E) (r' - x')                                                     (1)
With a resting reference the stored energy V = (energy of the machine) + kp (r - x)^2 / 2 obeys dV/dt = -(kd + ke E)
x'^2, so that the loop is passive for any gains and any payload; E, the energy of the swing as the carrier sees it,
brakes large swings more than small ones.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.control.computed_torque import column_of
from taut.control.reference import Reference
from taut.dynamics.energy import gravity_energy, kinetic_energy
from taut.dynamics.residual import place
from taut.model import Model, new_data


class Energy:
    """Controller by Eq. (1), at the measured state."""

    def __init__(self, model: Model, spec: Any) -> None:
        """Take a workspace of its own."""
        self.model, self.spec = model, spec
        self.data = new_data(model)
        self.column = column_of(model, spec.joint)
        self.coordinate = int(model.tables.columns[self.column].coordinate)
        self.reference = Reference(model.plan.curve(spec.reference), spec)

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The command at a sample."""
        spec = self.spec
        q, v = np.atleast_1d(measured[spec.position]), np.atleast_1d(measured[spec.velocity])
        r, rate, _ = self.reference(time)
        damping = spec.kd + (spec.ke * self.swing_energy(time, q, v) if spec.ke else 0.0)
        return {spec.command: spec.kp * (r - q[self.coordinate]) + damping * (rate - v[self.column])}

    def swing_energy(self, time: float, q: np.ndarray, v: np.ndarray) -> float:
        """Energy of the machine with its carrier stopped, above that of the machine at rest [J]."""
        model, data = self.model.tables, self.data
        data.time[0] = time
        data.q[:], data.v[:] = q, v
        data.v[self.column] = 0.0
        place(model, data)
        swinging = kinetic_energy(model, data) + gravity_energy(model, data)
        data.q[:], data.v[:] = self.model.start_coordinates, 0.0
        place(model, data)
        # subtract the energy that the load has from the winch's motion alone: it is not swing
        return float(swinging - kinetic_energy(model, data) - gravity_energy(model, data))
