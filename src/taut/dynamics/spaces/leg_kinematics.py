"""Inverse kinematics in closed form of a leg that turns on a universal joint and slides along the third axis.

The universal joint has axes a_1, a_2 and sits on the world, the slide moves along e = a_1 x a_2 (or its opposite), and
the leg's end is joined to a point of a free body. With d from the joint to that point, in the joint's frame,
    |d| = slide + rest                                                                       (1)
    d / |d| = cos psi (cos phi e + sin phi a_1 x e) + sin psi a_2 x e                        (2)
[Sathuluri, sec. 5.2]. Of the two solutions of (2) the one on the side of the present psi is taken, and phi without a
jump.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import load9, mat_t_vec, mat_vec
from taut.kernels.rotations import quaternion_matrix
from taut.kernels.vec3 import add3, cross3, dot3, load3, norm3, sub3


class Legs(Bundle):
    """Legs whose inverse kinematics has a closed form."""

    nodes: np.ndarray  # universal node, sliding node, body at the end [leg, 3]
    points: np.ndarray  # joined point on the body at the end [leg, 3]
    # distance of the joined point from the slide's frame, measured along the slide, at zero stroke [m], shape [leg]
    rest: np.ndarray


@kernel
def place_legs(model, data, legs):
    """Set the coordinates of the legs from the pose of the bodies at their ends."""
    q = data.q
    before = -1
    R = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    for n in range(len(legs.rest)):
        hinge, slide, body = model.nodes[legs.nodes[n, 0]], model.nodes[legs.nodes[n, 1]], model.nodes[legs.nodes[n, 2]]
        k = body.coordinate
        if k != before:  # compute the pose of a body once: most legs end at the same body
            R = quaternion_matrix((q[k + 3], q[k + 4], q[k + 5], q[k + 6]))
            before = k
        point = add3((q[k], q[k + 1], q[k + 2]), mat_vec(R, load3(legs.points[n])))
        d = mat_t_vec(load9(hinge.rotation), sub3(point, load3(hinge.offset)))
        a_1, a_2, e = load3(hinge.axis_1), load3(hinge.axis_2), load3(slide.axis_1)
        along, side = dot3(d, e), dot3(d, cross3(a_1, e))
        c = hinge.coordinate
        psi = np.arctan2(dot3(d, cross3(a_2, e)), np.sqrt(along * along + side * side))
        phi = np.arctan2(side, along)
        # take the second solution, phi + pi and pi - psi, if the leg was there before
        turn = q[c + 1] - psi
        if abs(turn) > 1.0 and np.cos(q[c + 1]) < 0.0:
            psi = np.pi - psi
            phi += np.pi
        q[c] = near(phi, q[c])
        q[c + 1] = near(psi, q[c + 1])
        q[slide.coordinate] = norm3(d) - legs.rest[n]


@part
def near(angle, guide):
    """The angle, up to full turns, next to the guide."""
    turns = (guide - angle) / (2.0 * np.pi)
    if abs(turns) > 0.5:
        angle += 2.0 * np.pi * np.floor(turns + 0.5)
    return angle
