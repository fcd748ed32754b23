import numpy as np

import taut
from taut.verify.cables.mamidi_4_3 import published
from taut.verify.cables.published_quadcopters import NAME, explicit_robot, quantities


def test_published_numbers():
    result = taut.simulate(taut.build(taut.library.load("mamidi-quadcopter-failure-paper")))
    wrong = {quantity.name: quantity.value for quantity in published(result) if not quantity.is_passed}
    assert wrong == {}


def test_positions_after_the_failure_and_explicit_bodies():
    assert {quantity.name: quantity.value for quantity in quantities() if not quantity.is_passed} == {}


def test_alternating_bend_axes_are_another_robot():
    settings = ["run.tolerance=1e-8", "run.duration=3.6"]
    ways = [taut.simulate(taut.build(machine))["platform_position"].values for machine in (
        taut.library.load(NAME, [*settings, "defaults.cable.bend_axes=alternating"]),
        explicit_robot(taut.library.load(NAME, settings)),
    )]  # fmt: skip
    assert np.abs(ways[0] - ways[1]).max() > 1e-7
