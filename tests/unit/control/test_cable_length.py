"""The controller cable-length: its equations against slow twins, and a robot that follows its path."""

import numpy as np
import pytest

import taut
from reference.lead import SlowLead, Statics, wanted
from taut.build.machine.equipment import WinchData
from taut.control.courses import course_at
from taut.control.kinds import make_controllers

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


def test_wanted_lengths_and_their_rates_are_those_of_the_chord():
    rng = np.random.default_rng(3)
    at, rate, second = rng.normal(size=(3, 3))
    winch = WinchData("u", np.zeros(3), np.zeros(3), 4e4, 0.25)

    def length(t):
        return np.linalg.norm(at + t * rate + 0.5 * t**2 * second) / (1 + 100 / 4e4) - 0.25

    h = 1e-3
    slopes = [length(0), (length(h) - length(-h)) / (2 * h), (length(h) - 2 * length(0) + length(-h)) / h**2]
    assert wanted(at, rate, second, winch, 100.0) == pytest.approx(slopes, abs=2e-5)


def test_tensions_carry_the_wrench_and_keep_above_the_least():
    model = taut.build(robot(feedforward={"preload": 30.0, "least": 5.0, "carries": 2.0}).scenario())
    statics = Statics(model, model.plan.equipment["lead"], model.plan.controllers["lead"])
    below = {f"C{k}": np.array([0, 0, -2.0]) for k in range(4)}
    assert list(statics.tensions(below, np.zeros(3)).values()) == pytest.approx(4 * [10 * 9.81 / 4], abs=1e-3)
    # eight cables around a body: the wrench is met, and the free choice stays near the preload
    rng = np.random.default_rng(1)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    exits = corners * [3, 2, 2]
    statics.arms = {f"C{k}": 0.2 * corner for k, corner in enumerate(corners)}
    chords = {f"C{k}": statics.arms[f"C{k}"] - exits[k] for k in range(8)}
    acceleration = rng.normal(size=3)
    found = statics.tensions(chords, acceleration)
    pulls = [-chords[k] / np.linalg.norm(chords[k]) * found[k] for k in chords]
    assert sum(pulls) == pytest.approx(10 * (acceleration + [0, 0, 9.81]), abs=1e-2)
    assert min(found.values()) >= 5.0


@pytest.mark.parametrize("acts", ["rate", "acceleration"])
@pytest.mark.parametrize("winch", ["payout", "length"])
def test_winches_follow_the_straight_lines(acts, winch):
    """Their courses meet the chords within the square of the period, whatever is commanded, with a delay or without."""
    errors = []
    for period in (PERIOD, PERIOD / 2):
        machine = robot(acts=acts, delay=0.01, winch=winch, period=period)
        law = make_controllers(taut.build(machine.scenario()), {})["lead"]
        # long enough that the start is forgotten, when the path moves on during the delay
        for k in range(round(4.0 / period)):
            law(k * period, {})
        t = k * period + 0.01 + period
        place = np.array([0.2 * (1 - np.cos(t)), 0.1 * t**2 * np.exp(-t), 1.0])
        own = law.work
        gaps = [
            own.offset[k] + course_at(own.courses[k], t)[0] - np.linalg.norm(place + own.anchor[k] - own.exit[k])
            for k in range(4)
        ]
        errors.append(np.abs(gaps).max())
    assert errors[0] < 2e-5
    assert errors[1] < 0.35 * errors[0] or errors[1] < 1e-7


def test_feedback_takes_up_the_error_and_stops_at_its_limit():
    machine = robot(position="place", kp=0.5, ki=2.0, most_correction=0.05, setpoint=[0, 0, 1])
    model = taut.build(machine.scenario())
    law, twin = make_controllers(model, {})["lead"], SlowLead(model, "lead", model.plan.controllers["lead"])
    told, integral = {"place": np.array([0.0, 0.0, 0.99])}, []
    moved = []
    for k in range(200):
        moved.append(twin.correction(k * PERIOD, told)[2])
        law(k * PERIOD, told)
        integral.append(law.memory[2])
    assert integral == pytest.approx(np.minimum(0.01 * PERIOD * np.arange(1, 201), integral[-1]))
    assert moved[49] == pytest.approx(0.01 * (0.5 + 2.0 * 50 * PERIOD)) and max(moved) <= 0.05 * (1 + 1e-12)
    # it stops before the correction would be more than asked for
    assert 0.045 < 0.5 * 0.01 + 2.0 * integral[-1] <= 0.05 * (1 + 1e-12)


def told_at(t):
    """Measurements of every kind."""
    rng = np.random.default_rng(int(1e4 * t) + 1)
    return {
        "place": [0.02 * rng.normal(), 0.1, 1.0],
        "pull": 30.0 + 40.0 * rng.normal(),
        "tip": [-2, -1.5, 3 + 0.1 * t],
    }


LIMITED = {"limits": [-0.05, 0.05], "rate_limit": 0.5}
FED_BACK = {"position": "place", "kp": 0.5, "ki": 2.0, "most_correction": 0.03}


@pytest.mark.parametrize("acts", ["rate", "acceleration"])
@pytest.mark.parametrize("winch", ["payout", "length"])
@pytest.mark.parametrize(
    "keys",
    [{}, {"delay": 0.03, "tensions": {"C0": "pull"}}, {**FED_BACK, "exits": {"C0": "tip"}},
     {"feedforward": {"preload": 10.0, "least": 12.0}, "setpoint": ["0.9*sin(t)", 0, 1], **FED_BACK}],
)  # fmt: skip
def test_commands_are_those_of_the_slow_twin(acts, winch, keys):
    machine = robot(acts=acts, winch=winch, **keys)
    machine.measurement("tip", body="platform", point=[-2, -1.5, 2])
    for k in range(2):
        machine._data["signals"][f"u{k}"] |= LIMITED
    model = taut.build(machine.scenario())
    law, twin = make_controllers(model, {})["lead"], SlowLead(model, "lead", model.plan.controllers["lead"])
    for k in range(300):
        told = {key: np.array(value) for key, value in told_at(k * PERIOD).items()}
        assert law(k * PERIOD, told) == pytest.approx(twin(k * PERIOD, told), rel=1e-9, abs=1e-11)


def test_measured_tension_shortens_the_cable():
    model = taut.build(robot(tensions={"C0": "pull"}).scenario())
    slack, tight = (make_controllers(model, {})["lead"](0.0, {"pull": T})["u0"] for T in (-5.0, 40.0))
    length = np.linalg.norm([1.9, 1.4, -1.85])
    assert slack - tight == pytest.approx(5.0 * length * (1 - 1 / (1 + 1e-3)), rel=0.2)


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
        ("cables[0].pulley={radius: 0.05}", "has a pulley"),
        ("cables[0].via=[{kind: pinhole, point: [-1, -1, 3]}]", "runs over guides"),
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
    law = make_controllers(taut.build(machine.scenario()), {})["lead"]
    still = make_controllers(taut.build(robot().scenario()), {})["lead"]
    there = still.work.exit[0].copy()
    assert law(0.0, {"tip": there}) == still(0.0, {})
    moved = make_controllers(taut.build(machine.scenario()), {})["lead"](0.0, {"tip": there + [0, 0, 0.1]})
    longer = np.linalg.norm([1.9, 1.4, -1.95]) - np.linalg.norm([1.9, 1.4, -1.85])
    assert moved["u0"] - still.work.asked[0] == pytest.approx(5.0 * longer, rel=1e-2)
