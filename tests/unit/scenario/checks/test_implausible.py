"""Implausible numbers are remarked on, with the number and the reason, and never refused."""

import pytest

import taut
from taut import library
from taut.scenario.checks.implausible import find_implausible

CABLE = {"elements": 4, "radius": 2e-3, "mass_per_length": 0.05, "axial_stiffness": 1e5, "axial_damping": 1e3}


def box(**changes):
    """A box on two ropes with something changed."""
    platform = {"mass": 5, "box": [0.6, 0.4, 0.2], "position": [0, 0, 1], **changes.pop("platform", {})}
    machine = taut.Machine("box").platform(**platform)
    for name, x in {"left": -0.3, "right": 0.3}.items():
        machine.cable(name, **{"exit": [x, 0, 3], "anchor": [x, 0, 0.1], **CABLE, **changes})
    return machine.scenario()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"platform": {"orientation": {"euler": [180, 0, 0]}}}, "180 rad, that is 10313 degrees"),
        ({"platform": {"orientation": {"euler": [0, 0, 5]}}}, "5 rad, that is 286 degrees"),
        ({"axial_stiffness": 7}, "EA = 7 N"),
        ({"platform": {"box": [400, 0.4, 0.2]}}, "a box of 400 m"),
        ({"platform": {"mass": 5e9}}, "heavier than any metal"),
        ({"length": 1.9 / 1.3}, "stretched by 30 %, that is a pull of 3e+04 N"),
    ],
)
def test_it_is_remarked(changes, said):
    assert any(said in text for text in box(**changes).warnings()), box(**changes).warnings()


def test_soft_cable_without_weight():
    machine = taut.Machine("puck", gravity=[0, 0, 0]).platform(mass=5, box=[0.6, 0.4, 0.2], position=[0, 0, 1])
    machine.cable("c", exit=[0, 0, 3], anchor=[0, 0, 0.1], **{**CABLE, "axial_stiffness": 7})
    assert any("softer than a rubber band" in text for text in machine.scenario().warnings())


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("controllers.lead.feedforward={preload: 1.0e+9}", "a preload of 1e+09 N"),
        ("controllers.lead.setpoint=[50, 0, 1]", "m outside of the frame of the exits"),
        ("controllers.lead.setpoint=[0, 0, 99]", "m outside of the frame of the exits"),
    ],
)
def test_controllers(setting, said):
    scenario = library.load("winch-robot-circle", [setting])
    assert any(said in text for text in scenario.warnings()), scenario.warnings()


@pytest.mark.parametrize("name", library.names())
def test_nothing_of_the_library_is_implausible(name):
    assert not find_implausible(library.load(name))


def test_strain_of_the_start_as_it_was_found():
    from taut.integrate.describe import strained

    machine = (
        taut.Machine("soft").platform(mass=5, box=[0.6, 0.4, 0.2], position=[0, 0, 1]).initial(solve="equilibrium")
    )
    machine.cable("c", exit=[0, 0, 3], anchor=[0, 0, 0.1], **{**CABLE, "axial_stiffness": 200})
    model = taut.build(machine.scenario())
    assert "stretched by 25 %" in strained(model, taut.start_state(model))[0]


@pytest.mark.parametrize(("diameter", "is_said"), [(0.012, True), (0.001, False)])
def test_ropes_whose_mass_is_left_out(diameter, is_said):
    """The share of the ropes is that of their mass per length."""
    machine = taut.Machine("box").platform(mass=5, box=[0.6, 0.4, 0.2], position=[0, 0, 1])
    rope = {"class": "6x19-IWRC", "diameter": diameter, "grade": 1770}
    machine.cable("c", kind="spring", exit=[0, 0, 3], anchor=[0, 0, 0.1], rope=rope)
    texts = [text for text in machine.scenario().warnings() if "kind: mrfe counts it" in text]
    assert len(texts) == is_said
