"""Distances of a carried box from boxes that stand in the world.

Two convex bodies with edges are nearest where an edge of one meets a face, an edge or a corner of the other; if they
cut each other, an edge of one enters the other. So the distance is the smallest of those of the twelve edges of each
from the other box, and 0 where they overlap.
"""

import numpy as np

from taut.kernels.jit import entry, part
from taut.kernels.robots.reach import turned
from taut.kernels.robots.segments import box_distance, to_platform


@part
def edge(low, high, k, ends):
    """Both ends of edge k of a box: along axis k // 4, at one of four corners of the others."""
    axis, corner = k // 4, k % 4
    for c in range(3):
        if c == axis:
            ends[0, c], ends[1, c] = low[c], high[c]
        else:
            # the first of the two other axes takes the low bit of the corner, the second the high one
            is_first = c == (1 if axis == 0 else 0)
            is_high = corner % 2 == 1 if is_first else corner // 2 == 1
            ends[0, c] = ends[1, c] = high[c] if is_high else low[c]


@part
def to_world(R, pose, x):
    """A point of the platform's frame in the world."""
    a, b, c = x[0], x[1], x[2]
    for k in range(3):
        x[k] = pose[k] + R[k, 0] * a + R[k, 1] * b + R[k, 2] * c


@entry
def body_rows(poses, box, boxes, R, ends, first, last, distances):
    """Distances of the platform's box [2, 3] from boxes in the world [b, 2, 3] at poses, into [k, b]."""
    for k in range(first, last):
        turned(poses[k], R)
        for b in range(len(boxes)):
            least = np.inf
            for e in range(12):
                edge(box[0], box[1], e, ends)
                for side in range(2):
                    to_world(R, poses[k], ends[side])
                least = min(least, box_distance(ends[0], ends[1], boxes[b, 0], boxes[b, 1]))
                edge(boxes[b, 0], boxes[b, 1], e, ends)
                for side in range(2):
                    to_platform(R, poses[k], ends[side])
                least = min(least, box_distance(ends[0], ends[1], box[0], box[1]))
            distances[k, b] = least
