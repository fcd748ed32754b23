"""Mistakes with controllers give one error each, with the place and a remedy."""

import pytest

import taut
from taut.scenario.builder import Machine


def machine(**controller):
    machine = Machine("cart")
    machine.signal("push", kind="command")
    machine.body("cart", mass=2.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": "push"})
    machine.measurement("x", joint="cart")
    machine.controller("hold", **{"kind": "python", "period": 0.1, **controller})
    return machine


def simulate(function, **controller):
    return taut.simulate(taut.build(machine(**controller).scenario()), controllers={"hold": function})


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda t, m: 1 / 0, r"failed at t = 0 s: ZeroDivisionError.*line"),
        (lambda t, m: 3.0, "must return a mapping"),
        (lambda t, m: {"pusch": 1.0}, "no command of it"),
        (lambda t, m: {"push": float("nan")}, "no finite number"),
        (lambda t, m: {"push": m["y"]}, "KeyError"),
    ],
)
def test_faulty_functions(function, message):
    with pytest.raises(taut.ScenarioError, match=message):
        simulate(function)


def test_function_is_missing_or_too_many():
    model = taut.build(machine().scenario())
    with pytest.raises(taut.ScenarioError, match="function is missing"):
        taut.simulate(model)
    with pytest.raises(taut.ScenarioError, match="did you mean 'hold'"):
        taut.simulate(model, controllers={"hald": print})
    with pytest.raises(taut.ScenarioError, match="does not run: SyntaxError"):
        taut.simulate(taut.build(machine(code="def control(t, m:").scenario()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.measurement("y", joint="kart"), "there is no body of this name"),
        (lambda m: m.measurement("y", joint="cart", body="cart"), "measures one thing"),
        (lambda m: m.measurement("y", joint="cart", what="colour"), "must be one of position"),
        (lambda m: m.measurement("y", joint="cart", component="colour"), "component"),
        (lambda m: m.controller("two", kind="feedforward", period=1, commands={"push": 1.0}), "set by hold already"),
        (lambda m: m.controller("two", kind="pid", period=1, measure="z", command="push"), "no measurement"),
        (lambda m: m.controller("two", kind="feedforward", period=1, commands={"pull": "push"}), "no command of this"),
        (lambda m: m.controller("two", kind="python", period=1e-9, commands=[]), "too small"),
        (lambda m: m.controller("two", kind="python", period=1, file="nowhere.py"), "does not exist"),
        (lambda m: m.signal("more", "2*push"), "cannot be part of an expression"),
        (lambda m: m.force("cart", force=[{"kind": "command"}, 0, 0]), "needs a name"),
        (lambda m: m.signal("bad", kind="command", limits=[1, 1]), "smallest, largest"),
        (
            lambda m: m.body("link", mass=1, joint={"kind": "prismatic", "motion": "push"}),
            "would jump at every sample",
        ),
        (lambda m: m.body("link", mass=1, joint={"kind": "spherical", "motion": 1}), "is not for spherical joints"),
        (lambda m: m.body("link", mass=1, joint={"kind": "revolute", "motion": 1, "force": 1}), "has no effect"),
    ],
)
def test_faulty_scenarios(change, message):
    faulty = machine()
    change(faulty)
    with pytest.raises(taut.ScenarioError, match=message):
        faulty.scenario()


def test_a_crashed_controller_blocks_nothing(tmp_path):
    model = taut.build(machine().run(duration=0.5).scenario())

    def fails_late(t, measured):
        return {"push": 1.0 / (t < 0.25)}

    with pytest.raises(taut.ScenarioError, match="ZeroDivisionError"):
        taut.simulate(model, output=tmp_path / "run.nc", controllers={"hold": fails_late})
    assert not list(tmp_path.iterdir())
    taut.simulate(model, output=tmp_path / "run.nc", controllers={"hold": lambda t, measured: {"push": 1.0}})
