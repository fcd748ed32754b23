"""Numbers changed in a built model: the same as building the changed scenario, bit by bit."""

import pickle

import pytest

import taut
from taut import library
from taut.build.numbers import is_same, parts_of, with_numbers

PARTS = [  # machine, address, two values; only a part is built again
    ("mamidi-pick-and-place", "platform.mass", (2.0, 3.5)),
    ("mamidi-pick-and-place", "cables.C1.length", (0.9, 1.3)),
    ("mamidi-pick-and-place", "cables.C2.youngs_modulus", (1e9, 3e9)),
    ("mamidi-pick-and-place", "cables[3].radius", (0.002, 0.003)),
    ("mamidi-6-3-rest", "cables[0].mass_per_length", (5.0, 6.0)),
    ("mamidi-8-8-rest", "platform.mass", (5.0, 6.0)),
    ("stewart-free-fall", "platform.mass", (5.0, 6.0)),
    ("double-pendulum", "bodies.lower.mass", (2.0, 3.0)),
    ("bounce", "cables.cable.axial_stiffness", (500.0, 2000.0)),
    ("bounce", "cables.cable.length", (0.8, 1.2)),
    ("double-pendulum", "bodies.lower.com[2]", (-0.4, -0.3)),
    ("four-bar", "bodies.coupler.density", (2000.0, 3000.0)),
    ("cable-snatch", "bodies.load.mass", (20.0, 30.0)),
    ("cable-snatch", "cables.cable.length", (1.1, 1.2)),
]  # fmt: skip
WHOLE = [  # numbers for which the whole machine is built again
    ("mamidi-pick-and-place", "gravity", ([0.0, 0.0, -1.6], [0.0, 0.1, -9.0])),
    ("mamidi-pick-and-place", "platform.position[2]", (0.3, 0.31)),
    ("double-pendulum", "bodies.lower.joint.position", (0.1, 0.2)),
    ("crane-2d", "crane.links.load.mass", (2.0, 3.0)),
]


def anew(name, address, value):
    return taut.build(library.load(name, [f"{address}={value}"]))


@pytest.mark.parametrize(("name", "address", "values"), PARTS)
def test_a_part_alone_is_as_the_whole_built_anew(name, address, values):
    model = taut.build(library.load(name))
    for value in (*values, values[0]):
        assert is_same(with_numbers(model, {address: value}), anew(name, address, value))
    parts = parts_of(model, [address])
    assert parts is not None and parts.is_checked


@pytest.mark.parametrize(("name", "address", "values"), WHOLE)
def test_what_more_depends_on_is_built_anew(name, address, values):
    model = taut.build(library.load(name))
    for value in values:
        assert is_same(with_numbers(model, {address: value}), anew(name, address, value))


@pytest.mark.parametrize("name", library.names())
def test_masses_of_all_machines(name):
    model = taut.build(library.load(name))
    bodies = model.scenario.bodies | ({"platform": model.scenario.platform} if model.scenario.platform else {})
    masses = {("platform" if body == "platform" else f"bodies.{body}") + ".mass": 1.01 * record.mass
              for body, record in bodies.items() if record.mass}  # fmt: skip
    with_numbers(model, masses)
    scenario = library.load(name, [f"{address}={value!r}" for address, value in masses.items()])
    assert is_same(with_numbers(model, masses), taut.build(scenario))


def test_settings_of_the_run_change_the_plan_alone():
    model = taut.build(library.load("double-pendulum"))
    found = with_numbers(model, {"run.tolerance": 1e-5})
    assert found.plan.run.tolerance == 1e-5 and found.tables is model.tables


def test_what_was_found_is_not_pickled_with_the_model():
    model = taut.build(library.load("double-pendulum"))
    size = len(pickle.dumps(model))
    with_numbers(model, {"bodies.lower.mass": 2.0})
    again = pickle.loads(pickle.dumps(model))
    assert len(pickle.dumps(model)) < size + 200 and is_same(again, model)
    assert is_same(with_numbers(again, {"bodies.lower.mass": 2.0}), with_numbers(model, {"bodies.lower.mass": 2.0}))


def test_a_star_stands_for_all_entries():
    model = taut.build(library.load("mamidi-pick-and-place"))
    each = {f"cables.C{k}.radius": 0.002 for k in (1, 2, 3, 4)}
    assert is_same(with_numbers(model, {"cables.*.radius": 0.002}), with_numbers(model, each))


def test_another_structure_is_refused_or_built():
    model = taut.build(library.load("mamidi-pick-and-place"))
    with pytest.raises(taut.ScenarioError, match="changes the structure"):
        with_numbers(model, {"cables.C1.elements": 7})
    assert len(with_numbers(model, {"cables.C1.elements": 7}, structure="any").names.cables["C1"]) == 7


@pytest.mark.parametrize(
    ("address", "value", "said"),
    [
        ("platform.mas", 1.0, "did you mean 'mass'"),
        ("cables.C9.length", 1.0, "no such entry"),
        ("platform.mass", "heavy", "must be a number"),
        ("platform.mass", -1.0, "platform.mass"),
        ("run.tolerance.x", 1.0, "without parts"),
        ("cables.C1.length", 1e-9, "C1"),
    ],
)
def test_bad_changes_are_named(address, value, said):
    model = taut.build(library.load("mamidi-pick-and-place"))
    with pytest.raises(taut.ScenarioError, match=said):
        with_numbers(model, {address: value})
