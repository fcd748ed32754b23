"""Driven joints against their twins with free coordinates, which are given the same motion."""

import numpy as np
import pytest

import taut
from engine import placed
from machines import grow_tree, random_axes, random_body, random_signals
from taut.build.tree import TreeBuilder
from taut.dynamics.energy import drive_force, kinetic_energy
from taut.dynamics.forward import forward
from taut.dynamics.inverse import inverse
from taut.model import new_factor
from taut.model.enums import JointKind

TWINS = {JointKind.DRIVEN_TURN: JointKind.REVOLUTE, JointKind.DRIVEN_SLIDE: JointKind.PRISMATIC}
TIME = 0.3


def machine(kind, seed, *, is_free):
    """A driven joint between two random trees; or free, at the coordinate and rate that the signal has."""
    rng, builder = np.random.default_rng(seed), TreeBuilder()
    root = grow_tree(builder, rng, 3)[-1]
    signal = random_signals(builder, rng, 1)[0]
    value, rate, second = (float(x) for x in builder.signals[signal][0].evaluate(TIME))
    options = {"offset": rng.normal(size=3), "rotation": random_axes(rng), "axes": random_axes(rng)[:2]}
    body = random_body(rng)
    if is_free:
        joint = builder.add_node("joint", TWINS[kind], root, body, position=[value], velocity=[rate], **options)
    else:
        joint = builder.add_node("joint", kind, root, body, signals=(signal, -1, -1), **options)
    grow_tree(builder, rng, 3, root=joint)
    return builder.finish(), second


@pytest.mark.parametrize("kind", TWINS)
@pytest.mark.parametrize("seed", range(4))
def test_as_a_free_joint_with_the_same_motion(kind, seed):
    model, second = machine(kind, seed, is_free=False)
    twin, _ = machine(kind, seed, is_free=True)
    data, other = placed(model, time=TIME), placed(twin, time=TIME)
    forward(model.tables, data, new_factor(model))
    column = int(twin.tables.nodes[twin.names.nodes.index("joint")].column)
    a = np.insert(data.acceleration, column, second)
    needed, forces = np.zeros(model.column_count), np.zeros(twin.column_count)
    inverse(model.tables, data, data.acceleration, needed)
    inverse(twin.tables, other, a, forces)
    for name in ("x", "v", "w", "a", "alpha"):
        assert data.nodes[name] == pytest.approx(other.nodes[name], abs=1e-11)
    assert kinetic_energy(model.tables, data) == pytest.approx(kinetic_energy(twin.tables, other), rel=1e-12)
    # what the drive gives is what the free joint would need; no other joint needs anything
    node = model.names.drives["joint"]
    assert drive_force(model.tables.nodes[node], data.nodes[node]) == pytest.approx(forces[column], rel=1e-9)
    assert np.delete(forces, column) == pytest.approx(needed, abs=1e-9)


def hoisting_pendulum():
    """Facts of a pendulum whose rope is hauled in at a constant rate."""
    machine = taut.Machine("hoisting pendulum")
    machine.body("rope", massless=True, joint={"kind": "revolute", "axis": [0, -1, 0], "position": 0.01})
    joint = {"kind": "prismatic", "parent": "rope", "axis": [0, 0, -1], "motion": "10 - 0.5*t"}
    machine.body("load", mass=3.0, joint=joint)
    return machine.run(duration=10, save_every=0.1, tolerance=1e-11)


def test_hoisting_pendulum():
    result = taut.simulate(taut.build(hoisting_pendulum().scenario()))
    assert result["joint_position"].values[-1, 0] == pytest.approx(0.010080954810, abs=1e-10)
    assert result["drive_position"].values[:, 0] == pytest.approx(10 - 0.5 * result.time, abs=1e-12)
    assert result["drive_force"].values[0, 0] == pytest.approx(-3.0 * 9.81, rel=1e-3)
    assert result.audit["energy"]["relative"] < 1e-9
