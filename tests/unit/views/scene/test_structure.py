"""Cranes and drivers are a few words in a scenario; a result lists the bodies they stand for, and these are drawn."""

import numpy as np
import pytest

from taut import library
from taut.results.channels import assemble
from taut.results.result import Result
from taut.scenario.io.writing import dumps
from taut.scenario.structure import structure, structure_text
from taut.views.scene.colours import PLATFORM
from taut.views.scene.machine import read_machine
from taut.views.scene.ties import tie_ends

TIME = np.array([0.0, 1.0])


def machine_of(name, places):
    """A library scenario whose bodies are at given places [m] at the end, and 1 m lower at the start."""
    scenario = library.load(name)
    bodies = list(scenario.all_bodies())
    last = np.array([places.get(body, (0.0, 0.0, 0.0)) for body in bodies], float)
    position = np.stack([last - [0.0, 0.0, 1.0], last])
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (2, len(bodies), 1))
    attrs = {"scenario": dumps(scenario), "structure": structure_text(scenario)}
    arrays = {"body_position": position, "body_quaternion": quaternion}
    return read_machine(Result(assemble(arrays, {"time": TIME, "body": bodies}, attrs)))


@pytest.mark.parametrize("name", library.names())
def test_every_body_of_every_machine_is_listed(name):
    scenario = library.load(name)
    listed = structure(scenario)
    assert set(listed["bodies"]) == set(scenario.all_bodies())
    assert all(body["joint"]["kind"] for body in listed["bodies"].values())
    assert len(listed["closures"]) == len(scenario.all_closures())


def test_the_rope_of_a_hoist_reaches_from_trolley_to_hook():
    machine = machine_of("crane-hoisting", {"trolley": (3, 0, 12), "hook-rope": (3, 0, 12), "hook": (3.5, 0, 5)})
    (tie,) = machine.ties
    start, end = tie_ends([tie], machine.frames.sample(1))
    np.testing.assert_allclose([start[0], end[0]], [[3, 0, 12], [3.5, 0, 5]])
    assert machine.main_body == "load"


def test_a_bridge_reaches_over_the_way_of_its_trolley():
    machine = machine_of("crane-3d", {"bridge": (0, 2, 12), "trolley": (4, 2, 12), "load": (4, 2, 3)})
    parts = {part.name: part for part in machine.bodies}
    low, high = parts["bridge"].mesh.vertices[:, 0].min(), parts["bridge"].mesh.vertices[:, 0].max()
    assert low < 4.0 < high and high - low < 3 * np.ptp(parts["trolley"].mesh.vertices[:, 0]) + 4.0
    assert [fixture.name for fixture in machine.fixtures] == ["rail of bridge"]
    np.testing.assert_allclose(parts["load"].colour, PLATFORM)


def test_a_quadcopter_is_as_wide_as_its_rotors():
    machine = machine_of("mamidi-quadcopter-failure", {f"Q{k}": (k, 0, 5) for k in range(1, 5)})
    mesh = next(part.mesh for part in machine.bodies if part.name == "Q1")
    # two arms at 45 degrees, and half an arm and the ring's thickness beyond
    assert np.ptp(mesh.vertices[:, 0]) == pytest.approx(0.169 * (2**0.5 + 1.0), rel=0.4)


def test_the_steps_of_a_deck_are_not_seen():
    machine = machine_of("replenishment", {"deck": (0, 0, 5)})
    sizes = {part.name: float(np.ptp(part.mesh.vertices, axis=0).max()) for part in machine.bodies}
    assert sizes["deck"] > 0.1 and sizes["deck surge"] == sizes["deck pitch"] == 0.0
    assert machine.main_body == "load"
