"""Definitions of joints: the order of moves that the engine's recursions assume, and what follows from them."""

import pytest

from taut.model.joints import JOINTS, JointKind, column_places, rest_position


@pytest.mark.parametrize("kind", JOINTS, ids=lambda kind: kind.name.lower())
def test_slides_come_before_turns_and_a_ball_is_the_first_turn(kind):
    moves = [move.how for move in JOINTS[kind].moves]
    turns = [how for how in moves if how != "slide"]
    assert moves == ["slide"] * (len(moves) - len(turns)) + turns
    assert "ball" not in turns[1:] and "small" not in turns[1:]


@pytest.mark.parametrize("kind", JOINTS, ids=lambda kind: kind.name.lower())
def test_every_column_has_a_label(kind):
    places = column_places(kind)
    assert len(JOINTS[kind].labels) == max(len(places), 1)


def test_columns_of_a_free_body():
    places = column_places(JointKind.FREE)
    assert [place.coordinate for place in places] == [0, 1, 2, 3, 3, 3]
    assert [place.component for place in places] == [-1, -1, -1, 0, 1, 2]
    assert rest_position(JointKind.FREE) == [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
