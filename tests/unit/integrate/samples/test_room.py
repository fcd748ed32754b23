"""Samples that are read into their places."""

import numpy as np
import pytest

import taut
from taut.integrate.samples.raw import new_samples, read
from taut.integrate.samples.room import Room

pytestmark = pytest.mark.nojit


@pytest.fixture
def model():
    machine = taut.Machine("pendulum")
    machine.body("bob", mass=1.0, com=[0, 0, -1], joint={"kind": "revolute", "axis": [0, 1, 0]})
    return taut.build(machine.scenario())


def buffer_of(model, times):
    """States of a pendulum that swings."""
    samples = new_samples(model, np.array(times), 0)
    samples.q[:, 0], samples.v[:, 0], samples.a[:, 0] = np.sin(times), np.cos(times), -np.sin(times)
    return samples


def test_in_pieces_as_at_once(model):
    data, times = taut.new_data(model), [0.0, 0.1, 0.2, 0.3]
    expected = read(model, data, buffer_of(model, times), 4)
    room = Room(model, 5)
    for k in range(4):
        room.read(data, buffer_of(model, times[k:]), 1)
    for whole, piece in zip(expected, room.take(), strict=True):
        for name in whole._fields:
            np.testing.assert_array_equal(getattr(piece, name), getattr(whole, name), err_msg=name)


def test_what_was_taken_is_not_taken_again(model):
    data, room = taut.new_data(model), Room(model, 4)
    room.read(data, buffer_of(model, [0.0, 0.1]), 2)
    (first, _), (second, _) = room.take(), room.take()
    room.read(data, buffer_of(model, [0.2]), 1)
    third, _ = room.take()
    assert [len(part.times) for part in (first, second, third)] == [2, 0, 1]
    assert first.times.tolist() == [0.0, 0.1] and third.times.tolist() == [0.2]
