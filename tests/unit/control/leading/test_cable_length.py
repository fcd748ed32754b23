"""The controller cable-length: its equations against slow twins, and a robot that follows its path."""

import numpy as np
import pytest

import taut
from taut.control.courses import course_at
from taut.control.leading.cable_length import CableLength, Statics, wanted
from taut.control.leading.led_ropes import Motion, still
from taut.control.leading.winch_commands import follow

PERIOD = 0.02


def robot(*, acts="rate", delay=0.0, winch="payout", **controller):
    """Four winches above a platform."""
    machine = taut.Machine("robot")
    machine.platform(mass=8.0, box=[0.3, 0.3, 0.3], position=[0, 0, 1])
    lag = {"lag": 0.02} if acts == "rate" else {}
    for k, (x, y) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        start = float(np.linalg.norm([1.9 * x, 1.4 * y, 1.85])) if winch == "length" else 0.0
        machine.signal(f"u{k}", kind="command", acts=acts, initial=start, **lag)
        machine.driver(f"W{k}", kind="winch", start="raw", **{winch: f"u{k}"})
        machine.cable(f"C{k}", exit=[2 * x, 1.5 * y, 3], anchor=[0.1 * x, 0.1 * y, 0.15], winch=f"W{k}", elements=3,
                      radius=1.5e-3, mass_per_length=0.02, axial_stiffness=4e4, axial_damping=400)  # fmt: skip
    machine.measurement("place", body="platform")
    machine.measurement("pull", cable="C0")
    keys = {"commands": {f"C{k}": f"u{k}" for k in range(4)}, "setpoint": ["0.2*(1 - cos(t))", "0.1*t**2*exp(-t)", 1]}
    machine.controller("lead", kind="cable-length", delay=delay, **({"period": PERIOD} | keys | controller))
    return machine.run(duration=1.0, save_every=0.05)


def law_of(machine):
    """The law in Python, which leads by cables over any guides."""
    model = taut.build(machine.scenario())
    return CableLength(model, "lead", model.plan.controllers["lead"])


def test_tensions_carry_the_wrench_and_keep_above_the_least():
    model = taut.build(robot(feedforward={"preload": 30.0, "least": 5.0, "carries": 2.0}).scenario())
    reeving = model.plan.equipment["lead"]
    statics = Statics(model, reeving, model.plan.controllers["lead"])
    up = np.tile([0, 0, 1.0, 0, 0, 0], (4, 1))
    at_rest = still(np.zeros(3), np.eye(3))
    assert list(statics.tensions(up, at_rest).values()) == pytest.approx(4 * [10 * 9.81 / 4], abs=1e-3)
    # eight cables around a body: the wrench is met, and the free choice stays near the preload
    rng = np.random.default_rng(1)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    ways = corners * [2.8, 1.8, 1.2]
    pulls = ways / np.linalg.norm(ways, axis=1, keepdims=True)
    arms = 0.2 * corners
    statics.names = tuple(f"C{k}" for k in range(8))
    acceleration, spin, spin_rate = rng.normal(size=(3, 3))
    statics.inertia = np.diag([0.2, 0.3, 0.4])
    motion = Motion(np.zeros(3), np.eye(3), np.zeros(3), spin, acceleration, spin_rate)
    found = np.array(list(statics.tensions(np.hstack([pulls, np.cross(arms, pulls)]), motion).values()))
    assert found @ pulls == pytest.approx(10 * (acceleration + [0, 0, 9.81]), abs=1e-2)
    moment = statics.inertia @ spin_rate + np.cross(spin, statics.inertia @ spin)
    assert found @ np.cross(arms, pulls) == pytest.approx(moment, abs=1e-2)
    assert found.min() >= 5.0


@pytest.mark.parametrize("acts", ["rate", "acceleration"])
@pytest.mark.parametrize("winch", ["payout", "length"])
def test_winches_follow_the_straight_lines(acts, winch):
    """The courses of the commands meet the chords within the square of the period, with a delay or without."""
    errors = []
    for period in (PERIOD, PERIOD / 2):
        machine = robot(acts=acts, delay=0.01, winch=winch, period=period)
        law = law_of(machine)
        # long enough that the start is forgotten, when the path moves on during the delay
        for k in range(round(4.0 / period)):
            law(k * period, {})
        t = k * period + 0.01 + period
        place = np.array([0.2 * (1 - np.cos(t)), 0.1 * t**2 * np.exp(-t), 1.0])
        gaps = [
            own.data.offset
            + course_at(own.course, t)[0]
            - np.linalg.norm(place + own.data.guides[1].point - own.data.guides[0].point)
            for own in law.winches.values()
        ]
        errors.append(np.abs(gaps).max())
    assert errors[0] < 2e-5
    assert errors[1] < 0.35 * errors[0] or errors[1] < 1e-7


