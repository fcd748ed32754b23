"""What follows from a model is found once, and belongs to no run."""

import gc
import pickle
import weakref

import numpy as np
import pytest

import taut
from taut.model import data_beside
from taut.model.duplicate import duplicate
from taut.model.remembered import kept, remembered

pytestmark = pytest.mark.nojit


def pendulum():
    machine = taut.Machine("pendulum")
    machine.body("bob", mass=1.0, com=[0, 0, -1], inertia=[0.1, 0.1, 0.1],
                 joint={"kind": "revolute", "axis": [0, 1, 0], "position": 0.3})  # fmt: skip
    return taut.build(machine.scenario())


@pytest.fixture
def model():
    return pendulum()


def test_it_is_found_once_for_each_model(model):
    asked = []
    for _ in range(2):
        assert remembered(model, "its columns", lambda one: asked.append(one) or one.column_count) == 1
    assert len(asked) == 1 and asked[0] is model


def test_it_goes_with_its_model():
    model = pendulum()
    first = taut.start_state(model)
    assert "start" in kept(model)
    gone = weakref.ref(model), weakref.ref(kept(model)["start"])
    del model, first
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_it_goes_to_no_other_model_and_into_no_pickle(model):
    taut.start_state(model)
    others = taut.with_numbers(model, {"bodies.bob.joint.position": 0.5}), pickle.loads(pickle.dumps(model))
    assert [dict(kept(one)) for one in others] == [{}, {}]
    assert [taut.start_state(one).data.q[0] for one in others] == [0.5, 0.3]


def test_a_start_that_was_written_to_is_not_the_next_one(model):
    first = taut.start_state(model).data
    angle = first.q[0]
    first.q[:] = 7.0
    first.nodes["x"] = 7.0
    again = taut.start_state(model).data
    assert again.q[0] == angle and not (again.nodes["x"] == 7.0).any()


def test_a_duplicate_holds_what_the_other_holds(model):
    data = taut.new_data(model)
    data.q[:], data.lam[:] = 0.4, 2.0
    copy, shared = duplicate(model, data), duplicate(model, taut.new_data(model)._replace(q=np.array([0.5])))
    data.q[:] = 0.0
    assert copy.q[0] == 0.4 and shared.q[0] == 0.5


def test_a_duplicate_holds_what_the_other_shares_with_a_third(model):
    data = taut.new_data(model)
    beside = data_beside(model, data)
    data.most_rank[0] = 7
    assert duplicate(model, beside).most_rank[0] == 7
