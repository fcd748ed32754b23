"""Several ropes on one drum, ropes wound at both ends, and ropes that travel along their drum: closed forms."""

import numpy as np
import pytest

import taut

G, R, J = 9.81, 0.2, 1.2
LAYERS = {"width": 1, "pitch": 0.01, "diameter": 0.01, "turns": 3}


def machine(**run):
    found = taut.Machine("drums")
    found.run(**({"duration": 0.5, "save_every": 0.1, "tolerance": 1e-8} | run))
    return found


def load(found, name, mass, position):
    found.body(name, mass=mass, box=[0.1, 0.1, 0.1], position=position)


@pytest.mark.parametrize("kind", ["ideal", "spring"])
@pytest.mark.parametrize("winding", ["forward", "backward"])
def test_two_ropes_on_one_drum(kind, winding):
    """Two loads hang on one drum: a = (m1 +- m2) g / (m1 + m2 + J/R^2)."""
    m1, m2 = 3.0, 2.0
    found = machine()
    load(found, "one", m1, [0, 0, -5])
    load(found, "two", m2, [1, 0, -4])
    own = {"kind": kind} if kind == "ideal" else {"kind": kind, "axial_stiffness": 1e7, "axial_damping": 1e5}
    if kind == "spring":
        found.initial(pretension=10.0)
    found.cable("A", exit=[0, 0, 0], body="one", anchor=[0, 0, 0], winch="W", **own)
    found.cable("B", exit=[1, 0, 0], body="two", anchor=[0, 0, 0], winch="W", winding=winding, **own)
    found.driver("W", kind="winch", drum={"radius": R, "inertia": J, "braked": False})
    found.measurement("angle", cable="B", what="drum_angle")
    found.event("turned", measurement="angle", value=0.1, crossing="up")
    model = taut.build(found.scenario())
    assert [name for name in model.names.nodes if name.endswith(".drum")] == ["A.drum"]
    result = taut.simulate(model)
    sign = 1.0 if winding == "forward" else -1.0
    a = (m1 + sign * m2) * G / (m1 + m2 + J / R**2)
    z = result["body_position"].sel(xyz="z").values
    t = np.asarray(result.time)
    near = 1e-8 if kind == "ideal" else 2e-4
    assert z[:, 0] == pytest.approx(-5 - 0.5 * a * t**2, abs=near)
    assert z[:, 1] == pytest.approx(-4 - sign * 0.5 * a * t**2, abs=near)
    assert result.audit["verdict"] == "pass"
    if kind == "ideal" and winding == "forward":
        assert [event["time"] for event in result.events] == pytest.approx([np.sqrt(2 * 0.1 * R / a)], abs=1e-7)


def test_a_rope_wound_at_both_ends_runs_from_drum_to_drum():
    """Torques hold the tension but for a difference, which accelerates both drums: a = d tau / R / (J1 + J2) R^2."""
    found = machine()
    load(found, "load", 1.0, [50, 0, 0])
    found.cable("holds", kind="ideal", exit=[50, 0, 5], body="load", anchor=[0, 0, 0])
    T, extra, J2, R2 = 100.0, 3.0, 0.7, 0.1
    found.cable("A", kind="ideal", exit=[0, 0, 0], via=[{"kind": "pinhole", "point": [4, 0, 3]}], body="world",
                anchor=[9, 0, 0], winch="W", anchor_winch="V")  # fmt: skip
    found.driver("W", kind="winch", drum={"radius": R, "inertia": J, "braked": False, "torque": -T * R})
    found.driver("V", kind="winch", drum={"radius": R2, "inertia": J2, "braked": False, "torque": -T * R2 - extra})
    for end in ("exit", "anchor"):
        found.measurement(f"angle {end}", cable="A", what="drum_angle", end=end)
    found.measurement("length", cable="A", what="length")
    found.signal("u", kind="command")
    result = taut.simulate(taut.build(found.scenario()))
    t = np.asarray(result.time)
    a = extra / R2 / (J / R**2 + J2 / R2**2)
    turned = {name: result["joint_position"].sel(coordinate=name).values for name in ("A.drum", "A.anchor.drum")}
    assert turned["A.drum"] - turned["A.drum"][0] == pytest.approx(0.5 * a * t**2, abs=1e-9)
    assert turned["A.anchor.drum"] - turned["A.anchor.drum"][0] == pytest.approx(-0.5 * a * t**2, abs=1e-9)
    tension = result["cable_tension_anchor"].sel(cable="A").values
    assert tension == pytest.approx(T + a * J / R**2, rel=1e-8)
    assert result.audit["verdict"] == "pass"


