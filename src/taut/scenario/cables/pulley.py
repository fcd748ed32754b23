"""Pulleys at exits: a cable that leaves a wheel, which swivels with it."""

from taut.scenario.base import Direction, Positive, Record, note, quantity


class Pulley(Record):
    """A pulley at an exit, which swivels so that it always faces the anchor.

    The cable comes along the swivel axis through the exit point, goes over the wheel, and leaves it at a tangent.
    """

    radius: Positive = quantity("radius of the wheel at the cable's middle", "m")
    axis: Direction = note(
        "swivel axis; the cable goes over the wheel's side it points to: below the body take [0, 0, -1]",
        (0.0, 0.0, 1.0),
    )
