"""Points on bodies: where they are, how they move, and the moment of a force there.

A body that turns has, for a point at r in its axes, the lever d = R r and
    velocity v + w x d,   acceleration a + alpha x d + w x (w x d),   moment d x F.                            (1)
A body whose rotations are small and plain coordinates (joint kind SMALL) has instead [Wang2018, Eqs. 5, 7]
        | 1    -t_z   t_y |
    R = | t_z    1   -t_x |     d = R r,   velocity v + R' r,   moment (dR/dt_k r).F about axis k,              (2)
        |-sin t_y sin t_x 1 |
whose entries are its rotation vector t, with sines in the row of the vertical.
"""

import numpy as np

from taut.kernels.jit import part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import add3, cross3, load3


@part
def lever(here, point):
    """Vector from a node's origin to a point on it, world axes."""
    return mat_vec(load9(here.R), load3(point))


@part
def cosines(here):
    """cos t_x, cos t_y of a small rotation, whose sines are in R."""
    return np.sqrt(1.0 - here.R[7] * here.R[7]), np.sqrt(1.0 - here.R[6] * here.R[6])


@part
def point_motion(here, point, is_linear):
    """Velocity and acceleration of a point."""
    w = load3(here.w)
    alpha = load3(here.alpha)
    if is_linear:
        turn = linear_turn(here, w, point)
        more = linear_turn(here, alpha, point)
        # second derivative of the sines in the vertical row of R
        bend = here.R[7] * w[0] * w[0] * point[1] + here.R[6] * w[1] * w[1] * point[0]
        more = (more[0], more[1], more[2] - bend)
        return add3(load3(here.v), turn), add3(load3(here.a), more)
    d = lever(here, point)
    turn = cross3(w, d)
    return add3(load3(here.v), turn), add3(load3(here.a), add3(cross3(alpha, d), cross3(w, turn)))


@part
def linear_turn(here, w, point):
    """R' r of Eq. (2) for rates w of its rotations."""
    c_x, c_y = cosines(here)
    return (
        w[1] * point[2] - w[2] * point[1],
        w[2] * point[0] - w[0] * point[2],
        c_x * w[0] * point[1] - c_y * w[1] * point[0],
    )


@part
def moment(here, point, F, is_linear):
    """Moment about the node's origin of a force at a point."""
    if is_linear:
        c_x, c_y = cosines(here)
        return (
            c_x * point[1] * F[2] - point[2] * F[1],
            point[2] * F[0] - c_y * point[0] * F[2],
            point[0] * F[1] - point[1] * F[0],
        )
    return cross3(lever(here, point), F)
