import numpy as np

from taut.results.audit_cables import slack_line, tension_line
from taut.results.channels import assemble, pad_cables

TIME = np.arange(6.0)


def dataset(**arrays):
    return assemble(arrays, {"time": TIME, "cable": ["A", "B"]}, {})


def test_tension_range_has_times_and_elements():
    tension = pad_cables([np.full((6, 2), 5.0), np.full((6, 3), 7.0)])
    tension[2, 0, 1], tension[4, 1, 2] = -1.0, 9.0
    a, b = tension_line(dataset(cable_tension=tension))["cables"]
    assert (a["min"], a["min_time"], a["min_element"]) == (-1.0, 2.0, 2)
    assert (b["max"], b["max_time"], b["max_element"]) == (9.0, 4.0, 3)


def test_tension_that_is_not_finite_is_passed_over():
    tension = np.full((6, 2, 1), np.nan)
    tension[:, 0], tension[3, 0] = 1.0, np.inf
    a, b = tension_line(dataset(cable_tension=tension))["cables"]
    assert (a["min"], a["max"]) == (1.0, 1.0) and b == {"cable": "B"}


def test_slack_intervals_have_cable_elements_and_times():
    slack = np.zeros((6, 2, 4), bool)
    slack[0, 0, :], slack[2:4, 1, 1], slack[3, 1, 2], slack[5, 1, 3] = True, True, True, True
    line = slack_line(dataset(cable_slack=slack))
    assert line["count"] == 4
    assert line["intervals"] == [
        {"cable": "A", "elements": [1, 4], "from": 0.0, "to": 0.0},
        {"cable": "B", "elements": [2, 2], "from": 2.0, "to": 3.0},
        {"cable": "B", "elements": [3, 3], "from": 3.0, "to": 3.0},
        {"cable": "B", "elements": [4, 4], "from": 5.0, "to": 5.0},
    ]


def test_an_element_that_carries_load_in_between_has_two_intervals():
    slack = np.zeros((6, 2, 4), bool)
    slack[[1, 2, 4], 0, 0], slack[1:5, 0, 1] = True, True
    found = [
        (entry["elements"], entry["from"], entry["to"]) for entry in slack_line(dataset(cable_slack=slack))["intervals"]
    ]
    assert found == [([1, 1], 1.0, 2.0), ([2, 2], 1.0, 4.0), ([1, 1], 4.0, 4.0)]


def test_taut_cables_have_no_interval():
    assert slack_line(dataset(cable_slack=np.zeros((6, 2, 4), bool)))["intervals"] == []


def test_rounding_is_neither_tension_nor_slack_by_its_sign():
    tension = pad_cables([np.full((6, 2), 5.0), np.full((6, 3), 7.0)])
    tension[0, 0], tension[0, 1, :3] = [1.2e-17, -1.2e-17, np.nan], [-1e-16, 1e-16, 3.0]
    found = dataset(cable_tension=tension, cable_slack=tension <= 0.0)
    a, b = tension_line(found)["cables"]
    assert (a["min"], b["min"]) == (0.0, 0.0)
    assert found["cable_slack"][0].values.tolist() == [[True, True, False], [True, True, False]]
    assert not found["cable_slack"][1:].values.any()


def test_largest_tension_at_the_ends():
    ends = np.arange(12.0).reshape(6, 2)
    line = tension_line(dataset(cable_tension=np.ones((6, 2, 1)), cable_tension_exit=ends, cable_tension_anchor=-ends))
    assert [(cable["exit_max"], cable["anchor_max"]) for cable in line["cables"]] == [(10.0, 0.0), (11.0, -1.0)]
