"""The start state, and the settings of a run."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from .base import Count, Flag, Fraction, Name, NonNegative, Positive, Record, note, quantity

# below lies the rounding of the numbers, above nothing that deserves the name of a solution
LEAST_TOLERANCE, MOST_TOLERANCE = 1e-13, 0.1

StrictSeed = Annotated[StrictInt, Field(ge=0, le=2**31 - 1)]
Enforce = Literal["eliminated", "multipliers"]
Tolerance = Annotated[Positive, Field(ge=LEAST_TOLERANCE, le=MOST_TOLERANCE)]


class Initial(Record):
    """How the start state is found from the positions given."""

    solve: Literal["closures", "equilibrium", "none"] = note(
        "closures: move the bodies until all loops close; equilibrium: and until everything hangs at rest; "
        "none: take the positions as given",
        "closures",
    )
    tolerance: Positive = quantity("largest loop error left", "m or rad", 1e-10)


class GeneralizedAlpha(Record):
    """Settings of the integrator generalized-alpha."""

    index: Literal[2, 3] = note(
        "level at which loops are closed in a step: 2 velocities, then positions; 3 positions alone", 2
    )
    rho_infinity: Fraction = note("share of the fastest motions that survives a step: 0 damps all, 1 none", 0.8)
    real_time: Flag = note(
        "bound the Newton iterations of a step, time every step, and report the longest; needs run.step", False
    )
    most_iterations: Count = note("that bound", 3)


class Explicit(Record):
    """Settings of the integrator explicit."""

    stabilisation: Literal["projection", "baumgarte"] = note(
        "loops are closed after every step, or held by feedback of their errors (for comparison: errors remain)",
        "projection",
    )
    damping: NonNegative = quantity("Baumgarte's alpha: J a + bias + 2 alpha rate + beta^2 error = 0", "1/s", 10.0)
    stiffness: NonNegative = quantity("Baumgarte's beta", "1/s", 10.0)


class Run(Record):
    """Settings of a simulation."""

    duration: Positive = quantity("end time", "s", 1.0)
    save_every: Positive = quantity("interval between saved samples", "s", 0.01)
    tolerance: Tolerance = note("accuracy of the time integration, from 1e-13 to 0.1", 1e-6)
    integrator: Name = note("method of the time integration: radau, generalized-alpha, explicit", "radau")
    largest_step: Positive | None = quantity("no step is longer: for events that come and go within a step", "s", None)
    step: Positive | None = quantity(
        "fixed step of generalized-alpha or explicit; none: the step follows the tolerance", "s", None
    )
    generalized_alpha: GeneralizedAlpha = note("settings of the integrator generalized-alpha", GeneralizedAlpha())
    explicit: Explicit = note("settings of the integrator explicit", Explicit())
    seed: StrictSeed = note("seed of all random numbers of the run, such as the noise of measurements", 0)
    driven: Enforce = note("driven exits: eliminated from the unknowns (fast), or held by multipliers", "eliminated")
