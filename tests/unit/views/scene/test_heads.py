"""Drums, pulleys and blocks where cables begin."""

import numpy as np
import pytest

from taut.views.scene.frames import Frame
from taut.views.scene.heads import BLOCK, PULLEY, WINCH, read_heads

SAID = {"drivers": {"W": {"kind": "winch", "drum": {"radius": 0.1}}, "Q": {"kind": "quadcopter", "arm": 0.2}}}
CABLES = {
    "over a pulley": {"pulley": {"radius": 0.3}, "winch": "W"},
    "off a drum": {"winch": "W"},
    "from a point": {},
    "from a quadcopter": {"driver": "Q"},
}


def frame_of(nodes):
    count = len(nodes)
    empty = np.zeros((0, 3))
    return Frame(0.0, empty, np.zeros((0, 4)), np.asarray(nodes, float), np.zeros((count, 1)),
                 np.zeros((count, 1), bool), np.zeros((count, 3)))  # fmt: skip


def test_every_beginning_has_its_look():
    frame = frame_of([[[k, 0, 4], [k + 1, 1, 1]] for k in range(4)])
    heads = read_heads(list(CABLES), CABLES, SAID, frame, 10.0)
    assert [(head.kind, head.cables.tolist()) for head in heads] == [(PULLEY, [0]), (WINCH, [1]), (BLOCK, [2])]
    assert [head.radius for head in heads] == [0.3, 0.1, 0.0]


@pytest.mark.parametrize("end", [[2.0, 1.0, -3.0], [0.5, 0.0, -3.0], [3.0, -2.0, 2.0], [-1.0, 0.3, -1.0]])
def test_a_cable_leaves_its_pulley_at_a_tangent(end):
    start, end = np.array([0.2, 0.1, 4.0]), np.array([0.2, 0.1, 4.0]) + end
    frame = frame_of([[start, end]])
    heads = read_heads(["over a pulley"], CABLES, SAID, frame, 10.0)
    # over the wheel's upper side, and in the plane of the wheel
    places, turns = heads[0].places(frame)
    centre = places[0]
    assert np.linalg.norm(start - centre) == pytest.approx(0.3)
    assert (start - centre) @ (end - start) == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(turns[0].T @ turns[0], np.eye(3), atol=1e-12)
    assert abs(turns[0][:, 1] @ (start - centre)) < 1e-12
    assert np.cross(start - centre, end - start) @ turns[0][:, 1] > 0.0


def test_a_cable_straight_down_keeps_its_side():
    frame = frame_of([[[0, 0, 4], [0, 0, 1]]])
    (head,) = read_heads(["over a pulley"], CABLES, SAID, frame, 10.0)
    _, turns = head.places(frame)
    assert np.isfinite(turns).all() and np.linalg.det(turns[0]) == pytest.approx(1.0)
