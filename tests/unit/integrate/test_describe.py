"""What a machine says of itself at the start."""

import pytest

import taut
from taut.build import build
from taut.cli.answers import summary_lines
from taut.integrate.describe import describe, out_of_range
from taut.integrate.start.start_state import start_state
from taut.scenario import loads


@pytest.mark.parametrize(("place", "count"), [(0.7, 0), (1.0, 0), (1.2, 1)])
def test_a_joint_that_loops_put_outside_of_its_range_is_remarked_on(place, count):
    machine = taut.Machine("slide")
    machine.body("cart", mass=1.0, joint={"kind": "prismatic", "range": [0.0, 1.0]})
    machine.closure("pin", kind="point", bodies=["cart", "world"], points=[[0, 0, 0], [0, 0, place]])
    model = taut.build(machine.scenario())
    found = out_of_range(model, start_state(model))
    assert len(found) == count and all(f"starts at {place}, outside" in text for text in found)


def test_contacts_with_the_ground_take_no_freedom_from_a_load_in_the_air():
    text = """
taut: 1
name: crane
crane:
  {kind: planar, height: 10, trolley: {mass: 20, force: 0}, links: [{name: load, mass: 50, length: 4, box: [1, 1, 1]}]}
ground: {body: load, law: rigid, friction: 0.3}
"""
    model = build(loads(text))
    said = describe(model, start_state(model))
    assert (said["contacts"], said["constraints"], said["degrees_of_freedom"]) == (8, 0, 2)
    assert "  degrees of freedom: 2 (fewer while some of its 8 contacts touch the ground)" in list(
        summary_lines({"name": "crane", **said})
    )
