"""The law of impacts, for methods that stop at them and for those that pass them inside a step.

What touches and closes at the rate u- parts at u+ = -e u-, Newton's law, and the impulse P takes
    -P (u+ + u-) / 2                                                                                            (1)
of energy. The numbers of the law are the same for all methods; only what comes to rest is decided in two ways. A method
that stops knows the accelerations behind an impact: whatever parts more slowly than RESTING and is pulled back is
caught. One that passes knows rates alone. It must not take such a speed away, or bodies would stick that part slowly:
a row is closed only where its rate has vanished (STILL), and what bounces comes to rest by the number of steps between
two impacts (SETTLING), not below a speed that a fixed step may never see.
"""

from taut.kernels.jit import part

TOUCHING = 1e-9  # a gap no larger is none [m], against the size of a machine of more than one metre
NEAR = 10.0 * TOUCHING  # and at the start of a method that passes impacts
BOUNCING = 1e-3  # slower impacts do not bounce [m/s]
RESTING = 1e-4  # ends that touch and part more slowly are caught, if they are pulled back: rocking ends [m/s]
PARTING = 1e-6  # a rate no larger does not part what is pressed [m/s]
STILL = 1e-9  # and one no larger is none [m/s]
SETTLING = 4  # steps: what strikes again so soon rebounds no more


def restitution_at(restitution, rate):
    """e of an impact at a rate, which is negative."""
    return restitution if rate < -BOUNCING else 0.0


def energy_lost(impulse, before, behind):
    """Eq. (1)."""
    return -0.5 * impulse * (before + behind)


rebound_part, loss_part = part(restitution_at), part(energy_lost)
