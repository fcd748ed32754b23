import numpy as np
import pytest

import taut
from taut.analyses.modes import linearise
from taut.verify.cables.small_motions import axial_frequency, chain_frequency


def test_spring_and_damper():
    machine = taut.Machine("oscillator")
    spring = {"law": "kelvin-voigt", "stiffness": 200.0, "damping": 4.0}
    machine.body("mass", mass=2.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "spring": spring})
    found = taut.modes(taut.build(machine.scenario()))
    assert found.frequencies == pytest.approx([10.0 / (2 * np.pi)])
    assert found.ratios == pytest.approx([0.1])
    assert found.eigenvalues == pytest.approx([complex(-1.0, np.sqrt(99.0))])


def test_two_pendulums_in_series():
    found = taut.modes(taut.build(taut.library.load("double-pendulum", ["initial.solve=none"])))
    assert np.all(np.diff(found.frequencies) > 0.0)
    assert found.shapes.shape == (2, 2)


def test_free_motions_have_no_frequency():
    machine = taut.Machine("puck", gravity=[0, 0, 0])
    machine.body("puck", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0]})
    assert taut.modes(taut.build(machine.scenario())).frequencies == pytest.approx([0.0], abs=1e-6)


def test_closed_forms_of_cables():
    assert chain_frequency(20, 0) == pytest.approx(1.2024127788, rel=1e-3)
    assert axial_frequency(20, 1.0) == pytest.approx(0.8603335890, rel=1e-3)


def oscillators(*dampings):
    machine = taut.Machine("oscillators")
    for k, damping in enumerate(dampings):
        spring = {"law": "kelvin-voigt", "stiffness": 200.0 * (k + 1), "damping": damping}
        machine.body(f"mass{k}", mass=2.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "spring": spring})
    return taut.build(machine.scenario())


def test_oscillations_first_by_frequency_and_decays_apart():
    found = taut.modes(oscillators(100.0, 2.0, 4.0))  # the first is damped beyond critical
    assert found.natural_frequencies == pytest.approx(np.sqrt([200.0, 300.0]) / (2 * np.pi))
    assert found.ratios == pytest.approx([1.0 / np.sqrt(800.0), 2.0 / np.sqrt(1200.0)])
    assert found.decays == pytest.approx([-25.0 + np.sqrt(525.0), -25.0 - np.sqrt(525.0)])


def test_unstable_directions_grow():
    machine = taut.Machine("inverted")
    machine.body("rod", mass=1.0, com=[0, 0, 1], rod={"length": 2}, joint={"kind": "revolute", "axis": [0, 1, 0]})
    found = taut.modes(taut.build(machine.scenario()))
    assert sorted(found.decays) == pytest.approx([-np.sqrt(0.75 * 9.81), np.sqrt(0.75 * 9.81)], rel=1e-6)


def test_ground_that_sticks_holds_in_small_motions():
    machine = taut.Machine("box").platform(mass=2.0, box=[1, 1, 0.2], position=[0, 0, 0.1])
    machine.ground(stiffness=1e4, damping=10.0, friction=0.3, velocity_scale=0.01)
    model = taut.build(machine.scenario())
    linear = linearise(model, taut.statics(model).data)
    contact = model.tables.contacts[0]
    K = 0.3 * 2.0 * 9.81 / contact.presliding
    assert linear.K[0, 0] == pytest.approx(K, rel=1e-4)
    assert linear.D[0, 0] == pytest.approx(contact.presliding_time * K, rel=1e-4)
    assert linear.D == pytest.approx(linear.D.T, abs=1e-3 * linear.D[0, 0])
