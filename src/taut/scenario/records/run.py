"""The start state, and the settings of a run."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from taut.scenario.base import Count, Flag, Fraction, Name, NonNegative, Positive, Record, note, quantity

# limits of the tolerance: smaller ones are below rounding, with larger ones results would be meaningless
LEAST_TOLERANCE, MOST_TOLERANCE = 1e-13, 0.1

StrictSeed = Annotated[StrictInt, Field(ge=0, le=2**31 - 1)]
Enforce = Literal["eliminated", "multipliers"]
Theta = Annotated[Fraction, Field(ge=0.5)]
Tolerance = Annotated[Positive, Field(ge=LEAST_TOLERANCE, le=MOST_TOLERANCE)]
Growth = Annotated[Positive, Field(ge=1.0)]


class Initial(Record):
    """How the start state is found from the positions given."""

    solve: Literal["closures", "equilibrium", "none"] = note(
        "closures: move what is not given, then the rest, until all loops close; equilibrium: and until "
        "everything hangs at rest; "
        "none: take the positions as given",
        "closures",
    )
    rates: Literal["consistent", "given"] = note(
        "consistent: velocities agree with driven points and winches, changed as little as possible; "
        "given: taken as they are, for non-smooth integrators, whose first step makes them agree by impulses",
        "consistent",
    )
    tolerance: Positive = quantity("largest loop error left", "m or rad", 1e-10)
    pretension: Positive | None = quantity(
        "cables that stretch without mass hold the free bodies where they are given, with tensions nearest to this: "
        "their unstrained lengths are adapted; none: lengths as given",
        "N",
        None,
    )


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


Stabilisation = Literal["projection", "none"]
STABILISATION = (
    "projection: positions of loops and of closed contacts and cables are closed after every step; "
    "none: they are held in velocities alone, and drift"
)


class NonsmoothAlpha(Record):
    """Settings of the integrator nonsmooth-alpha."""

    rho_infinity: Fraction = note("share of the fastest motions that survives a step: 0 damps all, 1 none", 0.8)
    reactions: Literal["forces", "impulses"] = note(
        "forces: reactions that last are forces, order 2, and impacts act at their place in the step; "
        "impulses: every reaction is an impulse at the end of the step, order 1 (as published)",
        "forces",
    )
    stabilisation: Stabilisation = note(STABILISATION, "projection")


class MoreauJean(Record):
    """Settings of the integrator moreau-jean."""

    theta: Theta = note("weight of the end of the step, 0.5 to 1: 0.5 loses no energy by itself, 1 damps most", 0.5)
    stabilisation: Stabilisation = note(STABILISATION, "projection")


class Run(Record):
    """Settings of a simulation."""

    duration: Positive = quantity("end time", "s", 1.0)
    save_every: Positive = quantity("interval between saved samples", "s", 0.01)
    tolerance: Tolerance = note(
        "error of any point of any body, against the size of the machine, from 1e-13 to 0.1", 1e-6
    )
    error_growth: Growth = note(
        "how many times larger the motion makes an early error, as cables that buckle do: "
        "steps are made that much more exact",
        1.0,
    )
    integrator: Name = note(
        "method of the time integration: radau, generalized-alpha, explicit, nonsmooth-alpha, moreau-jean", "radau"
    )
    unilateral: Literal["smooth", "nonsmooth"] = note(
        "cables that go slack and contacts: smooth locates each event; nonsmooth passes them in fixed steps "
        "(by nonsmooth-alpha, unless moreau-jean is chosen)",
        "smooth",
    )
    largest_step: Positive | None = quantity("no step is longer; events inside a step are found without it", "s", None)
    step: Positive | None = quantity(
        "fixed step of all methods but radau; none: the step follows the tolerance; nonsmooth methods: 1 ms", "s", None
    )
    generalized_alpha: GeneralizedAlpha = note("settings of the integrator generalized-alpha", GeneralizedAlpha())
    explicit: Explicit = note("settings of the integrator explicit", Explicit())
    nonsmooth_alpha: NonsmoothAlpha = note("settings of the integrator nonsmooth-alpha", NonsmoothAlpha())
    moreau_jean: MoreauJean = note("settings of the integrator moreau-jean", MoreauJean())
    seed: StrictSeed = note("seed of all random numbers of the run, such as the noise of measurements", 0)
    driven: Enforce = note("driven exits: eliminated from the unknowns (fast), or held by multipliers", "eliminated")
