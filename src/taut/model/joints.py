"""Joints by definition: the moves of each, from which everything but the compiled placing is derived.

A joint is a list of moves, one after the other, in the joint frame: slides, then turns. Every column is a pure
translation or a pure rotation about an axis through the body's origin; so no slide follows a turn, and a ``ball`` is
the first turn. The columns of the tables, the start poses, the audit and the comparisons with other engines follow from
this list; only ``place_nodes`` of ``dynamics/tree/kinematics.py`` repeats it, compiled.
"""

from enum import IntEnum, unique
from typing import Any, NamedTuple

import numpy as np


@unique
class JointKind(IntEnum):
    """How a node moves on its parent; each lists its columns in order (R rotation, T translation)."""

    WORLD = 0  # the immovable root, node 0
    FIXED = 1  # no column: the body moves with its parent
    REVOLUTE = 2  # R: one rotation
    PRISMATIC = 3  # T: one translation
    UNIVERSAL = 4  # R R about axis_1, then axis_2
    BEND_XY = 5  # R R about the frame's x, then y: first half of a cable element
    BEND_YX = 6  # R R about the frame's y, then x: alternates with BEND_XY along a cable
    STRETCH = 7  # T along the frame's z: second half of a cable element
    SPHERICAL = 8  # R R R: three rotations, as a quaternion
    PLANAR = 9  # T T R along axis_1, axis_2, about axis_1 x axis_2
    POINT = 10  # T T T: three translations
    FREE = 11  # T T T R R R, position and quaternion
    DRIVEN = 12  # no column: a point that follows three signals
    DRIVEN_TURN = 13  # no column: a hinge whose angle follows a signal
    DRIVEN_SLIDE = 14  # no column: a slider whose position follows a signal
    MODAL = 15  # any number of columns with matrices of their own: a super-element
    RITZ = 16  # modal: a cable with assumed modes (``dynamics/modal/ritz.py``)
    SMALL = 17  # T T T R R R, position and small rotations as plain coordinates (``dynamics/tree/points.py``)
    REDUCED = 18  # modal: a cable as a sum of shapes (``dynamics/modal/reduced.py``)
    FEED = 19  # T that moves nothing: unstrained length of the cable after it (``dynamics/forces/feed_coordinate.py``)


class Move(NamedTuple):
    """One move of a joint.

    ``ball`` is a free turn, a quaternion in q, with columns along x, y, z of the frame before it. ``small`` is three
    small rotations as plain coordinates.
    """

    how: str  # kind of motion: slide, turn, ball or small
    axis: str = ""  # axis of the motion: axis_1, axis_2, normal (axis_1 x axis_2), x, y or z


class JointDefinition(NamedTuple):
    """A joint's moves, the labels of its columns, and its name in a scenario (none: the build makes it)."""

    moves: tuple[Move, ...] = ()
    labels: tuple[str, ...] = ("",)
    name: str = ""


class Place(NamedTuple):
    """Place of a column: its kind, its entry in the joint's q, its component of a quaternion (-1: a scalar)."""

    is_rotation: bool
    is_parent_axis: bool
    coordinate: int
    component: int


SLIDES = (Move("slide", "x"), Move("slide", "y"), Move("slide", "z"))
POSE = ("x", "y", "z", "rx", "ry", "rz")
JOINTS: dict[JointKind, JointDefinition] = {
    JointKind.FIXED: JointDefinition(name="fixed"),
    JointKind.REVOLUTE: JointDefinition((Move("turn", "axis_1"),), name="revolute"),
    JointKind.PRISMATIC: JointDefinition((Move("slide", "axis_1"),), name="prismatic"),
    JointKind.UNIVERSAL: JointDefinition((Move("turn", "axis_1"), Move("turn", "axis_2")), ("1", "2"), "universal"),
    JointKind.BEND_XY: JointDefinition((Move("turn", "x"), Move("turn", "y")), ("1", "2")),
    JointKind.BEND_YX: JointDefinition((Move("turn", "y"), Move("turn", "x")), ("1", "2")),
    JointKind.STRETCH: JointDefinition((Move("slide", "z"),)),
    JointKind.SPHERICAL: JointDefinition((Move("ball"),), POSE[3:], "spherical"),
    JointKind.PLANAR: JointDefinition(
        (Move("slide", "axis_1"), Move("slide", "axis_2"), Move("turn", "normal")), ("x", "z", "angle"), "planar"
    ),
    JointKind.POINT: JointDefinition(SLIDES, POSE[:3], "point"),
    JointKind.FREE: JointDefinition((*SLIDES, Move("ball")), POSE, "free"),
    JointKind.SMALL: JointDefinition((*SLIDES, Move("small")), POSE),
    # a feed moves no body, so its axis is zero
    JointKind.FEED: JointDefinition((Move("slide", "axis_1"),)),
}

# joints with any number of columns and a banded matrix of their own (``dynamics/modal/bands.py``)
MODAL_JOINTS = frozenset({JointKind.MODAL, JointKind.RITZ, JointKind.REDUCED})

# joint with one coordinate -> its form with that coordinate prescribed
DRIVEN_FORMS = {JointKind.REVOLUTE: JointKind.DRIVEN_TURN, JointKind.PRISMATIC: JointKind.DRIVEN_SLIDE}
DRIVEN_JOINTS = frozenset(DRIVEN_FORMS.values())


def moves_of(kind: JointKind) -> tuple[Move, ...]:
    """The moves of a joint; a driven one has those of the joint it is made of."""
    return next((JOINTS[free].moves for free, driven in DRIVEN_FORMS.items() if driven == kind),
                JOINTS.get(kind, JointDefinition()).moves)  # fmt: skip


def column_places(kind: JointKind) -> tuple[Place, ...]:
    """The columns of a joint in order."""
    found: list[Place] = []
    first = 0
    for move in JOINTS.get(kind, JointDefinition()).moves:
        if move.how == "ball":
            found += [Place(True, True, first, k) for k in range(3)]
            first += 4
        elif move.how == "small":
            found += [Place(True, True, first + k, -1) for k in range(3)]
            first += 3
        else:
            found.append(Place(move.how == "turn", False, first, -1))
            first += 1
    return tuple(found)


def rest_position(kind: JointKind) -> list[float]:
    """Coordinates at which the body's frame is the joint's: zeros, and the identity for a quaternion."""
    found: list[float] = []
    for place in column_places(kind):
        found += [0.0] if place.component < 0 else ([1.0, 0.0, 0.0, 0.0] if place.component == 0 else [])
    return found


def axis_of(move: Move, first: Any, second: Any) -> np.ndarray:
    """The axis of a move in the joint frame, for one joint or an array of them [..., 3]."""
    if move.axis == "normal":
        return np.cross(first, second)
    return {"axis_1": first, "axis_2": second}[move.axis] if move.axis.startswith("axis") else AXES[move.axis]


AXES = dict(zip("xyz", np.eye(3), strict=True))
KINDS = {joint.name: kind for kind, joint in JOINTS.items() if joint.name}  # kind of a joint by its name in a scenario
# columns by kind: True for a rotation; modal nodes define their own
JOINT_COLUMNS = {kind: tuple(place.is_rotation for place in column_places(kind)) for kind in JointKind}
# joints with a quaternion: one more entry in q than columns
QUATERNION_JOINTS = frozenset(kind for kind, joint in JOINTS.items() if Move("ball") in joint.moves)
# joints that slide in a plane or in space
WANDERING_JOINTS = frozenset(
    kind for kind, joint in JOINTS.items() if sum(move.how == "slide" for move in joint.moves) >= 2
)
