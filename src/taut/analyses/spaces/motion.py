"""Motion in a reduced space: free or driven, sampled, with the four audits of the paper.

e1, e2, e3 are the largest closure error, its rate and its second rate [Sathuluri, Eqs. 26-28]; the energy's change is
measured against its start.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from taut.analyses.spaces.singular import explain
from taut.analyses.spaces.space import Space
from taut.analyses.spaces.stepping import AT_SINGULARITY, CLOCK, COUNTS, Stepping, advance
from taut.dynamics.constraints.closures import closures
from taut.dynamics.energy import elastic_energy, gravity_energy, kinetic_energy
from taut.dynamics.inverse import accelerations
from taut.dynamics.residual import least_mass_step, place
from taut.integrate.singularities import CLOSED, Singularity
from taut.integrate.start.start_state import close_loops
from taut.kernels.dop853 import EXTENDED_STAGES, TERMS
from taut.model.tables import new_table


@dataclass(frozen=True)
class Motion:
    """Samples of a motion, how it was found, and how it ended."""

    space: str
    times: np.ndarray  # times of the samples [s]
    q: np.ndarray  # coordinates [time, coordinate]
    v: np.ndarray  # velocities [time, column]
    a: np.ndarray  # accelerations [time, column]
    # errors of the constraints in positions e1 [m], velocities e2 [m/s], accelerations e3 [m/s^2], shape [time, 3]
    errors: np.ndarray
    energy: np.ndarray  # sum of kinetic and potential energy [J], shape [time]
    statistics: dict[str, int]
    end: float  # time that the run reached [s]
    singularity: Singularity | None = None  # singularity at which the run ended early; None if it reached its end

    def to_xarray(self) -> xr.Dataset:
        """The samples as a dataset, with units."""
        found = {
            "joint_position": (("time", "coordinate"), self.q, {"units": "m or rad"}),
            "joint_velocity": (("time", "column"), self.v, {"units": "m/s or rad/s"}),
            "joint_acceleration": (("time", "column"), self.a, {"units": "m/s^2 or rad/s^2"}),
            "closure_error": (("time", "level"), self.errors, {"units": "m, m/s, m/s^2"}),
            "energy": ("time", self.energy, {"units": "J"}),
        }
        coords = {"time": ("time", self.times, {"units": "s"}), "level": ["position", "velocity", "acceleration"]}
        return xr.Dataset(found, coords=coords, attrs={"space": self.space, "end": self.end, **self.statistics})


def new_stepping(space: Space, times: np.ndarray, tolerance: float, first_step: float = 1e-3) -> Stepping:
    """A run from the space's state at time zero; ``times`` are those of the samples, the last one is the end."""
    y = space.state(space.data)
    n = len(y)
    clock = new_table(CLOCK, 1)
    clock[0] = (0.0, min(first_step, times[-1]), times[-1], tolerance)
    return Stepping(
        clock=clock,
        counts=new_table(COUNTS, 1),
        y=y,
        y_new=y.copy(),
        stage=y.copy(),
        q_end=y[: len(space.data.q)].copy(),
        K=np.zeros((EXTENDED_STAGES, n)),
        F=np.zeros((TERMS, n)),
        step=np.zeros(space.model.column_count),
        times=np.array(times, float),
        samples=np.tile(y, (len(times), 1)),
    )


def integrate(space: Space, times: np.ndarray, tolerance: float = 1e-10) -> Motion:
    """The motion from the space's state, at the given times (increasing, from 0 on).

    It ends before the last time where the space has a singularity, which is then explained.
    """
    work = new_stepping(space, times, tolerance)
    reached = int(work.times[0] <= 0.0)  # the start itself is a sample if one is asked for at time zero
    work.counts[0].sampled = reached
    space.reduced.counts[:] = 0
    code = advance(space.model.tables, space.data, space.factor, space.reduced, work)
    counts = space.reduced.counts[0]
    statistics = {
        "evaluations": int(counts.evaluations),
        "newton_iterations": int(counts.iterations),
        "accepted": int(work.counts[0].accepted),
        "rejected": int(work.counts[0].rejected),
    }
    singularity = explain(space, float(work.clock[0].time), work.y) if code == AT_SINGULARITY else None
    return _read(space, work, statistics, singularity)


def projected(space: Space) -> np.ndarray:
    """The state with the remaining constraints fulfilled: interpolation leaves them a little."""
    model, data, factor = space.model, space.data, space.factor
    close_loops(model, data, CLOSED, is_solved=True)
    step = np.zeros(model.column_count)
    place(model.tables, data)
    least_mass_step(model.tables, data, factor, True, step)
    data.v[:] += step
    return space.state(data)


def _read(space: Space, work: Stepping, statistics: dict[str, int], singularity: Singularity | None) -> Motion:
    """Place the machine at every sample."""
    model, data, count, end = space.model, space.data, int(work.counts[0].sampled), float(work.clock[0].time)
    q, v, a = np.zeros((count, len(data.q))), np.zeros((count, len(data.v))), np.zeros((count, len(data.v)))
    errors, energy = np.zeros((count, 3)), np.zeros(count)
    space.reduced.counts[0].sign = 0
    for i in range(count):
        space.rate(work.times[i], work.samples[i])
        if space.choice.rest:
            space.rate(work.times[i], projected(space))
        q[i], v[i], a[i] = data.q, data.v, data.acceleration
        accelerations(model.tables, data, a[i])
        closures(model.tables, data)
        errors[i] = [np.abs(data.rows[key]).max(initial=0.0) for key in ("value", "rate", "bias")]
        energy[i] = sum(f(model.tables, data) for f in (kinetic_energy, gravity_energy, elastic_energy))
    return Motion(space.choice.name, work.times[:count], q, v, a, errors, energy, statistics, end, singularity)
