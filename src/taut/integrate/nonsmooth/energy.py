"""Numerical energy gain of steps: a step that gains too much is repeated with a shorter one.

With T, V, U kinetic, gravity and elastic energy, W_in and W_lost the works so far, two courses of a run are watched:
    H = T + V + U - W_in,   B = H + W_lost                                                                         (1)
A fixed step across a kink of a law, or one too long for the fastest motion of a light element, moves them either way.
What they lose is the damping of the method; what they gain feeds the fast motions and may grow without bound, whatever
the method's stability for linear machines. So neither may rise above its least value so far by more than a share of the
energy exchanged S, the largest swing of any term of (1):
    H - min H <= STORED_SHARE S + floor,   B - min B <= BALANCE_SHARE S + floor                                    (2)
B has the errors of the quadrature of W_lost, and more room for them; of generalized-alpha with impulses, whose speeds
at the ends of steps are not those inside, H alone is watched. A step that ends above is refused and halved, unless it
gains at a slow pace only; the shorter steps fill the fixed one, and grow again after it. Where the shortest does not
help, the step is not the cause: the least value is raised, the run goes on, and the number of such steps is reported.
"""

from taut.dynamics.energy import elastic_energy, gravity_energy, kinetic_energy
from taut.dynamics.tree.kinematics import kinematics
from taut.integrate.step.size import next_step
from taut.kernels.arrays import copy
from taut.kernels.jit import block, part

TERMS = 5  # number of terms: kinetic, gravity and elastic energy, input and lost work
STORED_SHARE = 2e-4  # allowed gain of H, relative to the energy exchanged; the audit allows five times as much
BALANCE_SHARE = 2e-3  # allowed gain of B, relative to the energy exchanged
PACE = 1e-7  # gain per fixed step that is always allowed, relative to the energy exchanged
LEAST_PART = 1.0 / 512.0  # shortest step, relative to the fixed one
AT_END = 1e-9  # a shorter remainder at the end of a segment, relative to the fixed step, is joined to the step before
HOLD_STEPS = 4  # steps after a refused one before the step grows again


@block
def read_energies(model, data, work, E):
    """Terms of Eq. (1) at the state of ``data``, with the works at the start of the step."""
    kinematics(model, data)
    E[0] = kinetic_energy(model, data)
    E[1] = gravity_energy(model, data)
    E[2] = elastic_energy(model, data)
    for j in range(2):
        E[3 + j] = work.clock[0].works[j]


@block
def begin_energies(model, data, work, is_start):
    """Energies at the start of a segment; jumps between two segments do not count as gains."""
    read_energies(model, data, work, work.E_begin)
    if is_start:
        copy(work.E_begin, work.E_least)
        copy(work.E_begin, work.E_most)


@part
def gained(work):
    """Changes of H and B of Eq. (1) in the step."""
    begin, end = work.E_begin, work.E_end
    stored = -end[3] + begin[3]
    for k in range(3):
        stored += end[k] - begin[k]
    return stored, stored + end[4] - begin[4]


@part
def exchanged(work):
    """Energy exchanged so far, S of Eq. (2)."""
    most = 0.0
    for k in range(TERMS):
        most = max(most, work.E_most[k] - work.E_least[k])
    return most


@block
def is_gain_allowed(model, work, h):
    """Whether the closed end of the step obeys Eq. (2); if not, a shorter one is proposed."""
    y_end = work.y_end
    clock, count, E_end = work.clock[0], work.count[0], work.E_end
    if not count.is_watched:
        return True
    read_energies(model, work.stage, work, E_end)
    for j in range(2):
        E_end[3 + j] += y_end[len(y_end) - 2 + j]
    stored, whole = gained(work)
    most = exchanged(work)
    # a slow drift is left alone: shorter steps would not change it
    if max(stored, whole) <= PACE * most * h / clock.nominal:
        return True
    is_last = h <= LEAST_PART * clock.nominal
    is_stored = is_within(clock, 0, stored, STORED_SHARE * most + clock.gain_floor, is_last)
    # Eq. (2) for B, where the scheme has powers that match its speeds
    is_whole = True
    if count.has_forces or count.is_theta:
        is_whole = is_within(clock, 1, whole, BALANCE_SHARE * most + clock.gain_floor, is_last)
    if is_stored and is_whole:
        return True
    # even the shortest step gains energy, so the step size is not the cause: count the step and accept it
    if is_last:
        count.gains_let_pass += 1
        return True
    refuse(work, h)
    count.rejected += 1
    return False


@part
def is_within(clock, which, gain, allowed, is_last):
    """Whether H or B obeys Eq. (2); after a shortest step the least value is raised."""
    if gain <= 0.0 or clock.gains[which] + gain - clock.least_gains[which] <= allowed:
        return True
    if is_last:
        clock.least_gains[which] = clock.gains[which] + gain - 0.5 * allowed
    return False


@part
def refuse(work, h):
    """Halve the step and try again; a cut at a kink no longer applies."""
    clock, count = work.clock[0], work.count[0]
    clock.step = clock.substep = 0.5 * h
    clock.factor_step = 0.0
    count.hold, count.is_rejected, count.is_cut = HOLD_STEPS, 1, 0


@part
def keep_energies(work):
    """Take the energies at the end of a step as those at the start of the next."""
    clock, E_end, E_least, E_most = work.clock[0], work.E_end, work.E_least, work.E_most
    if not work.count[0].is_watched:
        return
    clock.gains[0] += gained(work)[0]
    clock.gains[1] += gained(work)[1]
    for which in range(2):
        clock.least_gains[which] = min(clock.least_gains[which], clock.gains[which])
    for k in range(TERMS):
        E_least[k] = min(E_least[k], E_end[k])
        E_most[k] = max(E_most[k], E_end[k])
    copy(E_end, work.E_begin)


@part
def grow_step(work, h):
    """The next proposal after an accepted step: the fixed one, or twice as long as the shorter one that was needed."""
    clock, count = work.clock[0], work.count[0]
    if count.hold > 0:
        count.hold -= 1
    elif clock.substep < clock.nominal:
        clock.substep = min(2.0 * clock.substep, clock.nominal)
    clock.step = clock.substep


@block
def grid_step(model, work):
    """Step to try: the proposed one, fitted so that shortened steps together fill the fixed step."""
    clock = work.clock[0]
    h = next_step(work)
    rest = clock.grid - clock.time
    if not AT_END * clock.nominal < rest <= clock.nominal * (1.0 + AT_END):
        clock.grid = clock.time + clock.nominal
        return h
    if h == clock.end - clock.time:
        return h
    if h >= 0.999 * rest:
        return rest
    return 0.5 * rest if 2.0 * h > rest else h
