"""Many plants by compiled code: bit by bit as single ones."""

import threading

import numpy as np
import pytest

import taut
from plants import carried, slider
from taut.loop import Plant, gym
from taut.loop.fleet import Fleet
from taut.loop.fleet import fleet as module

COUNT, STEPS = 10, 40
ROBOT = {"observations": ["platform.position", "platform.velocity", "joint.platform.position"]}
MACHINES = {
    "crane-2d": ({"period": 0.05, "observations": ["x", "load.position"], "tolerance": 1e-3}, 200.0, 0.7),
    # commands with a lag
    "winch-robot-circle": ({"period": 0.01, **ROBOT}, 0.3, 0.85),
    # observations that are more than a number of the workspace
    "crane-hoisting": ({"period": 0.02, "observations": ["load.orientation", "load.acceleration"]}, 100.0, 0.85),
}
FIXED = {"integrator": "generalized-alpha", "step": 1e-3, "period": 0.01, "observations": ["load.position.x"]}
FREE = {"integrator": "generalized-alpha", "period": 0.02, "observations": ["load.velocity", "joint.trolley.position"]}


def compare(make, scale, *, threads=2, resets=()):
    """Step a fleet and single plants by equal random commands; returns the share of periods in compiled code."""
    fleet, singles = Fleet(make(), COUNT, threads=threads), [make() for _ in range(COUNT)]
    generator = np.random.default_rng(1)
    seen, asked = np.zeros((COUNT, len(singles[0].observation_specs))), len(singles[0].commands)
    for step in range(STEPS):
        if step in resets:
            for k, seed in ((1, None), (3, 7)):
                assert np.array_equal(fleet.reset(k, seed=seed), singles[k].reset(seed=seed))
        commands, which = scale * generator.uniform(-1, 1, (COUNT, asked)), np.ones(COUNT, bool)
        which[2] = step % 3 > 0
        fleet.advance(commands, seen, which)
        for k in np.flatnonzero(which):
            assert np.array_equal(singles[k].step(commands[k]), seen[k]), (step, k)
    assert [plant.time for plant in singles] == [plant.time for plant in fleet.plants] == fleet.times.tolist()
    fleet.close()
    return fleet, singles


@pytest.mark.parametrize("name", MACHINES)
def test_many_are_as_single_ones(name):
    options, scale, share = MACHINES[name]
    fleet, _ = compare(lambda: Plant(name, **options), scale, resets=(20,))
    assert fleet.taken > share * STEPS * COUNT * 0.9


@pytest.mark.parametrize("options", [FIXED, FREE], ids=["fixed", "free"])
def test_the_generalized_alpha_method_too(options):
    fleet, _ = compare(lambda: Plant("crane-hoisting", **options), 100.0, resets=(10, 30))
    assert fleet.taken > 0.8 * STEPS * COUNT


def test_other_methods_go_by_python():
    fleet, _ = compare(lambda: Plant("crane-hoisting", integrator="explicit", observations=["load.position"]), 100.0)
    assert fleet.taken == 0


def test_jumps_of_signals_and_their_ends_are_met():
    fleet, _ = compare(lambda: Plant(carried(), period=0.03, observations=["place", "mass.position.y"]), 3.0, threads=1)
    assert 0 < fleet.taken < STEPS * COUNT


def test_a_few_machines_are_stepped_by_python():
    fleet, seen = Fleet(Plant(slider()), 3), np.zeros((3, 1))
    for _ in range(5):
        fleet.advance(np.ones((3, 1)), seen, np.ones(3, bool))
    assert fleet.taken == 0


def test_machines_with_other_numbers_and_noise():
    compare(lambda: Plant(slider(), randomise={"bodies.mass.mass": [1, 3]}), 2.0, resets=(5, 25))
    compare(lambda: Plant(slider(), noise=True), 2.0, resets=(5,))


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("signals.push.limits", [[-3, 3], [-1, 1]]),
        ("signals.push.lag", [0.1, 0.02]),
        ("run.integrator", ["radau", "generalized-alpha"]),
    ],
)
def test_machines_that_differ_in_what_compiled_code_shares(key, numbers):
    fleet, singles = (Fleet(Plant(slider()), 20, threads=1), [Plant(slider()) for _ in range(20)])
    seen = np.zeros((20, 1))
    for k, plant in enumerate(singles):
        changes = {key: numbers[k > 15]}
        assert np.array_equal(fleet.reset(k, changes=changes), plant.reset(changes=changes))
    for step in range(12):
        fleet.advance(np.full((20, 1), 2.0 - step % 2), seen, np.ones(20, bool))
        assert np.array_equal(seen, [plant.step([2.0 - step % 2]) for plant in singles])
    assert fleet.taken == 16 * 11


