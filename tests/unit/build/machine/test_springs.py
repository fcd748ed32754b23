"""Springs and dampers between two points: they pull and push, and have no mass."""

import numpy as np
import pytest

import taut


def ball(length, **keys):
    """A ball of 2 kg above or below a spring of 200 N/m in the world."""
    machine = taut.Machine("ball on a spring", gravity=keys.pop("gravity", [0, 0, 0]))
    machine.body("ball", mass=2.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "position": 1.0})
    machine.spring("s", bodies=["world", "ball"], points=[[0, 0, 0], [0, 0, 0]], stiffness=200.0, length=length, **keys)
    return taut.build(machine.run(duration=1.0, save_every=0.25, tolerance=1e-9).scenario())


@pytest.mark.nojit
@pytest.mark.parametrize("length", [0.8, 1.2])
def test_it_pulls_and_pushes(length):
    model = ball(length)
    data = taut.start_state(model).data
    taut.forward_dynamics(model, data)
    assert data.acceleration[0] == pytest.approx(-100.0 * (1.0 - length), rel=1e-12)


def test_it_swings_through_its_free_length():
    result = taut.simulate(ball(1.2, damping=2.0))
    t, e = result.time, -0.2  # 2 x'' + 2 x' + 200 x = 0
    decay, omega = 0.5, np.sqrt(100.0 - 0.25)
    z = 1.2 + e * np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))
    np.testing.assert_allclose(result["body_position"].values[:, 0, 2], z, atol=1e-7)
    assert result.audit["verdict"] == "pass" and not result.events


def test_it_rests_compressed():
    found = taut.statics(ball(1.2, gravity=[0, 0, -9.81]))
    assert found.bodies["ball"]["position"][2] == pytest.approx(1.2 - 2 * 9.81 / 200.0, abs=1e-9)


def test_length_is_that_at_the_start_if_none_is_given():
    data = taut.start_state(model := ball(None)).data
    taut.forward_dynamics(model, data)
    assert data.acceleration[0] == pytest.approx(0.0, abs=1e-12)


def test_names_must_lead_somewhere():
    machine = taut.Machine("m").body("a", mass=1.0, joint={"kind": "point"})
    machine.spring("s", bodies=["a", "b"], points=[[0, 0, 0], [0, 0, 0]], stiffness=1.0)
    with pytest.raises(taut.ScenarioError, match=r"springs\[0\].bodies\[1\] = 'b'"):
        machine.scenario()
