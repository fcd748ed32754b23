"""Choices as integers: kernels branch on them, the build writes them.

Joints and laws have definitions beside their numbers, in ``joints.py`` and ``laws.py``.
"""

from enum import IntEnum, unique

from taut.model.joints import DRIVEN_JOINTS, JOINT_COLUMNS, MODAL_JOINTS, QUATERNION_JOINTS, JointKind
from taut.model.laws import LawKind

__all__ = [
    "DRIVEN_JOINTS",
    "JOINT_COLUMNS",
    "MODAL_JOINTS",
    "QUATERNION_JOINTS",
    "CapstanKind",
    "ClosureKind",
    "ContactLaw",
    "ContactMode",
    "EventKind",
    "FeedKind",
    "GripMode",
    "JointKind",
    "LawKind",
    "SlipMode",
    "TermKind",
]


@unique
class ClosureKind(IntEnum):
    """How two bodies of different branches meet."""

    POINT = 0  # the points coincide (also a spherical joint)
    UNIVERSAL = 1  # the points coincide, and axis a stays perpendicular to axis b
    REVOLUTE = 2  # the points coincide, and axis a stays parallel to axis b
    FIXED = 3  # the points coincide, and all axes stay parallel
    COORDINATE = 4  # one coordinate of a joint follows a signal
    TURN = 6  # the points coincide in the held directions, and turns about the vertical are the same (small rotations)
    DISTANCE = 5  # the points are a length apart (a rod), or no farther (a cable); it may follow a signal


@unique
class ContactLaw(IntEnum):
    """Force of the ground on a point below its surface."""

    BILATERAL = 0  # spring and damper while the point is below the surface; may pull
    UNILATERAL = 1  # spring and damper that open when they would pull
    RIGID = 2  # a one-sided closure, whose multiplier is the normal force; only friction is a force of the contact


@unique
class ContactMode(IntEnum):
    """Whether a contact acts; changed only at located events."""

    OPEN = -1
    CLOSED = 1


@unique
class GripMode(IntEnum):
    """State of the ground's friction at a closed contact; changed only at located events."""

    STICKS = 1  # a spring and damper to an anchor, which is a place on the ground
    SMOOTHED = 0  # for methods that locate no events: a smoothed direction of the sliding velocity
    SLIPS = -1  # friction at its limit against the sliding direction; the anchor holds the direction of the first slip
    YIELDS = 2  # in statics: sticks up to the limit, and slips beyond


@unique
class EventKind(IntEnum):
    """Kinds of event functions, which are watched for a change of sign."""

    CONTACT = 0  # a contact closes or opens
    SLACK = 1  # a bilinear spring passes its free position, or one with backlash an end of its gap
    CROSSING = 2  # a point passes a plane, or its speed a value
    SWITCH = 3  # a failure: at a time, or because another event has happened
    UNILATERAL = 4  # a one-sided closure closes (its gap vanishes) or opens (its multiplier vanishes)
    TETHER = 5  # a cable without mass that stretches goes taut or slack
    FRICTION = 6  # a coordinate with dry friction or a brake sticks or slips; its side is a SlipMode
    FADING = 7  # a coordinate reaches the speed at which its stiction has decayed, which no step may skip
    TENSION = 9  # the tension of a rope passes a value
    GRIP = 8  # a contact with the ground sticks or slips; its side is a GripMode
    TIMER = 10  # another event has stayed on its side for a given time
    COORDINATE = 11  # a coordinate, or its rate, passes a value
    LENGTH = 12  # the unstrained length of a rope outside
    WRAP = 13  # the wrap of a rope about a sheave
    LOAD = 14  # the load of a guide
    TORQUE = 15  # the torque of a drum's drive
    ANCHOR = 16  # the tension of a cable of elements at its anchor
    SWIVEL = 17  # the turn of a sheave's plane about the vertical; opposite to the level it jumps, which is no event


@unique
class SlipMode(IntEnum):
    """State of dry friction on a coordinate; changed only at located events."""

    STICKS = 1  # the coordinate rests; friction is the force within the limit that keeps it there
    SMOOTHED = 0  # for methods that locate no events: a smoothed sign of the rate
    FORWARD = -1  # slips, or starts to slip, with a positive rate
    BACKWARD = -2  # slips, or starts to slip, with a negative rate
    FREE = -3  # no friction; only while its mode is being decided
    PRESSED_FORWARD = -4  # at rest because other joints stick; acts with its limit against a positive rate
    PRESSED_BACKWARD = -5  # at rest because other joints stick; acts with its limit against a negative rate


@unique
class CapstanKind(IntEnum):
    """Friction that follows the tensions of a rope."""

    SLIP = 0  # friction of the rope on guides: the ratio of the tensions on both sides is limited
    BEARING = 1  # friction of a sheave with inertia: a moment that follows the load of its bearing
    GEAR = 2  # friction in the gearbox of a drum: a share of the torque that it transmits
    BRAKE = 3  # a brake that takes time to close: its limit is a signal


@unique
class FeedKind(IntEnum):
    """Inertia forces of a cable whose length changes."""

    CONSISTENT = 0  # derived from the accelerations of the material that flows along the cable
    PAPER = 1  # rate of the mass matrix times the velocities, as published


@unique
class TermKind(IntEnum):
    """Terms of a signal."""

    POLYNOMIAL = 0
    SINUSOID = 1
    COMMAND = 2  # value set by a controller during the run
