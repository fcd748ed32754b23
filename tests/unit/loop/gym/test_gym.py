"""Machines as Gymnasium environments."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import taut
from plants import slider
from taut.loop import Plant
from taut.loop import gym as loop_gym


def still(seen, action, time):
    return -abs(seen[0])


def slide(**options):
    return loop_gym.make(slider(), reward=still, horizon=0.1, period=0.01, **options)


def many(count, **options):
    return loop_gym.make_vector(slider(), count, reward=still, horizon=0.1, period=0.01, **options)


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", [None, *loop_gym.EXAMPLES])
def test_gymnasium_accepts_them(name):
    env = slide(noise=True, randomise={"bodies.mass.mass": [1, 2]}) if name is None else gymnasium.make(name).unwrapped
    check_env(env, skip_render_check=True)


def test_an_environment_is_the_plant_and_ends_at_its_horizon():
    env, plant = slide(), Plant(slider(), period=0.01)
    env.reset(seed=1)
    for k in range(10):
        seen, reward, ended, cut, info = env.step(np.array([0.3 * k]))
        assert np.array_equal(seen, plant.step([0.3 * k])) and reward == -abs(seen[0])
    assert cut and not ended and info["time"] == plant.time


def test_many_are_as_one_and_begin_anew():
    many, one = loop_gym.make_vector(slider(), 3, reward=still, horizon=0.05, period=0.01, threads=2), slide()
    many.reset(seed=5)
    one.reset(seed=5)
    for k in range(5):
        actions = np.array([[0.1 * k], [1.0], [-1.0]])
        seen, rewards, ended, cut, _ = many.step(actions)
        assert np.array_equal(seen[0], one.step(actions[0])[0])
    assert cut.all() and not ended.any()
    seen, rewards, *_ = many.step(actions)
    assert (seen == 0.0).all() and (rewards == 0.0).all()
    many.close()


def test_many_begin_with_the_numbers_and_seeds_that_are_given():
    envs = [loop_gym.make_vector(slider(), 2, reward=still, horizon=1, period=0.01, noise=True) for _ in range(2)]
    for env, seed in zip(envs, (np.int64(5), [5, 6]), strict=True):
        env.reset(seed=seed, options={"changes": {"bodies.mass.mass": 4.0}})
        assert all(plant.changes == {"bodies.mass.mass": 4.0} for plant in env.fleet.plants)
    first, second = (env.step(np.ones((2, 1)))[0] for env in envs)
    assert np.array_equal(first, second) and first[0] != first[1]


@pytest.mark.parametrize("noise", [False, True])
def test_numbers_that_are_given_last_as_long_as_they_are_said_to(noise):
    heavy, one = {"changes": {"bodies.mass.mass": 4.0}}, slide(noise=noise)
    one.reset(seed=1, options=heavy)
    assert one.plant.changes == heavy["changes"]
    one.reset()
    assert one.plant.changes == {}
    all_ = loop_gym.make_vector(slider(), 2, reward=still, horizon=0.01, period=0.01, noise=noise)
    all_.reset(seed=1, options=heavy)
    for _ in range(2):  # the second step begins anew
        all_.step(np.ones((2, 1)))
    assert [plant.changes for plant in all_.fleet.plants] == [heavy["changes"]] * 2
    all_.reset()
    assert [plant.changes for plant in all_.fleet.plants] == [{}] * 2


def test_gymnasium_makes_many_of_an_example():
    many, one = gymnasium.make_vec("taut/CraneAntiSwing-v0", num_envs=9), gymnasium.make("taut/CraneAntiSwing-v0")
    many.reset(seed=1)
    one.reset(seed=1)
    for k in range(4):
        action = np.array([100.0 + k])
        seen, expected = many.step(np.tile(action, (9, 1))), one.step(action)
        assert np.array_equal(seen[0][8], expected[0]) and seen[1][8] == expected[1]
    many.close()


def test_a_snapshot_is_where_an_episode_can_begin():
    env = slide()
    env.reset()
    env.step(np.array([1.0]))
    kept, (seen, *_) = env.plant.snapshot(), env.step(np.array([1.0]))
    env.reset(options={"snapshot": kept})
    assert np.array_equal(env.step(np.array([1.0]))[0], seen)


@pytest.mark.parametrize(("wrong", "text"), [
    (lambda: loop_gym.make("crane-2d", reward=still, horizon=1, actions=["pusch"]), "did you mean 'push'"),
    (lambda: loop_gym.make("crane-2d", reward=still, horizon=1, limits={"pull": (0, 1)}), "no command of this"),
    (lambda: loop_gym.make("double-pendulum", reward=still, horizon=1), "needs observations"),
    (lambda: slide().reset(options={"snapshots": 1}), "did you mean 'snapshot'"),
    (lambda: loop_gym.make_vector("crane-2d", 0, reward=still, horizon=1), "1 or more"),
    (lambda: many(2.5), "whole number"),
    (lambda: many(2, threads=0), "1 or more"),
    (lambda: many(2).step(np.zeros((3, 1))), r"shape \(2, 1\), not \(3, 1\)"),
    (lambda: many(2).step(np.full((2, 1), np.nan)), "finite number"),
    (lambda: many(2).reset(seed=[1, 2, 3]), "one number, or 2"),
    (lambda: many(2).reset(seed="one"), "whole number"),
    (lambda: many(2).reset(options={"change": {}}), "did you mean 'changes'"),
    (lambda: many(2).reset(options={"changes": {"bodies.mas.mass": 1}}), "did you mean 'mass'"),
    (lambda: slide().step(np.zeros(2)), r"shape \(1,\), not \(2,\)"),
    (lambda: slide().step(np.array([np.nan])), "finite number"),
    (lambda: slide().step("fast"), "1 numbers"),
    (lambda: slide(limits={"push": (3, -3)}), "low, high"),
    (lambda: slide(limits={"push": 3}), "low, high"),
    (lambda: loop_gym.make(slider(), reward=None, horizon=1), "must be a function"),
    (lambda: loop_gym.make(slider(), reward=still, horizon=-1), "positive finite"),
    (lambda: slide().reset(options={"snapshot": 3}), "plant.snapshot"),
])  # fmt: skip
def test_mistakes_are_told(wrong, text):
    with pytest.raises(taut.ScenarioError, match=text):
        wrong()


def test_the_search_finds_a_minimum_and_is_seeded():
    from taut.loop.gym.cross_entropy import cross_entropy

    found = [cross_entropy(lambda x: float(((x - 3) ** 2).sum()), [0, 0], [2, 2], budget=300, seed=4) for _ in range(2)]
    assert found[0][0] == pytest.approx([3, 3], abs=0.1) and np.array_equal(found[0][0], found[1][0])


def test_a_short_search_finds_a_feedback_that_beats_the_pid_tuned_by_as_many_episodes():
    from taut.loop.gym.cross_entropy import learned, tuned_pid

    (_, ours), (_, pid) = learned(24), tuned_pid(24)
    assert ours.time < 0.5 * pid.time and ours.swing < 0.5 * pid.swing


def test_the_feedback_that_was_found_beats_the_tuned_pid():
    from taut.loop.gym.cross_entropy import crane_plant, feedback, fly, pid_plant

    gains = np.array([159.86, 375.37, 248.05, -157.04, 3.52, 7.04])
    ours = fly(crane_plant(), lambda seen: feedback(gains, seen))
    pid = fly(pid_plant(np.array([-10.207, 0.7554, 64.505, 13.972])), None)
    assert ours.time < 0.5 * pid.time and ours.swing < pid.swing
