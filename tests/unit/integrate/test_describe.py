"""What a machine says of itself at the start."""

import pytest

import taut
from taut.integrate.describe import out_of_range
from taut.integrate.start.start_state import start_state


@pytest.mark.parametrize(("place", "count"), [(0.7, 0), (1.0, 0), (1.2, 1)])
def test_a_joint_that_loops_put_outside_of_its_range_is_remarked_on(place, count):
    machine = taut.Machine("slide")
    machine.body("cart", mass=1.0, joint={"kind": "prismatic", "range": [0.0, 1.0]})
    machine.closure("pin", kind="point", bodies=["cart", "world"], points=[[0, 0, 0], [0, 0, place]])
    model = taut.build(machine.scenario())
    found = out_of_range(model, start_state(model))
    assert len(found) == count and all(f"starts at {place}, outside" in text for text in found)
