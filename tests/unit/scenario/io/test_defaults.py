"""Defaults: merged before validation, never over what is given, with their own line in errors."""

from taut.scenario.io.defaults import merge_defaults

CABLE = {"elements": 5, "youngs_modulus": 1e9, "damping": 1.0, "mass_per_length": 0.1}


def merged(section, default, record):
    key = {"cable": "cables", "body": "bodies"}[section]
    data = {key: [record] if section == "cable" else {"b": record}, "defaults": {section: default}}
    result = merge_defaults(data)[0]
    assert "defaults" not in result and "defaults" in data
    return result[key][0] if section == "cable" else result[key]["b"]


def test_given_keys_win():
    assert merged("cable", CABLE, {"elements": 9})["elements"] == 9


def test_another_way_wins():
    assert merged("cable", CABLE, {"axial_stiffness": 1}) == {
        "axial_stiffness": 1,
        "elements": 5,
        "mass_per_length": 0.1,
    }
    assert merged("body", {"density": 7850, "box": [1, 1, 1]}, {"mass": 1}) == {"mass": 1, "box": [1, 1, 1]}
    assert merged("body", {"sphere": {"radius": 1}}, {"mass": 1, "inertia": [1, 1, 1]}) == {
        "mass": 1,
        "inertia": [1, 1, 1],
    }


def test_joint_defaults_go_into_joints_that_are_given():
    data = {"bodies": {"a": {"joint": {}}, "b": {}}, "platform": {"joint": {"kind": "point"}}}
    result, origins = merge_defaults({**data, "defaults": {"joint": {"kind": "revolute"}}})
    assert result["bodies"] == {"a": {"joint": {"kind": "revolute"}}, "b": {}}
    assert result["platform"]["joint"]["kind"] == "point"
    assert origins == {("bodies", "a", "joint", "kind"): ("defaults", "joint", "kind")}


def test_body_default_reaches_the_platform():
    result, _ = merge_defaults({"platform": {"mass": 1}, "defaults": {"body": {"com": [0, 0, 1]}}})
    assert result["platform"]["com"] == [0, 0, 1]


def test_malformed_records_are_left_to_validation():
    data = {
        "cables": 3,
        "bodies": [1],
        "platform": "x",
        "defaults": {"cable": CABLE, "body": {"mass": 1}, "joint": {"a": 1}},
    }
    assert merge_defaults(data)[0] == {"cables": 3, "bodies": [1], "platform": "x"}
