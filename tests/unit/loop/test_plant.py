"""A machine that is commanded and observed at a fixed period."""

import gc
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import taut
from plants import carried, slider
from taut import library
from taut.integrate.settings import run_settings
from taut.integrate.simulate import Run
from taut.loop import Plant
from taut.scenario.control.controllers import ControllerPython


def wave(time):
    return 0.2 * np.sin(0.7 * time) + 0.1


def controlled(scenario):
    """The scenario with a controller of the user's own."""
    user = ControllerPython(kind="python", period=0.01)
    return taut.build(scenario.model_copy(update={"controllers": {"user": user}}))


MACHINES = [("crane-2d", "radau"), ("crane-hoisting", "radau"), ("winch-robot-circle", "radau"),
            ("crane-hoisting", "generalized-alpha"), ("crane-hoisting", "explicit")]  # fmt: skip


@pytest.mark.parametrize(("name", "integrator"), MACHINES)
def test_a_plant_moves_as_simulate_does_bit_by_bit(name, integrator):
    plant = Plant(name, period=0.01, integrator=integrator)
    for k in range(12):
        plant.step(np.full(len(plant.commands), wave(k)))
    model = controlled(library.load(name))
    answers = {"user": lambda t, _: dict.fromkeys(plant.commands, wave(round(t / 0.01)))}
    run = Run(model, run_settings(model, {"duration": 0.12, "integrator": integrator}), None, answers, audit=False)
    run.begin(resume=False)
    run.go(lambda time, end: None)
    end, state = run.method.state(), plant.stepper.state
    assert np.array_equal(end.q, state.q) and np.array_equal(end.v, state.v)


def test_names_units_and_limits_in_a_fixed_order():
    plant = Plant("crane-2d", observations=["v", "load.position.x", "joint.trolley.acceleration", "load.velocity"])
    assert [(spec.name, spec.unit) for spec in plant.observation_specs] == [
        ("v", "m/s"), ("load.position.x", "m"), ("joint.trolley.acceleration", "m/s^2"),
        ("load.velocity.x", "m/s"), ("load.velocity.y", "m/s"), ("load.velocity.z", "m/s")]  # fmt: skip
    (push,) = plant.command_specs
    assert (push.name, push.unit, push.low, push.high) == ("push", "N", -500.0, 500.0)


def test_snapshots_anywhere_change_nothing():
    alone, handed = Plant(slider()), Plant(slider())
    for k in range(40):
        expected = alone.step([wave(k)])
        handed.restore(pickle.loads(pickle.dumps(handed.snapshot())))
        assert np.array_equal(handed.step({"push": wave(k)}), expected)
    assert alone.time == handed.time


def test_a_reset_is_a_new_start():
    plant = Plant(slider())
    first = [plant.step([1.0]) for _ in range(5)]
    plant.reset()
    assert plant.time == 0.0 and np.array_equal(first, [plant.step([1.0]) for _ in range(5)])


@pytest.mark.parametrize("later", [None, {}])
def test_a_ramp_that_is_not_commanded_anew_stays_at_its_end(later):
    plant = Plant(slider(acts="ramp"), observations=["joint.mass.acceleration"])
    forces = [2.0 * plant.step([2.0])[0]] + [2.0 * plant.step(later)[0] for _ in range(5)]
    assert forces == pytest.approx([2.0] * 6, rel=1e-12)