@pytest.mark.parametrize("kind", ["ideal", "spring"])
def test_a_rope_that_travels_along_its_drum(kind):
    """To a hole at the distance a and x from where it starts: h' = k q', k = 1 + c (x - c q)/d, by energy."""
    pitch, a, x0, m = 0.3, 1.0, 0.8, 4.0
    own = {"kind": kind} if kind == "ideal" else {"kind": kind, "axial_stiffness": 1e7, "axial_damping": 1e5}
    found = machine()
    load(found, "load", m, [a, x0, -3])
    found.cable(
        "A",
        exit=[0, 0, 0],
        via=[{"kind": "pinhole", "point": [a, x0, 0]}],
        body="load",
        anchor=[0, 0, 0],
        winch="W",
        **own,
    )
    found.driver(
        "W", kind="winch", drum={"radius": R, "inertia": J, "braked": False, "axis": [0, 1, 0], "pitch": pitch}
    )
    if kind == "spring":
        found.initial(pretension=10.0)
    result = taut.simulate(taut.build(found.scenario()))
    z = result["body_position"].sel(xyz="z").values[:, 0]
    v = result["body_velocity"].sel(xyz="z").values[:, 0]
    q = result["joint_position"].sel(coordinate="A.drum").values
    c = pitch / (2 * np.pi * R)
    q = q - q[0]
    d = np.hypot(a, x0 - c * q)
    near = 1e-8 if kind == "ideal" else 2e-4
    assert -3 - z == pytest.approx(q + np.hypot(a, x0) - d, abs=near)
    k = 1 + c * (x0 - c * q) / d
    assert 0.5 * (m + J / R**2 / k**2) * v**2 == pytest.approx(m * G * (-3 - z), abs=near * 1e2)
    # where the rope leaves the drum, in the result
    assert result["cable_nodes"].sel(cable="A").values[:, 0, 1] == pytest.approx(c * q, abs=1e-7)
    assert result.audit["verdict"] == "pass"


def test_a_drum_on_a_body_that_is_lifted_and_free_along_its_axis():
    """As in the world, with g + a; what the rope pulls along the axis stays within the body, which does not move."""
    pitch, a, x0, m, up = 0.3, 1.0, 0.8, 4.0, 2.0
    found = machine()
    # the frame is turned, so that the axis of the drum is the x axis of its body
    found.body("lift", mass=10.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "motion": f"{0.5 * up}*t**2"})
    turned = {"parent": "lift", "axis": [0, 1, 0], "orientation": {"rotation_vector": [0, 0, 0.5 * np.pi]}}
    found.body("trolley", mass=7.0, joint={"kind": "prismatic", **turned})
    hanging = {"parent": "trolley", "axis": [0, 0, 1], "origin": [x0, -a, -3]}
    found.body("load", mass=m, joint={"kind": "prismatic", **hanging})
    found.cable("A", kind="ideal", exit_body="trolley", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], winch="W",
                via=[{"kind": "pinhole", "body": "trolley", "point": [x0, -a, 0]}])  # fmt: skip
    drum = {"radius": R, "inertia": J, "braked": False, "axis": [1, 0, 0], "pitch": pitch}
    found.driver("W", kind="winch", drum=drum)
    result = taut.simulate(taut.build(found.scenario()))
    position, t = result["body_position"], np.asarray(result.time)
    q = result["joint_position"].sel(coordinate="A.drum").values
    c, q = pitch / (2 * np.pi * R), q - q[0]
    fall = -3 + 0.5 * up * t**2 - position.sel(body="load", xyz="z").values
    v = result["body_velocity"].sel(body="load", xyz="z").values - up * t
    d = np.hypot(a, x0 - c * q)
    k = 1 + c * (x0 - c * q) / d
    assert fall == pytest.approx(q + np.hypot(a, x0) - d, abs=1e-8)
    assert 0.5 * (m + J / R**2 / k**2) * v**2 == pytest.approx(m * (G + up) * fall, abs=1e-6)
    assert np.abs(position.sel(body="trolley", xyz="y").values).max() < 1e-9
    assert result.audit["verdict"] == "pass"


