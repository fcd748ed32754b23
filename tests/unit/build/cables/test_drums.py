"""Drums with layers, motors, and ropes by class with mass."""

import numpy as np
import pytest

from taut.build import build
from taut.build.cables.route_tables import layers_of
from taut.model.laws import motor_force
from taut.model.routes import wound_off
from taut.scenario.builder import Machine
from taut.scenario.cables.winch import Layers
from taut.scenario.errors import ScenarioError


def wound(x, **keys):
    """Length paid out and its slope by a drum of radius 0.2 m."""
    spec = layers_of(
        0.2, Layers(**{"width": 0.1, "pitch": 0.01, "diameter": 0.01, "turns": 25, "stack": "flat"} | keys)
    )
    guide = {"ratio": spec.ratio, "offset": spec.offset, "layer": 0, "layer_count": len(spec.changes)}
    return wound_off(guide, [dict(zip(("at", "step", "climb"), row, strict=True)) for row in spec.changes], x)


def test_layers_are_circles():
    """The length paid out over five turns of the third layer, and ten of each below, is that of circles."""
    turn = 2 * np.pi * 0.2
    assert wound(0.0)[0] == pytest.approx(0.0, abs=1e-12)
    assert wound(25 * turn)[0] == pytest.approx(2 * np.pi * (5 * 0.22 + 10 * 0.21 + 10 * 0.2), rel=1e-14)
    assert [wound(n * turn)[1] * 0.2 for n in (2, 10, 20)] == pytest.approx([0.22, 0.21, 0.2], rel=1e-14)


def test_slope_is_that_of_the_length():
    """The slope is the derivative of the length paid out, also where the rope climbs to the next layer."""
    x, h = np.linspace(0.0, 30.0, 997), 1e-5
    assert (wound(x + h)[0] - wound(x - h)[0]) / (2 * h) == pytest.approx(wound(x)[1], abs=1e-8)


def hoist(**drum):
    """A load on a drum."""
    made = Machine("hoist")
    made.body("load", mass=50.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, -5.0]})
    made.cable("rope", kind="spring", axial_stiffness=1e6, exit=[0, 0, 0], body="load", anchor=[0, 0, 0], winch="W")
    return made.driver("W", kind="winch", drum={"radius": 0.2, "inertia": 1.0, "braked": False, **drum})


def test_motor_is_limited_by_torque_and_power():
    """The force is K (r - x) + D (r' - v) + F_0 at the drum's radius, within the limits of torque and power."""
    motor = {"angle": 1.0, "kp": 4.0, "kv": 10.0, "limit": 30.0, "power": 100.0, "feedforward": -2.0}
    model = build(hoist(motor=motor, gearbox={"ratio": 2.0}).scenario())
    column = model.tables.columns[model.names.columns.index("rope.drum")]
    # at rest at the start: 2 (4 * 10 * 1 - 2) / 0.2, above 2 * 30 / 0.2
    assert motor_force(column, 0.0, 0.0, (0.2, 0.0)) == pytest.approx(300.0)
    assert motor_force(column, 0.2, 0.0, (0.2, 0.0)) == pytest.approx(-20.0)
    assert abs(motor_force(column, -9.0, 2.0, (0.2, 0.0))) == pytest.approx(50.0)


@pytest.mark.parametrize(("motor", "said"), [
    ({"kv": 1.0}, "needs exactly one of torque, angle, speed; found none"),
    ({"speed": 1.0, "torque": 1.0, "kv": 1.0}, "found torque and speed"),
    ({"speed": 1.0}, "is needed for speed"),
    ({"torque": 1.0, "kp": 1.0}, "does not go with torque"),
    ({"speed": 1.0, "kv": 1.0, "lag": -1.0}, "lag"),
])  # fmt: skip
def test_bad_motors_are_refused(motor, said):
    """Each bad motor gives one clear error."""
    with pytest.raises(ScenarioError, match=said):
        hoist(motor=motor).scenario()


def test_lag_needs_a_method_that_takes_it():
    """Methods that do not integrate a motor's state refuse a motor with a lag."""
    made = hoist(motor={"torque": -98.0, "lag": 0.01}).run(duration=1.0, integrator="generalized-alpha")
    with pytest.raises(ScenarioError, match="goes with radau and explicit only"):
        made.scenario()


def test_rope_class_fills_a_cable_of_elements():
    """The class of a rope gives a cable of elements its radius, mass, EA and least EI."""
    made = Machine("rope").body("load", mass=50.0, joint={"kind": "point", "position": [0, 0, -5]})
    made.cable("rope", kind="mrfe", elements=3, exit=[0, 0, 0], body="load", anchor=[0, 0, 0],
               rope={"class": "6x36-IWRC", "diameter": 0.016, "grade": 1770})  # fmt: skip
    cable = made.scenario().cables[0]
    assert cable.section(1.0).mass_per_length == pytest.approx(1.04704)
    assert cable.section(1.0).axial_stiffness == pytest.approx(11.776e6)
    assert cable.section(1.0).bending_stiffness == pytest.approx(1e11 * 117.76e-6**2 / (4 * np.pi * 216))
    assert cable.strength == pytest.approx(161310.72)
