"""Impacts with friction, and friction where rigid ground presses: boxes that tip, balls that roll."""

import numpy as np
import pytest

from taut.audit.impacts import impact_line
from taut.integrate.events.rubbing import impulses_of
from taut.verify.sound.rigid_friction import ball, box
from taut.verify.sound.rows import rigid_friction


def test_tall_boxes_tip_and_balls_roll_as_closed_forms_say():
    wrong = [q for q in rigid_friction.quantities() if not abs(q.value - q.expected) <= q.tolerance]
    assert not wrong


def test_impulses_obey_coulomb_and_the_restitution():
    rng = np.random.default_rng(3)
    for _ in range(20):
        D = rng.standard_normal((6, 6))  # two points on a body of six motions
        W, u, mu, e = D @ D.T, rng.standard_normal(6), np.array([0.2, 0.6]), 0.5
        u[:2] = -np.abs(u[:2])
        aim = np.concatenate([(1.0 + e) * u[:2], u[2:]])
        P = impulses_of(W, aim, 2, np.arange(2), mu)
        after = W @ P + u
        assert np.all(P[:2] >= 0.0) and np.all(after[:2] + e * u[:2] >= -1e-9)
        assert np.abs(P[:2] * (after[:2] + e * u[:2])).max() < 1e-8
        for k in range(2):
            P_t, u_t, most = P[2 + 2 * k : 4 + 2 * k], after[2 + 2 * k : 4 + 2 * k], mu[k] * P[k]
            assert np.linalg.norm(P_t) <= most * (1.0 + 1e-12)
            sliding = np.linalg.norm(u_t)
            assert sliding < 1e-7 or np.abs(P_t + most * u_t / sliding).max() < 1e-7


def test_a_box_that_tumbles_onto_rigid_ground_comes_to_rest_and_balances():
    import taut

    machine = taut.Machine("box")
    machine.platform(mass=10.0, box=[0.4, 0.3, 0.2], position=[0, 0, 0.5], velocity=[1.0, 0.5, 0],
                     angular_velocity=[0.5, 1.0, 2.0])  # fmt: skip
    machine.ground(law="rigid", friction=0.5)
    run = taut.simulate(taut.build(machine.run(duration=1.0, save_every=0.01).scenario()))
    assert run["body_position"].values[-1, 0, 2] == pytest.approx(0.1, abs=1e-9)
    assert np.abs(run["body_velocity"].values[-1, 0]).max() < 1e-9
    assert run.audit["energy"]["relative"] < 1e-6
    assert run.audit["verdict"] == "pass"


@pytest.mark.parametrize(("share", "verdict"), [(1.0, "pass"), (1.01, "fail"), (0.0, "fail")])
def test_the_audit_finds_a_blow_with_too_much_friction_or_none(share, verdict):
    import taut

    machine = taut.Machine("ball")
    machine.platform(mass=1.0, sphere={"radius": 0.1}, position=[0, 0, 0.6], velocity=[1.0, 0, 0])
    model = taut.build(machine.ground(law="rigid", friction=0.2).run(duration=0.1).scenario())
    struck = np.array([[0.3, 0.0, -1.0, 0.0, 2.0, -0.4 * share, 0.0, 0.3, 0.0]])
    assert impact_line(model, struck)["verdict"] == verdict


def test_a_tall_box_that_is_pushed_less_stands():
    run = box(1.0, push=30.0)
    assert np.abs(run["body_position"].values[:, 0, :2]).max() < 1e-6
    assert run.audit["verdict"] == "pass"


def test_a_ball_that_rolls_loses_no_more():
    run = ball(1.0, 0.7)
    assert run.audit["verdict"] == "pass"
    assert np.ptp(run["body_velocity"].values[30:, 0, 0]) < 1e-9
