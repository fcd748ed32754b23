"""Error indicator of a reduced machine: the full machine's residual at expanded states, as a displacement.

At a sample of the reduced run, expanded to all coordinates, the full equations of motion leave a residual r. The
correction that removes it within a time T, loops held,
    (M/T^2 + D/T + K) d - J^T mu = -r,   J d = 0                                                              (1)
is how far the full machine would move away at once; the response of stiff modes that were left out counts with its
static deflection. The number ``rom_residual`` is the norm of d, weighted with the masses
(the root of twice the kinetic energy of the velocity d), relative to the largest such norm of the cables in training.
It is an estimate, not a bound: errors that have grown earlier are in the state, not in the residual.
"""

import numpy as np

from taut.dynamics.energy import kinetic_energy
from taut.dynamics.residual import factor_newton, residual, solve_newton
from taut.dynamics.tree.kinematics import kinematics
from taut.integrate.reduced.expansion import expand_samples
from taut.integrate.step.closing import factor_closing
from taut.kernels.arrays import copy, fill
from taut.kernels.jit import entry
from taut.model import Data, Model, new_data, new_factor

REACH = 0.1  # time horizon T of Eq. (1) [s]
EVERY = 10  # the residual is evaluated at every tenth sample, and repeated in between
LIMIT = 10.0  # warning limit, in multiples of the largest value in training
NEGLIGIBLE, TOO_MUCH = 1e-3, 0.05  # lower and upper bound of the warning limit
MESSAGE = (
    "the full model's residual is {:.2g} of the way in training from t = {:.6g} s on, where {:.2g} is "
    "usual; results after that are not to be trusted"
)


@entry
def corrections(model, data, factor, spare, samples, reach, work, found):  # noqa: PLR0913 (compiled)
    """Twice the kinetic energy of d of Eq. (1) at every sample; ``work`` has two rows of columns."""
    force, step = work[0], work[1]
    for k in range(len(found)):
        data.time[0] = samples.times[k]
        copy(samples.q[k], data.q)
        copy(samples.v[k], data.v)
        copy(samples.z[k], data.z)
        residual(model, data, samples.a[k], samples.lam[k], force)
        for c in range(len(force)):
            force[c] = -force[c]
        copy(samples.lam[k], data.lam)
        factor_newton(model, data, factor, reach, reach * reach)
        fill(factor.rhs, 0.0)
        solve_newton(model, data, factor, force, factor.rhs, step, data.lam)
        done = 0.0
        for c in range(len(step)):
            done += force[c] * step[c]
        if not done >= 0.0:
            # compression makes the matrix indefinite: drop the geometric stiffness
            factor_closing(model, data, spare, reach)
            fill(factor.rhs, 0.0)
            solve_newton(model, data, spare, force, factor.rhs, step, data.lam)
        for c in range(len(step)):
            data.v[c] = reach * reach * step[c]
        # the velocity is d alone: prescribed motions are held still
        data.still[0] = 1.0
        kinematics(model, data)
        found[k] = 2.0 * kinetic_energy(model, data)
        data.still[0] = 0.0


CHANNELS = ("time", "joint_position", "joint_velocity", "joint_acceleration", "multiplier", "work_input",
            "work_dissipated")  # fmt: skip


class Indicator:
    """Error indicator of a reduced machine by Eq. (1), for one of its runs."""

    def __init__(self, reduced: Model, data: Data) -> None:
        """Make workspaces; the full machine shares the switches and commands in ``data`` of the run."""
        if reduced.full is None:
            raise ValueError("a reduced model that does not know the full one")
        self.reduced, self.full = reduced, reduced.full
        shared = {"commands": data.commands}
        if len(self.full.tables.events) == len(data.modes):
            shared["modes"] = data.modes
        self.data, self.factor = new_data(self.full)._replace(**shared), new_factor(self.full)
        self.spare = new_factor(self.full)
        self.work = np.zeros((2, self.full.column_count))

    def __call__(self, arrays: dict[str, np.ndarray]) -> np.ndarray:
        """The channel ``rom_residual`` at samples given by their channels."""
        count = len(arrays["time"])
        if not count:
            return np.zeros(0)
        chosen = {name: arrays[name][::EVERY] for name in CHANNELS}
        expanded = expand_samples(self.full, self.reduced, chosen)
        found = np.zeros(len(chosen["time"]))
        corrections(self.full.tables, self.data, self.factor, self.spare, expanded, REACH, self.work, found)
        return np.repeat(np.sqrt(np.maximum(found, 0.0)) / self.reduced.way, EVERY)[:count]


def indicator_of(model: Model, data: Data) -> Indicator | None:
    """The indicator of a reduced machine that knows its training."""
    return Indicator(model, data) if model.full is not None and model.way > 0.0 else None


def beyond(time: np.ndarray, values: np.ndarray, usual: float) -> str:
    """Warning if values exceed their limit; empty if they do not."""
    far = np.flatnonzero(~(values <= max(min(LIMIT * usual, TOO_MUCH), NEGLIGIBLE)))
    return MESSAGE.format(values[far[0]], time[far[0]], usual) if len(far) else ""
