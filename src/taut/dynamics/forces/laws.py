"""Force laws of one coordinate: force, tangent stiffness, stored energy, dissipated power, rate of internal state.

e = x - free is the stretch (or turn). A force acts on the coordinate, so a spring's is negative for e > 0. A new law is
one branch in each function and its definition in ``model/laws.py``. Stretches may be complex, as derivatives by complex
step need them: branches compare real parts, and zero is ``0.0 * e``, of the type of e. A law with an internal state z
has z' = pace (g - z) with the goal g = e; in a search for rest its column has no state, and the law is relaxed: z = g.
A motor's force is z, with the goal that ``model/laws.py`` defines; without a lag it has no state, and z = g.
"""

import numpy as np

from taut.kernels.jit import part
from taut.model.enums import LawKind, SlipMode

NONE = int(LawKind.NONE)
LINEAR = int(LawKind.LINEAR)
BILINEAR = int(LawKind.BILINEAR)
POLYNOMIAL = int(LawKind.POLYNOMIAL)
STANDARD_LINEAR_SOLID = int(LawKind.STANDARD_LINEAR_SOLID)
BACKLASH = int(LawKind.BACKLASH)
MOTOR = int(LawKind.MOTOR)
LAGGED_MOTOR = int(LawKind.LAGGED_MOTOR)
STICKS, SMOOTHED = int(SlipMode.STICKS), int(SlipMode.SMOOTHED)
FORWARD, BACKWARD = int(SlipMode.FORWARD), int(SlipMode.BACKWARD)
PRESSED_FORWARD, PRESSED_BACKWARD = int(SlipMode.PRESSED_FORWARD), int(SlipMode.PRESSED_BACKWARD)


@part
def beyond_gap(law, e):
    """How far a coordinate with backlash presses beyond its gap; zero inside."""
    gap = law.parameter[0]
    if e.real > gap:
        return e - gap
    if e.real < -gap:
        return e + gap
    return 0.0 * e


@part
def has_law(law, modes):
    """Whether a column has a law that still acts: one where a cable is cut ends with it."""
    return law.law != NONE and (law.law_switch < 0 or modes[law.law_switch] <= 0)


@part
def spring_force(law, e, z):
    """Elastic force without the parallel damper; z is the internal state of a standard linear solid."""
    p = law.parameter
    if law.law == LINEAR:
        return -law.stiffness * e
    if law.law == BILINEAR:
        return -law.stiffness * e if e.real >= 0.0 else -p[0] * e
    if law.law == POLYNOMIAL:
        # Horner: p[i] is the coefficient of e^(i+2)
        total = 0.0 * e
        for i in range(6, -1, -1):
            total = (total + p[i]) * e
        return -e * (law.stiffness + total)
    if law.law == STANDARD_LINEAR_SOLID:
        return -law.stiffness * e - p[0] * (e - z)
    if law.law == BACKLASH:
        return -law.stiffness * beyond_gap(law, e)
    if is_motor(law):
        return z
    return 0.0 * e


@part
def is_motor(law):
    """Whether the law is that of a motor."""
    return law.law == MOTOR or law.law == LAGGED_MOTOR


@part
def motor_asked(law, e, v, signals):
    """What a motor is asked for, and the most that it gives at this speed."""
    p = law.parameter
    asked = p[5] + 0.0 * e + 0.0 * v
    if law.signal >= 0:
        r, r_rate = signals[law.signal, 0], signals[law.signal, 1]
        if p[6] > 0.0:
            asked = asked + r
        else:
            asked = asked + law.stiffness * (r - e) + p[2] * (r_rate - v)
    most = p[3] + 0.0 * v
    speed = v if v.real > 0.0 else -v
    if p[4] > 0.0 and speed.real * p[3] > p[4]:
        most = p[4] / speed
    return asked, most


@part
def state_goal(law, e, v, signals):
    """Where the internal state of a law tends to: the stretch, or what a motor is asked for within its limits."""
    if not is_motor(law):
        return e + 0.0 * v
    asked, most = motor_asked(law, e, v, signals)
    if asked.real > most.real:
        return most + 0.0 * asked
    if asked.real < -most.real:
        return -most + 0.0 * asked
    return asked


@part
def motor_slope(law, e, v, signals, c_D, c_K):
    """c_D (-dF/dv) + c_K (-dF/de) of a motor; with a lag what is left of it: x/(1 + x), x = c_D over the lag."""
    asked, most = motor_asked(law, e, v, signals)
    if law.parameter[6] > 0.0 or abs(asked.real) > most.real:
        return 0.0 * c_D
    slope = c_D * law.parameter[2] + c_K * law.stiffness
    if law.state >= 0:
        x = c_D * state_pace(law)
        slope = slope * x / (1.0 + x)
    return slope


@part
def tangent_stiffness(law, e, z):
    """-d(force)/de with the internal state held; of a relaxed law, which has none, with z = e."""
    p = law.parameter
    if law.law == LINEAR:
        return law.stiffness + 0.0 * e
    if law.law == BILINEAR:
        return law.stiffness + 0.0 * e if e.real >= 0.0 else p[0] + 0.0 * e
    if law.law == POLYNOMIAL:
        # derivative of the polynomial: e^(i+2) gives (i + 2) e^(i+1)
        total = 0.0 * e
        for i in range(6, -1, -1):
            total = (total + (i + 2) * p[i]) * e
        return law.stiffness + total
    if law.law == STANDARD_LINEAR_SOLID:
        # without a state the law is relaxed, z = e, and its branch spring carries nothing
        return law.stiffness + (p[0] if law.state >= 0 else 0.0) + 0.0 * e
    if law.law == BACKLASH:
        return law.stiffness + 0.0 * e if abs(e.real) > p[0] else 0.0 * e
    return 0.0 * e


