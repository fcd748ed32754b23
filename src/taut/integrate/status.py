"""How an advance ended, as codes for kernels and as words with a remedy for people."""

DONE, MORE, SAMPLES_FULL, LOG_FULL, STEP_TOO_SMALL, NOT_FINITE, AT_EVENT, CHATTER, STOP, TOO_STIFF = range(10)
UNSOLVED_PROBLEM, OUT_OF_ROPE, ENDED, OFF_SHEAVE, AT_GUIDE, STRAIGHT = 10, 11, 12, 13, 14, 15
REFUSED = -1  # the step is refused and must be repeated with a shorter one

TEXTS = {
    STEP_TOO_SMALL: (
        "step too small",
        "the step size fell below what the clock can resolve: the motion has a jump or a singularity here; "
        "loosen run.tolerance, check the signals and the closures near this time, or end the run before it",
    ),
    CHATTER: (
        "chattering",
        "the same events follow each other without end: a contact without damping may bounce for ever, cables "
        "that do not stretch may hold a machine twice, and points with friction may stick and slip in turns; give "
        "the ground damping or less friction, use kind: spring, or end before it",
    ),
    TOO_STIFF: (
        "too stiff",
        "the machine has motions so fast that an explicit method would need more than 100 000 steps; "
        "use run.integrator: radau, for which stiff cables cost nothing",
    ),
    UNSOLVED_PROBLEM: (
        "no reaction fits",
        "no forces of the one-sided contacts and cables keep all of them apart or taut at once: a cable that is hauled "
        "in against a stop, or a body wedged between two; look at the signals near this time, or try a shorter step",
    ),
    OUT_OF_ROPE: (
        "out of rope",
        "a cable, or the rope behind its last guide, is hauled in to its end: less than a thousandth of it is left; "
        "haul in less, or end the run before",
    ),
    OFF_SHEAVE: (
        "off a sheave",
        "the rope leaves one of its sheaves, or is wound about it by half a turn more or less than at the start, which "
        "this model of a rope does not follow; end the run before, or put the sheave elsewhere",
    ),
    AT_GUIDE: (
        "at a guide",
        "the rope is hauled in until its end, or a guide on a body, reaches the guide next to it, where a span has no "
        "direction left; haul in less, end the run before, or stop it by an event",
    ),
    STRAIGHT: (
        "pulled straight",
        "the rope does not stretch, and is hauled in until it runs nearly straight past the bodies that hang in it, "
        "where no tension carries them; haul in less, end the run before, or use kind: spring",
    ),
    NOT_FINITE: (
        "not finite",
        "the state is not finite any more: look for very large forces or stiffnesses, or a cable of no length; "
        "with a fixed step, try a shorter one",
    ),
}