def test_a_controller_that_leaves_a_ramp_out_lets_it_stay_too():
    machine = taut.Machine("slider", gravity=[0, 0, 0])
    machine.signal("push", kind="command", acts="ramp", limits=[-3, 3])
    machine.body("mass", mass=2.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": "push"})
    scenario = machine.run(duration=0.1, save_every=0.01).scenario()
    answers = {"user": lambda t, _: {"push": 2.0} if t == 0.0 else {}}
    result = taut.simulate(controlled(scenario), controllers=answers)
    plant, expected = Plant(scenario, observations=["joint.mass.velocity"]), [0.0]
    expected += [plant.step([2.0] if k == 0 else None)[0] for k in range(10)]
    assert result["joint_velocity"].values.ravel() == pytest.approx(expected, abs=1e-12)


def test_ten_thousand_resets_leak_nothing():
    plant, blocks = Plant(slider()), []
    for k in range(10_000):
        if k % 100 == 0:
            plant.step([1.0])
        plant.reset()
        if k in (999, 9_999):
            gc.collect()
            blocks.append(sys.getallocatedblocks())
    # a leak of one object per reset would be nine thousand
    assert blocks[1] - blocks[0] < 2_000


def test_steps_leave_nothing_behind():
    plant, command, seen, blocks = Plant(slider()), np.zeros(1), np.zeros(1), []
    for k in range(20_000):
        command[0] = 0.1 * (k % 7)
        plant.step(command)
        plant.observe(out=seen)
        if k in (9_999, 19_999):
            gc.collect()
            blocks.append(sys.getallocatedblocks())
    # a leak of one object per step would be ten thousand
    assert blocks[1] - blocks[0] < 1_000


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_resets_add_no_memory_also_with_other_numbers():
    def resident():
        gc.collect()
        return 4096 * int(Path("/proc/self/statm").read_text().split()[1])

    plant = Plant(slider(), randomise={"bodies.mass.mass": [1.0, 2.0]})
    sizes = []
    for k in range(10_000):
        # most machines are not built anew; every hundredth has other numbers
        plant.reset(seed=k if k % 100 == 0 else None)
        if k in (999, 9_999):
            sizes.append(resident())
    assert sizes[1] - sizes[0] < 2e6


def test_what_is_refused_changes_nothing():
    plant = Plant(slider())
    plant.step([1.0])
    before, asked = plant.time, dict(plant.stepper._moving.controls.asked)
    for wrong in (lambda: plant.reset(changes={"bodies.mas.mass": 1.0}), lambda: plant.command({"push": 2.0, "pul": 1}),
                  lambda: plant.reset(seed=-1)):  # fmt: skip
        with pytest.raises(taut.ScenarioError):
            wrong()
    assert plant.time == before and plant.stepper._moving.controls.asked == asked and plant.changes == {}
    plant.reset()
    assert plant.time == 0.0


def test_signals_are_measured_beyond_the_run_of_the_scenario():
    plant, stepper = Plant(carried(), period=0.05), taut.Stepper(taut.build(carried()))
    for k in range(1, 41):
        (seen,) = plant.step([0.1])
        stepper.advance_to(0.05 * k)
        assert seen == pytest.approx(0.3 * np.sin(3 * plant.time), abs=1e-12)
        assert stepper.read("place") == pytest.approx(seen, abs=1e-12)


def test_numbers_are_drawn_by_the_seed_and_given_ones_win():
    plant = Plant(slider(), randomise={"bodies.mass.mass": [1.0, 4.0]})
    ends = []
    for seed in (1, 2, 1):
        plant.reset(seed=seed)
        ends.append(plant.step([1.0])[0])
    mass = plant.changes["bodies.mass.mass"]
    assert ends[0] == ends[2] != ends[1] and ends[2] == pytest.approx(0.5 * 0.01**2 / mass)
    plant.reset(seed=1, changes={"bodies.mass.mass": 1.0})
    assert plant.step([1.0])[0] == pytest.approx(0.5 * 0.01**2)


def test_noise_is_that_of_the_sensors_and_seeded():
    plant = Plant(slider(), noise=True)
    noisy = [plant.reset(seed=seed)[0] for seed in (1, 2, 1)]
    assert noisy[0] == noisy[2] != noisy[1] and Plant(slider()).reset(seed=1)[0] == 0.0


@pytest.mark.parametrize(("wrong", "text"), [
    (lambda: Plant("crane-2d", observations=["load.positon"]), "did you mean 'load.position'"),
    (lambda: Plant("crane-2d", observations=["lod.position"]), "did you mean 'load.position'"),
    (lambda: Plant("crane-2d", commands=["pusch"]), "did you mean 'push'"),
    (lambda: Plant("crane-2d", period=0), "period"),
    (lambda: Plant(slider()).step([1.0, 2.0]), r"shape \(1,\), not \(2,\)"),
    (lambda: Plant(slider()).step([np.nan]), "finite"),
    (lambda: Plant(slider()).step({"pull": 1.0}), "no command of this plant"),
    (lambda: Plant(slider(), randomise={"bodies.mass.mass": [4.0, 1.0]}), "low, high"),
    (lambda: Plant(slider()).step("fast"), "1 numbers"),
    (lambda: Plant(slider()).step({"push": "fast"}), "finite number"),
    (lambda: Plant(3), "must be a scenario, a file"),
    (lambda: Plant("crane-3e"), "did you mean 'crane-3'"),
    (lambda: Plant(slider(), period="fast"), "positive finite"),
    (lambda: Plant(slider(), observations="mass.position"), "list of names"),
    (lambda: Plant(slider(), observations=[3]), "list of names"),
    (lambda: Plant(slider(), observations=["place", "place"]), "named twice"),
    (lambda: Plant(slider(), commands="push"), "list of names"),
    (lambda: Plant(slider(), observations=["mass.position.q"]), "no component 'q'"),
    (lambda: Plant(slider(), randomise={"bodies.mass.mass": 3}), "low, high"),
    (lambda: Plant(slider(), randomise={"bodies.mas.mass": [1, 2]}).reset(seed=1), "did you mean 'mass'"),
    (lambda: Plant(slider(), integrator="raddau"), "did you mean 'radau'"),
    (lambda: Plant(slider()).reset(seed="one"), "whole number"),
    (lambda: Plant(slider()).reset(changes=3), "names to values"),
    (lambda: Plant(slider()).reset(changes={"bodies.mass.mass": -1}), "must not be less than 0"),
    (lambda: Plant(slider()).observe(out=np.zeros(3)), r"shape \(1,\), not \(3,\)"),
    (lambda: Plant(slider()).restore(Plant("crane-2d").snapshot()), "another machine"),
    (lambda: Plant(slider()).restore("here"), "plant.snapshot"),
])  # fmt: skip
def test_mistakes_are_told(wrong, text):
    with pytest.raises(taut.ScenarioError, match=text):
        wrong()