@pytest.mark.parametrize("winding", ["forward", "backward"])
def test_a_rope_travels_to_and_fro_in_its_layers(winding):
    """Ten turns in a layer, five in the third: five back, ten forth, ten back; radii by layer."""
    pitch, d, turns, sign = 0.02, 0.018, 25, 1.0 if winding == "forward" else -1.0
    found = machine(duration=20.0, save_every=0.2)
    load(found, "load", 5.0, [1.5, 0, -1])
    found.cable("A", kind="spring", axial_stiffness=1e6, axial_damping=1e4, exit=[0, 0, 0], body="load", winch="W",
                anchor=[0, 0, 0], via=[{"kind": "pinhole", "point": [1.5, 0, 0]}], winding=winding)  # fmt: skip
    motor = {"angle": f"{sign * 2 * np.pi * turns}*smoothstep(t/20)", "kp": 50.0, "kv": 5e3}
    layers = {"width": 0.2, "pitch": pitch, "diameter": d, "turns": turns, "stack": "flat"}
    drum = {"radius": R, "inertia": J, "braked": False, "axis": [0, 1, 0], "motor": motor, "layers": layers}
    found.driver("W", kind="winch", drum=drum)
    found.initial(pretension=5.0 * G)
    result = taut.simulate(taut.build(found.scenario()))
    q = result["joint_position"].sel(coordinate="A.drum").values
    left = turns - sign * (q - q[0]) / (2 * np.pi * R)
    # circles and travel are exact but for the half turns in which the rope climbs
    plain = np.abs(left / 10 - np.round(left / 10)) * 10 > 0.26
    x = result["cable_nodes"].sel(cable="A").values[:, 0, 1]
    at = np.abs((left + 10) % 20 - 10)  # turns from the flange at which the lowest layer begins
    assert x[plain] == pytest.approx(sign * pitch * (5 - at[plain]), abs=1e-9)
    wound = 2 * np.pi * sum(np.clip(left - 10 * k, 0, 10) * (R + k * d) for k in range(3))
    out = result["cable_length"].values[:, 0]
    assert (out - out[0])[plain] == pytest.approx((wound[0] - wound)[plain], abs=1e-9)
    assert result.audit["verdict"] == "pass"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"drum": {"axis": [0, 1, 0]}}, "needed for a rope that travels"),
        ({"drum": {"axis": [0, 1, 0], "pitch": 0.02, "layers": LAYERS}}, "is not that of the layers"),
        ({"drum": {"gearbox": {"ratio": 3, "efficiency": 0.9}}}, "goes with one cable, and 2 run on this drum"),
        ({"cable": {"anchor_winch": "W"}}, "is that of the exit"),
        ({"cable": {"anchor_winch": "P"}}, "has no drum"),
        ({"cable": {"anchor_winch": "Q"}}, "there is no driver of this name"),
        ({"cable": {"winch": None, "winding": "backward"}}, "is for cables on drums"),
        ({"drum": {"axis": [0, 1, 0], "pitch": 0.01}, "cable": {"pulley": {"radius": 0.05}}}, "does not travel along"),
        ({"cable": {"kind": "mrfe", "elements": 2, "radius": 0.002, "mass_per_length": 0.02, "axial_stiffness": 1e4}},
         "leaves the drum at once"),
    ],
)  # fmt: skip
def test_what_does_not_go(change, message):
    found = machine()
    load(found, "one", 3.0, [0.4, 0, -5])
    load(found, "two", 2.0, [1, 0, -4])
    first = {"kind": "ideal", "winch": "W"} | change.get("cable", {})
    with pytest.raises(taut.ScenarioError, match=message):
        found.driver("W", kind="winch", drum={"radius": R, "inertia": J} | change.get("drum", {}))
        found.driver("P", kind="winch", payout="0.1*t")
        found.cable(
            "A",
            exit=[0, 0, 0],
            body="one",
            anchor=[0, 0, 0],
            **{key: value for key, value in first.items() if value is not None},
        )
        found.cable("B", kind="ideal", exit=[1, 0, 0], body="two", anchor=[0, 0, 0], winch="W")
        taut.build(found.scenario())