@part
def damping_coefficient(law, e, side):
    """Parallel damper at this stretch: a slack bilinear spring and a gap have none.

    With a ``side`` other than 0 that decides, not the stretch: 1 acts, -1 does not. The force of a damper jumps where
    its spring goes slack; held on one side over a step, an implicit equation with it has a solution.
    """
    if law.law == BILINEAR and (e.real if side.real == 0.0 else side.real) < 0.0:
        return 0.0
    if law.law == BACKLASH and (abs(e.real) - law.parameter[0] if side.real == 0.0 else side.real) <= 0.0:
        return 0.0
    return law.damping


@part
def spring_energy(law, e, z):
    """Energy stored in the spring of a law."""
    p = law.parameter
    if law.law == LINEAR:
        return 0.5 * law.stiffness * e * e
    if law.law == BILINEAR:
        return 0.5 * law.stiffness * e * e if e.real >= 0.0 else 0.5 * p[0] * e * e
    if law.law == POLYNOMIAL:
        # integral of the polynomial: e^(i+2) gives e^(i+3) / (i + 3)
        total = 0.0 * e
        for i in range(6, -1, -1):
            total = (total + p[i] / (i + 3)) * e
        return e * e * (law.stiffness / 2 + total)
    if law.law == STANDARD_LINEAR_SOLID:
        # energy of both springs of the solid: the parallel one is stretched by e, the one beside the damper by e - z
        return 0.5 * law.stiffness * e * e + 0.5 * p[0] * (e - z) * (e - z)
    if law.law == BACKLASH:
        x = beyond_gap(law, e)
        return 0.5 * law.stiffness * x * x
    return 0.0 * e


@part
def state_pace(law):
    """1 / relaxation time of the internal state [1/s]: z' = pace (g - z), as the integrators take it."""
    return law.parameter[0] / law.parameter[1]


@part
def state_rate(law, goal, z):
    """Rate of the internal state: of a solid the branch spring pulls its damper, d_b dz/dt = k_b (e - z)."""
    return state_pace(law) * (goal - z)


@part
def state_loss(law, rate):
    """Power lost by the rate of the internal state."""
    return law.parameter[1] * rate * rate if law.law == STANDARD_LINEAR_SOLID else 0.0 * rate


@part
def brake_force(law, modes):
    """Dry friction that the brake adds while it holds."""
    if law.brake == 0.0:
        return 0.0
    is_switched = law.brake_switch >= 0 and modes[law.brake_switch] > 0
    return law.brake if (law.is_braked != 0) != is_switched else 0.0


@part
def dry_friction(law, v):
    """Size of dry friction and its slope: more at standstill by ``stiction``, which fades with the speed."""
    fade = law.stiction * np.exp(-(v / law.stribeck_velocity) * (v / law.stribeck_velocity))
    return law.coulomb + fade, -2.0 * v / (law.stribeck_velocity * law.stribeck_velocity) * fade


@part
def is_dry(law, brake):
    """Whether there is dry friction at all."""
    return law.coulomb != 0.0 or law.stiction != 0.0 or brake != 0.0


@part
def is_stuck(law, modes):
    """Whether dry friction holds the coordinate at rest; its force then follows from the balance."""
    return law.stick >= 0 and modes[law.stick] > 0


@part
def slip_sign(law, v, modes):
    """Sign of the rate against which dry friction acts, and its slope; of one that sticks, zero.

    While a coordinate slips the sign is that of its mode, so that the force does not jump inside a step.
    """
    mode = modes[law.stick] if law.stick >= 0 else SMOOTHED
    if mode == SMOOTHED:
        t = np.tanh(v / law.velocity_scale)
        return t, (1.0 - t * t) / law.velocity_scale
    is_forward, is_backward = mode in (FORWARD, PRESSED_FORWARD), mode in (BACKWARD, PRESSED_BACKWARD)
    return (1.0 if is_forward else (-1.0 if is_backward else 0.0)) + 0.0 * v, 0.0 * v


@part
def friction_force(law, v, modes):
    """Viscous and dry friction; on a sticking coordinate it follows from the balance (``residual.hold_stuck``)."""
    force = -law.viscous * v
    brake = brake_force(law, modes)
    if is_dry(law, brake):
        size, _ = dry_friction(law, v)
        sign, _ = slip_sign(law, v, modes)
        force -= (size + brake) * sign
    return force


@part
def friction_slope(law, v, modes):
    """-d(friction)/dv."""
    slope = law.viscous + 0.0 * v
    brake = brake_force(law, modes)
    if is_dry(law, brake):
        size, change = dry_friction(law, v)
        sign, steepness = slip_sign(law, v, modes)
        slope += (size + brake) * steepness + change * sign
    return slope


@part
def friction_limit(law, modes):
    """The most that dry friction holds at standstill."""
    return law.coulomb + law.stiction + brake_force(law, modes)