def test_a_plant_of_a_fleet_can_be_taken_over():
    fleet, singles = compare(lambda: Plant("winch-robot-circle", **MACHINES["winch-robot-circle"][0]), 0.3)
    for mine, theirs in zip(singles, fleet.plants, strict=True):
        other = Plant("winch-robot-circle", **MACHINES["winch-robot-circle"][0])
        other.restore(theirs.snapshot())
        expected = mine.step([0.1, 0.2, 0.3, 0.4])
        assert np.array_equal(theirs.step([0.1, 0.2, 0.3, 0.4]), expected)
        assert np.array_equal(other.step([0.1, 0.2, 0.3, 0.4]), expected)


def test_a_motion_that_cannot_go_on_ends_its_episode_and_no_other():
    def reward(seen, action, time):
        return seen[:, 0]

    many = gym.make_vector("winch-robot-circle", 9, reward=reward, batched=True, failure=-7.0, horizon=60, period=0.05,
                           observations=["platform.position.z"])  # fmt: skip
    many.reset()
    actions = np.zeros((9, 4))
    actions[1] = -1.0  # hauled in to its end
    for _ in range(200):
        _, rewards, ended, cut, info = many.step(actions)
        if ended.any():
            break
    assert "out of rope" in info["failed"][1] and info["_failed"].tolist() == ended.tolist()
    assert np.flatnonzero(ended).tolist() == [1] and rewards[1] == -7.0 and "out of rope" in many.fleet.failures[1]
    seen, _, ended, _, info = many.step(np.zeros((9, 4)))
    assert not info and not ended.any() and many.fleet.times[1] == 0.0 and seen[1, 0] == pytest.approx(1.0, abs=0.01)
    assert many.fleet.failures == [""] * 9


def test_a_command_that_is_no_number_is_told_and_moves_nothing():
    fleet, seen, wrong = Fleet(Plant(slider()), 9), np.zeros((9, 1)), np.ones((9, 1))
    for _ in range(3):
        fleet.advance(np.ones((9, 1)), seen, np.ones(9, bool))
    wrong[4] = np.nan
    with pytest.raises(taut.ScenarioError, match="push = nan"):
        fleet.advance(wrong, seen, np.ones(9, bool))
    assert fleet.times.tolist() == [0.03] * 9


def test_the_thread_of_the_caller_works_too(monkeypatch):
    at_work, original = [], module.step_many

    def noted(*args):
        at_work.append(threading.get_ident())
        original(*args)

    monkeypatch.setattr(module, "step_many", noted)
    fleet, seen = Fleet(Plant(slider()), 64, threads=2), np.zeros((64, 1))
    for _ in range(9):
        fleet.advance(np.ones((64, 1)), seen, np.ones(64, bool))
    # work was shared by two threads, in eight pieces in each of eight periods
    assert threading.get_ident() in at_work and len(set(at_work)) <= 2 and len(at_work) == 64
    fleet.close()


def test_rewards_of_all_machines_at_once_are_those_one_by_one():
    def one(seen, action, time):
        return -abs(seen[0]) - 0.1 * action[0] ** 2

    def over(seen, action, time):
        return seen[0] > 0.02

    options = {"horizon": 0.2, "period": 0.01}
    single = gym.make_vector(slider(), 12, reward=one, ends=over, **options)
    batch = gym.make_vector(slider(), 12, reward=lambda s, a, t: -abs(s[:, 0]) - 0.1 * a[:, 0] ** 2,
                            ends=lambda s, a, t: s[:, 0] > 0.02, batched=True, **options)  # fmt: skip
    for env in (single, batch):
        env.reset(seed=1)
    for k in range(40):
        actions = np.array([3 * [3.0, 2.0, -1.0, 0.1 * k]]).T.clip(-3, 3)
        for a, b in zip(single.step(actions)[:4], batch.step(actions)[:4], strict=True):
            assert np.array_equal(a, b)
    wrong = gym.make_vector(slider(), 12, reward=lambda s, a, t: 0.0, batched=True, **options)
    wrong.reset()
    with pytest.raises(taut.ScenarioError, match="batched is true"):
        wrong.step(np.zeros((12, 1)))
