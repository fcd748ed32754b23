"""Energy of a Radau step: stored energy must change by input less dissipated work, or the step is refused.

    e = (T + V + U)_end - (T + V + U)_begin - input + dissipated                                          (1)
Works are integrals of powers, which depend on multipliers of lower order than positions; so the balance is controlled
on its own. A step may use a share of the error that the audit allows the run, a smaller one the more of it is used up,
because errors of one sign add up. Where a shorter step does not improve the balance, as with forces that have no
potential, it is accepted for some steps; they are counted, and the audit judges their sum.
"""

import numpy as np

from taut.dynamics.energy import elastic_energy, gravity_energy, kinetic_energy
from taut.integrate.radau.tableau import B
from taut.kernels.jit import block, kernel, part
from taut.results.limits import SWINGS

SHARE = 0.05  # error allowed for one step, relative to the run's limit
LEAST_SHARE = 0.1  # factor on SHARE when the run's limit is used up
ROUNDING = 1e-12  # energy errors that count as rounding, relative to the energies themselves
POWER = 0.2  # exponent of the error in the proposed step size
LEAST_FACTOR, MOST_FACTOR = 0.3, 0.8
NEAR = 0.3  # share of the allowed error above which the next step is limited
HELPS = 1.5  # the error must fall at least with this power of the step size
PATIENCE = 20  # most steps accepted unbalanced, where shorter ones do not reduce the error


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
        h * (B[0] * P[0, 0] + B[1] * P[1, 0] + B[2] * P[2, 0]),
        h * (B[0] * P[0, 1] + B[1] * P[1, 1] + B[2] * P[2, 1]),
    )


@part
def change_of(work, j, given, lost):
    """Change in the step of energy j (0 to 2) or work j (3, 4)."""
    if j < 3:
        return work.energy_end[j] - work.energy_begin[j]
    return given if j == 3 else lost


@part
def begin_of(work, j):
    """Energy j (0 to 2) or work j (3, 4) at the start of the step."""
    return work.energy_begin[j] if j < 3 else work.clock[0].works[j - 3]


@block
def exchanged_energy(work, given, lost):
    """Energy exchanged in the run including this step: the largest swing, or a share of the total exchange."""
    least, most, counted = work.least, work.most, 0.0
    for j in range(5):
        begin, change = begin_of(work, j), change_of(work, j, given, lost)
        swing = max(most[j], begin, begin + change) - min(least[j], begin, begin + change)
        counted = max(counted, swing, (work.either_way[j] + abs(change)) / SWINGS)
    return counted


@block
def keep_energy(work, given, lost, error):
    """Accept the step: add its error, widen the ranges, and add to the total exchange."""
    least, most = work.least, work.most
    work.clock[0].energy_sum += error
    for j in range(5):
        begin, change = begin_of(work, j), change_of(work, j, given, lost)
        least[j] = min(least[j], begin, begin + change)
        most[j] = max(most[j], begin, begin + change)
        work.either_way[j] += abs(change)
    return True


@block
def is_energy_kept(work, h):
    """Whether the balance of the step holds, Eq. (1); if not, a shorter step is proposed."""
    clock, count, begin, end = work.clock[0], work.count[0], work.energy_begin, work.energy_end
    given, lost = step_works(work, h)
    # Eq. (1)
    signed = (end[0] - begin[0]) + (end[1] - begin[1]) + (end[2] - begin[2]) - given + lost
    error = abs(signed)
    level = abs(end[0]) + abs(end[1]) + abs(end[2])
    whole = clock.energy_limit * exchanged_energy(work, given, lost) + clock.energy_floor
    # the more of the run's budget is used up, the less a single step may take
    used = abs(clock.energy_sum + signed) / whole if whole > 0.0 else 0.0
    allowed = SHARE * max(1.0 - 2.0 * used, LEAST_SHARE) * whole + ROUNDING * level
    if error <= NEAR * allowed:
        count.let_pass = 0
        return keep_energy(work, given, lost, signed)
    factor = max((allowed / error) ** POWER, LEAST_FACTOR) if error < np.inf else LEAST_FACTOR
    # accepted, but close to the limit: shorten the next step before it is refused
    if error <= allowed:
        if count.event < 0:
            clock.step = min(clock.step, h * factor)
        return keep_energy(work, given, lost, signed)
    last = clock.refused_step
    # a shorter step did not reduce the error: its size is not the cause, so accept such steps for a while
    if last > h and not error < clock.refused_energy * (h / last) ** HELPS:
        count.let_pass = PATIENCE
    if count.let_pass > 0 and error < np.inf:
        count.let_pass -= 1
        count.unbalanced += 1
        return keep_energy(work, given, lost, signed)
    clock.refused_energy, clock.refused_step = error, h
    clock.step = h * min(0.9 * factor, MOST_FACTOR)
    count.rejected += 1
    count.is_rejected = 1
    count.event = -1
    return False
