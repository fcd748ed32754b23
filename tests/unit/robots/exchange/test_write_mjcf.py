"""Machines written as MJCF: what MuJoCo makes of them has our masses and accelerations; and they come back."""

from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

import taut
from taut.robots.exchange.mjcf import read_mjcf
from taut.robots.exchange.write_mjcf import write_mjcf
from taut.scenario.io.reading import make_scenario

mujoco = pytest.importorskip("mujoco")
twin = pytest.importorskip("mujoco_twin", exc_type=ImportError)

pytestmark = pytest.mark.peers

LIFTED = ("initial.solve=closures", "platform.velocity=[0.1,0.2,0.3]", "platform.angular_velocity=[0.3,-0.2,0.1]")
MACHINES = {
    "pendulum-crane": ("bodies.payload.joint.position=[0.4,0.3]", "bodies.trolley.joint.friction=null"),
    "double-pendulum": ("bodies.lower.joint.velocity=2.0",),
    "delta": (),
    "four-bar": (),
    "stewart-free-fall": (),
    "ipanema-3": LIFTED,
}


def library(name, changes=()):
    return taut.build(taut.library.load(name, changes))


@pytest.mark.parametrize("name", MACHINES)
def test_masses_and_accelerations_are_ours(name):
    both = twin.written(library(name, MACHINES[name]))
    ours, other = both.accelerations()
    assert twin.difference(both.masses()) < 1e-12
    assert np.abs(other).max() > 0.1 and twin.difference((ours, other)) < 1e-9


def test_loops_are_soft_in_mujoco_but_nearly_closed():
    both = twin.written(library("delta"))
    assert np.abs(both.T.T @ both.other.qacc - both.accelerations()[0]).max() < 1e-3 * np.abs(both.other.qacc).max()


CHAIN = {
    "taut": 1,
    "name": "chain",
    "platform": {"mass": 5, "box": [0.6, 0.4, 0.2], "position": [0, 0, 1.2], "velocity": [0.3, 0, 0]},
    "bodies": {
        "hand": {"mass": 1, "com": [0.1, 0, 0], "inertia": [0.01, 0.02, 0.02],
                 "joint": {"kind": "spherical", "position": [0.9, 0.1, 0.2, 0.3], "velocity": [0.1, 0.2, 0.3],
                           "spring": {"stiffness": 0, "damping": 0.1}}},
        "slide": {"mass": 1, "inertia": [1, 1, 1], "joint": {"kind": "planar", "position": [0.1, 0.2, 0.3],
                  "spring": [{"stiffness": 10}, None, {"law": "polynomial", "coefficients": [1, 2, 3]}]}},
    },
    "defaults": {"cable": {"elements": 3, "radius": 2e-3, "mass_per_length": 0.05, "youngs_modulus": 1e9}},
    "cables": [{"name": "left", "exit": [-0.3, 0, 3], "anchor": [-0.3, 0, 0.1]}],
    "springs": [{"name": "bumper", "bodies": ["platform", "hand"], "points": [[0, 0, 0], [0, 0, 0.1]], "stiffness": 9,
                 "length": 0.3}],
}  # fmt: skip


def test_cables_of_elements_balls_and_planar_joints():
    model = taut.build(make_scenario(CHAIN | {"cables": []}))
    both = twin.written(model)
    assert twin.difference(both.masses()) < 1e-12 and twin.difference(both.accelerations()) < 1e-9
    chain = taut.build(make_scenario(CHAIN | {"platform": CHAIN["platform"] | {"velocity": [0, 0, 0]}}))
    assert twin.difference(twin.written(chain).masses()) < 1e-12


@pytest.mark.parametrize("name", ["crane-3d", "delta", "ipanema-3"])
def test_what_is_written_can_be_read(name, tmp_path):
    model = library(name, MACHINES.get(name, ()))
    (tmp_path / "out.xml").write_text(write_mjcf(model).text, encoding="utf-8")
    back = read_mjcf(tmp_path / "out.xml")
    again = taut.build(make_scenario(back.data))
    masses = [twin.Twins(one, taut.start_state(one).data, mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml")), [])
              .masses()[0] for one in (model, again)]  # fmt: skip
    first, second = (np.sort(np.linalg.eigvalsh(M)) for M in masses)
    assert second == pytest.approx(first, rel=1e-9, abs=1e-11)
    assert len(back.data.get("cables", [])) == len(model.scenario.cables)


def test_what_cannot_be_said_is_in_the_answer_and_in_the_file():
    made = write_mjcf(library("crane-3d"))
    assert "prescribed motions, which stand still here, of: bridge, trolley" in made.not_said
    assert all(f"not said: {line}" in made.text.split("-->")[0] for line in made.not_said)


def test_the_rest_is_refused_by_name():
    with pytest.raises(taut.ScenarioError, match="assumed modes"):
        write_mjcf(library("suspension-six-ropes"))


def test_ground_is_named_and_holds_nothing():
    made = write_mjcf(library("ball-on-ground"))
    assert any(line.startswith("ground under") for line in made.not_said) and "<connect" not in made.text


def test_the_inertia_of_a_wheel_is_written():
    """Its mass is that of its carrier."""
    machine = taut.Machine("wheel")
    machine.body("load", mass=10.0, inertia=[1, 1, 1], joint={"kind": "prismatic", "origin": [3, 0, 0]})
    wheel = {"kind": "sheave", "point": [1.5, 0, 2], "radius": 0.1, "axis": [0, 1, 0], "side": "over", "inertia": 0.3}
    machine.cable("rope", kind="spring", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], axial_stiffness=1e5,
                  pretension=98.1, via=[wheel])  # fmt: skip
    written = write_mjcf(taut.build(machine.scenario()))
    (joint,) = [joint for joint in fromstring(written.text).iter("joint") if joint.get("name") == "rope.sheave1"]
    assert joint.get("armature") == "0.3"
