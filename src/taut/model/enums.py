"""Choices as integers: kernels branch on them, the build writes them."""

from enum import IntEnum


class JointKind(IntEnum):
    """How a node moves on its parent; each lists its columns in order (R rotation, T translation)."""

    WORLD = 0  # the immovable root, node 0
    FIXED = 1  # no column
    REVOLUTE = 2  # R
    PRISMATIC = 3  # T
    UNIVERSAL = 4  # R R about axis_1, then axis_2
    BEND_XY = 5  # R R about the frame's x, then y: first half of a cable element
    BEND_YX = 6  # R R about the frame's y, then x: its neighbour, so that the axes alternate
    STRETCH = 7  # T along the frame's z: second half of a cable element
    SPHERICAL = 8  # R R R, quaternion
    PLANAR = 9  # T T R along axis_1, axis_2, about axis_1 x axis_2
    POINT = 10  # T T T
    FREE = 11  # T T T R R R, position and quaternion
    DRIVEN = 12  # no column: a point that follows three signals
    DRIVEN_TURN = 13  # no column: a hinge whose angle follows a signal
    DRIVEN_SLIDE = 14  # no column: a slider whose position follows a signal
    MODAL = 15  # any number of columns with matrices of their own: a super-element
    RITZ = 16  # modal: a cable with assumed modes (``dynamics/ritz.py``)
    SMALL = 17  # T T T R R R, position and small rotations as plain coordinates (``dynamics/points.py``)
    REDUCED = 18  # modal: a cable as a sum of shapes (``dynamics/reduced.py``)


# columns per joint: True for a rotation
JOINT_COLUMNS: dict[JointKind, tuple[bool, ...]] = {
    JointKind.WORLD: (),
    JointKind.FIXED: (),
    JointKind.REVOLUTE: (True,),
    JointKind.PRISMATIC: (False,),
    JointKind.UNIVERSAL: (True, True),
    JointKind.BEND_XY: (True, True),
    JointKind.BEND_YX: (True, True),
    JointKind.STRETCH: (False,),
    JointKind.SPHERICAL: (True, True, True),
    JointKind.PLANAR: (False, False, True),
    JointKind.POINT: (False, False, False),
    JointKind.FREE: (False, False, False, True, True, True),
    JointKind.DRIVEN: (),
    JointKind.DRIVEN_TURN: (),
    JointKind.DRIVEN_SLIDE: (),
    JointKind.MODAL: (),  # said by each node
    JointKind.RITZ: (),  # likewise
    JointKind.REDUCED: (),  # likewise
    JointKind.SMALL: (False, False, False, True, True, True),
}

# joints with any number of columns and a banded matrix of their own (``dynamics/bands.py``)
MODAL_JOINTS = frozenset({JointKind.MODAL, JointKind.RITZ, JointKind.REDUCED})

# joints whose one coordinate is prescribed
DRIVEN_JOINTS = frozenset({JointKind.DRIVEN_TURN, JointKind.DRIVEN_SLIDE})

# joints whose last three columns turn a quaternion (one more position coordinate than columns)
QUATERNION_JOINTS = frozenset({JointKind.SPHERICAL, JointKind.FREE})


class LawKind(IntEnum):
    """Force of a joint coordinate or of a cable's material."""

    NONE = 0
    LINEAR = 1  # spring and parallel damper (Kelvin-Voigt)
    BILINEAR = 2  # as linear above the free position; slack stiffness and no damper below
    POLYNOMIAL = 3  # sum of k_i x^i and a parallel damper
    STANDARD_LINEAR_SOLID = 4  # a spring beside a spring and damper in series; one internal state
    BACKLASH = 5  # as linear beyond a gap to either side of the free position; nothing inside


class ClosureKind(IntEnum):
    """How two bodies of different branches meet."""

    POINT = 0  # the points coincide (also a spherical joint)
    UNIVERSAL = 1  # and axis a stays perpendicular to axis b
    REVOLUTE = 2  # and axis a stays parallel to axis b
    FIXED = 3  # and all axes stay parallel
    COORDINATE = 4  # one coordinate of a joint follows a signal
    TURN = 6  # the points coincide in the held directions, and turns about the vertical are the same (small rotations)
    DISTANCE = 5  # the points are a length apart (a rod), or no farther (a cable); it may follow a signal


class ContactLaw(IntEnum):
    """Force of the ground on a point below its surface."""

    BILATERAL = 0  # spring and damper while the point is below the surface; may pull
    UNILATERAL = 1  # lets go when it would pull
    RIGID = 2  # a one-sided closure, whose multiplier it is; friction alone is a force of the contact


class ContactMode(IntEnum):
    """Whether a contact acts; changed only at located events."""

    OPEN = -1
    CLOSED = 1


class GripMode(IntEnum):
    """What friction of the ground does at a closed contact; changed only at located events."""

    STICKS = 1  # a spring and damper to an anchor, which is a place on the ground
    SMOOTHED = 0  # by a smoothed direction of the sliding speed
    SLIPS = -1  # the limit, against the sliding direction; the anchor is the direction in which it began
    YIELDS = 2  # in statics: sticks up to the limit, and slips beyond


class EventKind(IntEnum):
    """What is watched for a change of sign."""

    CONTACT = 0  # a contact closes or opens
    SLACK = 1  # a bilinear spring passes its free position, or one with backlash an end of its gap
    CROSSING = 2  # a point passes a plane, or its speed a value
    SWITCH = 3  # something fails or lets go: at a time, or because another event has passed
    UNILATERAL = 4  # a one-sided closure closes (its gap vanishes) or opens (its multiplier does)
    TETHER = 5  # a cable without mass that stretches goes taut or slack
    FRICTION = 6  # a coordinate with dry friction or a brake sticks or slips; its side is a SlipMode
    FADING = 7  # the speed of a coordinate passes that at which its stiction has faded: no step may pass over it
    GRIP = 8  # a contact with the ground sticks or slips; its side is a GripMode


class SlipMode(IntEnum):
    """What dry friction does on a coordinate; changed only at located events."""

    STICKS = 1  # the coordinate stands still, by whatever force within the limit that takes
    SMOOTHED = 0  # nobody locates events: a smoothed sign of the rate
    FORWARD = -1  # slips, or is about to, with a positive rate
    BACKWARD = -2  # with a negative one
    FREE = -3  # acts as if there were none; only while it is decided what it does
    PRESSED_FORWARD = -4  # stands still because others stick, with its limit as a force against a positive rate
    PRESSED_BACKWARD = -5  # against a negative one


class FeedKind(IntEnum):
    """Inertia forces of a cable whose length changes."""

    CONSISTENT = 0  # accelerations of the material that flows along the cable
    PAPER = 1  # the rate of the mass matrix times the velocities, as published


class TermKind(IntEnum):
    """Terms of a signal."""

    POLYNOMIAL = 0
    SINUSOID = 1
    COMMAND = 2  # set by a controller during the run
