"""What five values of an event function say about it on a panel, a part of a step.

The quartic p through the values f_0 ... f_4 at u = 0, 1/4, ..., 1 has the Bernstein coefficients
    b_0 = f_0,   b_1 = (-13 f_0 + 48 f_1 - 36 f_2 + 16 f_3 - 3 f_4) / 12
    b_2 = (13 f_0 - 64 f_1 + 120 f_2 - 64 f_3 + 13 f_4) / 18,   b_3 and b_4 mirrored                         (1)
It lies between the smallest and the largest of them, and rises where they rise [Farouki 2012]. Its highest Chebyshev
coefficients c_3, c_4 bound how far it is off the function:
    |f - p| <= E = 6 max(|c_3|, |c_4|)                                                                       (2)
holds for a kink anywhere in the panel, and with a large margin for smooth functions. At its ends p is exact, so
    |f - p| <= 5 E u   and   |f - p| <= 5 E (1 - u)                                                          (3)
there. Event functions are positive until they pass; the question is whether one passes zero from above.
"""

from taut.kernels.jit import part

CLEAR, CROSSES, STARTS_BEHIND, UNSURE = range(4)
KINK = 6.0  # Eq. (2)
END_SLOPE = 5.0  # Eq. (3)
NEVER = 1e300  # larger values count as infinite: a failure that is never due
LOCATED = 1e5  # accuracy to which events are located, in multiples of rounding
START = 1e-6  # time after its own event for which an event function may be negative by rounding [s]


@part
def bernstein(f0, f1, f2, f3, f4):
    """The three inner Bernstein coefficients, Eq. (1)."""
    b1 = (-13.0 * f0 + 48.0 * f1 - 36.0 * f2 + 16.0 * f3 - 3.0 * f4) / 12.0
    b2 = (13.0 * (f0 + f4) - 64.0 * (f1 + f3) + 120.0 * f2) / 18.0
    b3 = (-13.0 * f4 + 48.0 * f3 - 36.0 * f2 + 16.0 * f1 - 3.0 * f0) / 12.0
    return b1, b2, b3


@part
def interpolation_error(f0, f1, f2, f3, f4):
    """Error of the quartic by Eq. (2): c_3 and c_4 are a quarter and an eighth of its cubic and quartic coefficient."""
    far, near = 0.5 * (f0 + f4) - f2, 0.5 * (f1 + f3) - f2
    c4 = (4.0 * far - 16.0 * near) / 24.0
    c3 = ((f4 - f0) - 2.0 * (f3 - f1)) / 6.0
    return KINK * max(abs(c3), abs(c4))


@part
def panel_verdict(values, rounding, is_start, width):
    """Whether a function passes zero on a panel of that width [s].

    CLEAR: no. CROSSES: once, monotonically falling. STARTS_BEHIND: already negative at the start of the step, and
    by more than rounding. UNSURE: the panel must be divided.
    """
    f0, f1, f2, f3, f4 = values
    if min(f0, f4) > NEVER:
        return CLEAR
    b1, b2, b3 = bernstein(f0, f1, f2, f3, f4)
    E = interpolation_error(f0, f1, f2, f3, f4)
    if min(f0, b1, b2, b3, f4) > E - rounding:
        return CLEAR
    # least slope of the line from either end to any point of the function: Eq. (3)
    rise = 4.0 * min(b1 - f0, (b2 - f0) / 2.0, (b3 - f0) / 3.0, (f4 - f0) / 4.0) - END_SLOPE * E
    if f0 < -rounding and is_start:
        return start_verdict(f0, rise, max(f0, b1, b2, b3, f4) + E, LOCATED * rounding, width)
    if rise > 0.0:
        return CLEAR
    fall = 4.0 * min((f0 - f4) / 4.0, (b1 - f4) / 3.0, (b2 - f4) / 2.0, b3 - f4) - END_SLOPE * E
    if fall > 0.0 and f4 >= -rounding:
        return CLEAR
    steepest = 4.0 * max(b1 - f0, b2 - b1, b3 - b2, f4 - b3) + END_SLOPE * E
    return CROSSES if f4 < -rounding and steepest < 0.0 else UNSURE


@part
def start_verdict(f0, rise, highest, located, width):
    """Verdict on a function that is negative at the start of a step, as by rounding just after its own event."""
    if rise > 0.0:
        return CLEAR if -f0 < located or -f0 * width < START * rise else STARTS_BEHIND
    return STARTS_BEHIND if highest < 0.0 else UNSURE


@part
def smallest_verdict(values, rounding, is_start):
    """On a panel too small to be divided the values alone decide."""
    f0, f1, f2, f3, f4 = values
    if f0 < -rounding and is_start:
        return STARTS_BEHIND if f4 < -rounding else CLEAR
    return CROSSES if min(f1, f2, f3, f4) < -rounding else CLEAR


@part
def panel_slope(values, u):
    """Slope of p at u, against u; by de Casteljau's scheme."""
    f0, f1, f2, f3, f4 = values
    b1, b2, b3 = bernstein(f0, f1, f2, f3, f4)
    r = 1.0 - u
    d0, d1, d2, d3 = b1 - f0, b2 - b1, b3 - b2, f4 - b3
    return 4.0 * (r * r * r * d0 + 3.0 * r * r * u * d1 + 3.0 * r * u * u * d2 + u * u * u * d3)