def test_feedback_takes_up_the_error_and_stops_at_its_limit():
    machine = robot(position="place", kp=0.5, ki=2.0, most_correction=0.05, setpoint=[0, 0, 1])
    law = law_of(machine)
    told = {"place": np.array([0.0, 0.0, 0.99])}
    moved = [law.correction(k * PERIOD, told)[2] for k in range(200)]
    assert moved[0] == pytest.approx(0.01 * (0.5 + 2.0 * PERIOD))
    assert moved[49] == pytest.approx(0.01 * (0.5 + 2.0 * 50 * PERIOD))
    assert moved[-1] == pytest.approx(0.05, abs=5e-4) and max(moved) <= 0.05 * (1 + 1e-12)


def test_measured_tension_shortens_the_cable():
    law = law_of(robot(tensions={"C0": "pull"}))
    data, told = law.winches["C0"].data, {"pull": 0.0}
    way = np.array([2.0, 0.0, 0.0])
    slack, tight = (
        follow(law.winches["C0"], law.spec, 0.0, wanted(way, data, T) - [data.offset, 0, 0]) for T in (-5.0, 40.0)
    )
    assert set(law(0.0, told)) == {f"u{k}" for k in range(4)}
    assert slack - tight == pytest.approx(5.0 * 2.0 * (1 - 1 / (1 + 1e-3)), rel=0.2)


def test_platform_follows_a_circle():
    scenario = taut.library.load("winch-robot-circle")
    result = taut.simulate(taut.build(scenario))
    path = np.column_stack([scenario.signal(name).evaluate(result.time)[0] for name in ("along", "across")])
    place = result["body_position"].sel(body="platform").values
    error = np.linalg.norm(place - np.column_stack([path, np.ones(len(path))]), axis=1)
    assert error.max() < 7e-3 and np.sqrt(np.mean(error**2)) < 3e-3 and error[-1] < 1e-3
    assert result.audit["verdict"] == "pass"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"commands": {"C9": "u0"}}, "there is no cable of this name"),
        ({"commands": {"C1": "u0"}}, "is not what the cable's winch follows"),
        ({"body": "plattform"}, "there is no body of this name"),
        ({"tensions": {"C0": "place"}}, "must be the tension_exit or tension_anchor of a cable"),
        ({"position": "pull"}, "must be the position of a body"),
        ({"position": "nowhere"}, "there is no measurement of this name"),
        ({"exits": {"C7": "place"}}, "is for cables that have a command here"),
        ({"tensions": {"C0": "pull"}, "feedforward": {}}, "measured or foreseen"),
        ({"ki": 1.0}, "needs the measurement position"),
        ({"setpoint": ["u0", 0, 1]}, "must be known before the run"),
    ],
)
def test_mistakes(change, message):
    with pytest.raises(taut.ScenarioError, match=message):
        robot(**change).scenario()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("drivers.W1.start=blend", "cannot be blended in"),
        ("signals.u1={kind: command}", "would jump at every sample"),
        ("drivers.W1={kind: winch, rate: u1}", "cannot be commanded"),
        ("drivers.W1={kind: winch, payout: {kind: sum, terms: [u1, 0.1*t]}}", "cannot be blended in"),
        ("failures=[{name: F, at: 5, kind: loss, target: W1}]", "is a winch whose length is commanded"),
        ("cables[0].winch=W2", "drives other cables too"),
        ("drivers.T={kind: trolley, mass: 5} cables[0].driver=T", "has an exit that moves"),
    ],
)
def test_winches_that_cannot_be_led(settings, message):
    parts = settings.replace("} cables", "}|cables").split("|")
    with pytest.raises(taut.ScenarioError, match=message):
        taut.library.load("winch-robot-circle", parts)


def test_a_measured_exit_counts_as_one_that_stands_there():
    machine = robot(exits={"C0": "tip"})
    machine.measurement("tip", body="platform", point=[-2, -1.5, 2])  # where the exit of C0 stands at the start
    law = law_of(machine)
    fixed = law_of(robot())
    there = np.array([-2.0, -1.5, 3.0])
    assert law(0.0, {"tip": there}) == fixed(0.0, {})
    moved = law_of(machine)(0.0, {"tip": there + [0, 0, 0.1]})
    longer = np.linalg.norm([1.9, 1.4, -1.95]) - np.linalg.norm([1.9, 1.4, -1.85])
    assert moved["u0"] - fixed.winches["C0"].asked == pytest.approx(5.0 * longer, rel=1e-2)
