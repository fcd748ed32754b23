"""Ropes cut at any place: both parts stay, and what they do is known in closed form."""

import numpy as np
import pytest

import taut

G = 9.81


def hanging(kind="mrfe", place=0.5, **cable):
    machine = taut.Machine("cut")
    machine.body("load", mass=3.0, box=[0.2, 0.2, 0.2], position=[0, 0, 0])
    laws = {"elements": 8, "radius": 4e-3, "mass_per_length": 0.4, "youngs_modulus": 1e9, "damping": 1e6}
    laws = laws if kind == "mrfe" else ({"axial_stiffness": 2e4} if kind == "spring" else {})
    machine.cable("C", kind=kind, exit=[0, 0, 4], body="load", anchor=[0, 0, 0], length=4.0, **(laws | cable))
    machine.failure("F", at=0.2, kind="cut", target="C", place=place)
    return machine.run(duration=0.6, save_every=0.02)


def centre(result):
    """Height of the centre of mass of the load and the elements before the cut, halves of an element being rods."""
    nodes = result["cable_nodes"].sel(cable="C").values[:, :, 2]
    lower = nodes[:, 5:]  # eight elements, cut in the middle: nodes 0..4, then 5..9
    mass = 0.4 * 0.5
    # a half-link keeps its length: its centre is a quarter of the element's length at rest from its node
    mids = np.stack([lower[:, :-1] - mass / 0.4 / 4, lower[:, 1:] + mass / 0.4 / 4], axis=2).mean(axis=2)
    load = result["body_position"].sel(body="load").values[:, 2]
    return (3.0 * load + mass * mids.sum(axis=1)) / (3.0 + 4 * mass)


def test_part_of_a_chain_falls_freely():
    result = taut.simulate(taut.build(hanging().scenario()))
    assert result.audit["verdict"] == "pass", result.audit
    after = result.time >= 0.2 - 1e-9
    t, z = result.time[after] - 0.2, centre(result)[after]
    # gravity alone acts on the part behind the cut: its second difference is -g h^2 exactly
    assert np.diff(z, 2) == pytest.approx(-G * 0.02**2, rel=2e-4)
    assert len(t) > 15
    gap = np.diff(result["cable_nodes"].sel(cable="C").values[:, 4:6, 2], axis=1)[:, 0]
    assert np.abs(gap[result.time < 0.2]).max() < 1e-9 and gap[-1] < -0.5


def test_cut_is_told_and_not_slack():
    result = taut.simulate(taut.build(hanging().scenario()))
    cut = result["cable_cut"].sel(cable="C").values
    assert not cut[result.time < 0.19].any() and cut[result.time > 0.21].all()
    assert not result["cable_slack"].values[cut].any()
    # the part starts without stretch: it is slack then, but not after the cut
    assert [entry["to"] < 0.2 for entry in result.audit["slack"]["intervals"]] == [True]


def test_bend_at_the_joint_is_that_of_the_whole_cable_until_the_cut():
    whole = hanging(place=1.0)
    at_joint = hanging()
    results = [taut.simulate(taut.build(machine.scenario())) for machine in (whole, at_joint)]
    before = results[0].time < 0.19
    loads = [result["body_position"].sel(body="load").values[before] for result in results]
    assert loads[0] == pytest.approx(loads[1], abs=1e-6)


@pytest.mark.parametrize("kind", ["spring", "ideal"])
def test_parts_of_a_rope_without_mass_hang_down(kind):
    result = taut.simulate(taut.build(hanging(kind, 0.25).scenario()))
    assert result.audit["verdict"] == "pass", result.audit
    exit_, tip, end, anchor = result["cable_nodes"].sel(cable="C").values[-1, [0, 1, 2, 3], 2]
    assert (exit_ - tip, anchor - end) == pytest.approx((1.0, 3.0))
    fallen = result["body_position"].sel(body="load").values[:, 2]
    after = result.time >= 0.2 - 1e-9
    assert np.diff(fallen[after], 2) == pytest.approx(-G * 0.02**2, rel=1e-6)
    assert not result["cable_slack"].values[-1].any() and bool(result["cable_cut"].values[-1, 0])


def test_wheel_is_turned_by_what_is_left():
    """The rope behind a wheel that it sticks to gives its energy to the wheel: I w^2 / 2 = EA (D - L)^2 / (2 L)."""
    machine = taut.Machine("wheel")
    machine.body("load", mass=50.0, box=[0.2, 0.2, 0.2], position=[1.1, 0, -2.0])
    sheave = {
        "kind": "sheave",
        "body": "world",
        "point": [1.0, 0, 0],
        "axis": [0, 1, 0],
        "radius": 0.1,
        "inertia": 0.02,
    }
    machine.cable("C", kind="spring", exit=[-1.0, 0, 0.1], body="load", anchor=[0, 0, 0], axial_stiffness=1e5,
                  via=[sheave])  # fmt: skip
    machine.failure("F", at=0.3, kind="cut", target="C", place=0.8)
    machine.initial(solve="equilibrium")
    result = taut.simulate(taut.build(machine.run(duration=0.4, save_every=0.005, tolerance=1e-8).scenario()))
    assert result.audit["verdict"] == "pass", result.audit
    at = int(np.argmin(np.abs(result.time - 0.295)))
    tension, length = result["cable_tension"].values[at, 0, 0], result["cable_length"].values[at, 0]
    spin = next(name for name in result.dataset["coordinate"].values if "sheave" in str(name))
    w = result["joint_velocity"].sel(column=str(spin)).values
    half = 2.0 + 0.05 * np.pi / 2  # unstrained, but for the strain: from the exit to the middle of the arc
    stored = tension**2 * half / (2e5 * (1 + tension / 1e5))
    assert length > 3.9 and abs(w[at]) < 1e-3
    assert 0.01 * w[-1] ** 2 == pytest.approx(stored, rel=1e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"place": 1.5}, "place"), ({"kind": "release", "target": "C"}, "goes with kind: cut only")],
)
def test_bad_places(change, message):
    machine = hanging()
    failure = {"name": "G", "at": 0.3, "kind": "cut", "target": "C", "place": 0.5} | change
    with pytest.raises(taut.ScenarioError, match=message):
        machine.failure(failure.pop("name"), **failure)
        machine.scenario()


def test_chain_with_a_winch_parts_at_its_anchor_only():
    machine = hanging(winch="W")
    machine.driver("W", kind="winch", length="4")
    with pytest.raises(taut.ScenarioError, match="all share the length"):
        machine.scenario()
