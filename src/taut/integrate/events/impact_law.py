"""The law of impacts, for methods that stop at them and for those that pass them inside a step.

What touches and closes at the rate u- parts at u+ = -e u-, Newton's law, and the impulse P takes
    -P (u+ + u-) / 2                                                                                            (1)
of energy. The law is the same for all methods; rest is decided in two ways. A method that stops at impacts knows the
accelerations after one: an end that parts more slowly than RESTING and is pulled back is held. A method that passes
impacts inside a step knows rates only. It must not remove such a speed, or slowly parting bodies would stick: a row is
closed only where its rate has vanished (STILL), and bouncing ends when impacts follow within SETTLING steps, because a
fixed step may never see a rate below a given limit.
"""

from taut.kernels.jit import part

TOUCHING = 1e-9  # smaller gaps count as zero [m]; relative to the size for machines larger than 1 m
NEAR = 10.0 * TOUCHING  # gaps that count as zero at the start of a method that passes impacts inside steps [m]
BOUNCING = 1e-3  # slower impacts do not bounce [m/s]
RESTING = 1e-4  # touching ends that part more slowly and are pulled back stay closed, as rocking ends do [m/s]
PARTING = 1e-6  # an active contact opens only if its rate exceeds this [m/s]
STILL = 1e-9  # smaller rates count as zero [m/s]
SETTLING = 4  # an end struck again within so many steps does not rebound


def restitution_at(restitution, rate):
    """e of an impact at a rate, which is negative."""
    return restitution if rate < -BOUNCING else 0.0


def energy_lost(impulse, before, behind):
    """Energy lost by an impact, Eq. (1)."""
    return -0.5 * impulse * (before + behind)


rebound_part, loss_part = part(restitution_at), part(energy_lost)
