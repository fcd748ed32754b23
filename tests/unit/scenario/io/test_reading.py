"""From text to scenario; errors that the build adds later still know file and line."""

import pickle

import pytest

from taut.scenario import Scenario, ScenarioError, json_schema, loads, make_scenario

TEXT = """\
taut: 1
name: two
defaults:
  cable: {elements: 2, radius: 1e-3, mass_per_length: 0.1, youngs_modulus: 1e9, length: 2}
platform: {mass: 1, box: [1, 1, 1]}
cables:
  - {name: A, exit: [0, 0, 2], anchor: [0, 0, 0]}
"""


def test_problem_knows_its_line():
    problem = loads(TEXT, "two.yaml").problem("cables[0].exit", "is odd", value=[0, 0, 2], remedy="move it")
    assert str(problem) == "two.yaml:7: cables[0].exit = [0, 0, 2]: is odd\n  move it"


def test_problem_in_a_default_points_there():
    assert str(loads(TEXT, "two.yaml").problem("cables[0].length", "is odd")).startswith(
        "two.yaml:4: defaults.cable.length:"
    )


def test_problem_of_something_not_written_points_at_its_record():
    assert str(loads(TEXT, "two.yaml").problem("cables[0].driver", "is odd")) == "two.yaml:7: cables[0].driver: is odd"


def test_error_can_be_pickled():
    error = loads(TEXT, "two.yaml").error("cables[0]", "is odd")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_scenario_can_be_pickled():
    scenario = loads(TEXT, "two.yaml")
    copy = pickle.loads(pickle.dumps(scenario))
    assert copy == scenario and copy.problem("cables[0]", "x").line == 7


def test_many_problems_are_cut_short():
    with pytest.raises(ScenarioError) as caught:
        make_scenario({"taut": 1, "name": "x", "bodies": {f"b{i}": {"mass": -1} for i in range(50)}})
    assert len(caught.value.problems) == 50 and "and 30 more problems" in str(caught.value)


def test_a_record_can_be_validated_directly():
    assert Scenario.model_validate({"taut": 1, "name": "x", "platform": {}, "defaults": {"body": {"mass": 1}}}).platform


def test_schema():
    schema = json_schema()
    assert schema["required"] == ["taut", "name"]
    assert {"defaults", "cables", "platform"} <= set(schema["properties"])
    assert schema["$defs"]["CableMrfe"]["properties"]["radius"]["unit"] == "m"
    descriptions = [part.get("description") for d in schema["$defs"].values() for k, part in d["properties"].items()
                    if k not in ("kind", "law")]  # fmt: skip
    assert all(descriptions)


def test_a_group_without_entries_may_be_null():
    from taut.scenario.io.reading import make_scenario

    data = {"taut": 1, "name": "bob", "bodies": {"bob": {"mass": 1, "joint": {"kind": "point"}}}}
    assert make_scenario({**data, "failures": None, "cables": None, "springs": None}) == make_scenario(data)
