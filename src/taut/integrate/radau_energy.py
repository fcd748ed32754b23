"""Energy of a Radau step: what is stored must change by what comes in less what is lost, or the step is refused.

    e = (T + V + U)_end - (T + V + U)_begin - input + dissipated                                          (1)
Works follow from powers, and those from multipliers, which are less exact than positions; so the balance is held on its
own: a step may take a share of what the audit allows the run, and a smaller one the more of it is used up: errors of
one sign add up. A balance that does not get better with a shorter step, as with forces that have no energy, is left
alone until the next restart.
"""

from taut.dynamics.energy import elastic_energy, gravity_energy, kinetic_energy
from taut.integrate.methods.radau_tableau import B
from taut.integrate.radau_work import (
    ENERGY_FLOOR,
    ENERGY_LIMIT,
    ENERGY_SUM,
    EVENT,
    IS_REJECTED,
    IS_UNBALANCED,
    REFUSED_ENERGY,
    REFUSED_STEP,
    REJECTED,
    STEP,
    WORK_IN,
)
from taut.kernels.jit import block, kernel
from taut.results.audit import SWINGS

SHARE = 0.05  # of the run's limit, for one step
LEAST_SHARE = 0.1  # of that, when all of the limit is used up
ROUNDING = 1e-12  # of the energies themselves
POWER = 0.2  # of the step size's dependence on the error
LEAST_FACTOR, MOST_FACTOR = 0.3, 0.8
NEAR = 0.3  # of the share: the next step is not larger than such an error allows
HELPS = 1.5  # a shorter step must help by at least this power of its size
LEVEL = 0.7  # and such a part of it


@block
def stored_energies(model, data, target):
    """Kinetic, gravity and elastic energy of the placed state."""
    target[0] = kinetic_energy(model, data)
    target[1] = gravity_energy(model, data)
    target[2] = elastic_energy(model, data)


@kernel
def step_works(work, h):
    """Input and dissipated work of the step."""
    P = work.power
    return (
        h * (B[0] * P[1, 0] + B[1] * P[2, 0] + B[2] * P[3, 0]),
        h * (B[0] * P[1, 1] + B[1] * P[2, 1] + B[2] * P[3, 1]),
    )


@block
def widen_ranges(work, h):
    """Take energies and works at both ends of the step into their ranges; returns what counts as exchanged."""
    given, lost = step_works(work, h)
    ranges, counted = work.ranges, 0.0
    for j in range(5):
        begin = work.energies[0, j] if j < 3 else work.clock[WORK_IN + j - 3]
        end = work.energies[1, j] if j < 3 else begin + (given if j == 3 else lost)
        ranges[0, j] = min(ranges[0, j], begin, end)
        ranges[1, j] = max(ranges[1, j], begin, end)
        counted = max(counted, ranges[1, j] - ranges[0, j], (ranges[2, j] + abs(end - begin)) / SWINGS)
    return counted


@block
def keep_energy(work, h, error):
    """The step is taken: add its error, and what went either way."""
    given, lost = step_works(work, h)
    work.clock[ENERGY_SUM] += error
    for j in range(5):
        change = work.energies[1, j] - work.energies[0, j] if j < 3 else (given if j == 3 else lost)
        work.ranges[2, j] += abs(change)
    return True


@block
def is_energy_kept(work, h):
    """Eq. (1): whether the balance of the step is as it should be; if not, a shorter step is proposed."""
    clock, count, E = work.clock, work.count, work.energies
    given, lost = step_works(work, h)
    signed = (E[1, 0] - E[0, 0]) + (E[1, 1] - E[0, 1]) + (E[1, 2] - E[0, 2]) - given + lost
    error = abs(signed)
    level = abs(E[1, 0]) + abs(E[1, 1]) + abs(E[1, 2])
    whole = clock[ENERGY_LIMIT] * widen_ranges(work, h) + clock[ENERGY_FLOOR]
    used = abs(clock[ENERGY_SUM] + signed) / whole if whole > 0.0 else 0.0
    allowed = SHARE * max(1.0 - 2.0 * used, LEAST_SHARE) * whole + ROUNDING * level
    if count[IS_UNBALANCED] or not error > NEAR * allowed:
        return keep_energy(work, h, signed)
    factor = min(max((allowed / error) ** POWER, LEAST_FACTOR), 1.0)
    if error <= allowed:
        if count[EVENT] < 0:
            clock[STEP] = min(clock[STEP], h * factor)
        return keep_energy(work, h, signed)
    last = clock[REFUSED_STEP]
    if last > h and not error < LEVEL * clock[REFUSED_ENERGY] * (h / last) ** HELPS:
        count[IS_UNBALANCED] = 1
        return keep_energy(work, h, signed)
    clock[REFUSED_ENERGY], clock[REFUSED_STEP] = error, h
    clock[STEP] = h * min(0.9 * factor, MOST_FACTOR)
    count[REJECTED] += 1
    count[IS_REJECTED] = 1
    count[EVENT] = -1
    return False
