import numpy as np
import pytest

from taut.results.channels import assemble
from taut.results.result import Result
from taut.views.plots import ALL_GROUPS
from unit.results.synthetic import synthetic_arrays, synthetic_result

ARRAYS, COORDS = synthetic_arrays(samples=61)
RESULT = synthetic_result(samples=61)
BARE = Result(assemble({"body_position": ARRAYS["body_position"]}, COORDS, {}))


def sheet_of(group, result=RESULT):
    return ALL_GROUPS[group](result)[0]


@pytest.mark.parametrize("group", [name for name in ALL_GROUPS if name != "length"])
def test_every_panel_has_a_unit_and_curves(group):
    for sheet in ALL_GROUPS[group](RESULT):
        assert all(panel.curves and ("[" in panel.label or panel.is_integer) for panel in sheet.panels)


@pytest.mark.parametrize("group", [name for name in ALL_GROUPS if name != "motion"])
def test_nothing_is_drawn_without_its_channels(group):
    assert ALL_GROUPS[group](BARE) == []


def test_motion_starts_at_zero():
    displacement, angles = sheet_of("motion").panels
    assert [curve.y[0] for curve in displacement.curves] == [0.0, 0.0, 0.0]
    np.testing.assert_array_equal(angles.curves[2].y, RESULT.euler()[:, 2])


def test_deviation_is_motion_less_that_of_the_exits():
    _, deviation = sheet_of("deviation").panels
    assert 0.03 < np.max(np.abs(deviation.curves[0].y)) < 0.05


def test_fixed_exits_have_no_deviation():
    still = synthetic_result(samples=61, cable_nodes=np.repeat(ARRAYS["cable_nodes"][:1], 61, axis=0))
    assert ALL_GROUPS["deviation"](still) == []


def test_lengths_are_drawn_when_they_change():
    fed = synthetic_result(samples=61, cable_length=ARRAYS["cable_length"] + 0.1 * COORDS["time"][:, None])
    assert ALL_GROUPS["length"](RESULT) == [] and len(sheet_of("length", fed).panels[0].curves) == 4


def test_forces_have_a_sheet_per_end_and_a_panel_per_component():
    sheets = ALL_GROUPS["force"](RESULT)
    assert [(sheet.name, len(sheet.panels)) for sheet in sheets] == [("anchor-force", 3), ("exit-force", 3)]


def test_constraint_errors_show_the_limit_of_the_audit():
    assert [panel.limit for panel in sheet_of("constraint").panels] == [1e-9, 1e-8]


def test_many_closures_are_drawn_as_one_curve():
    wide = {"closure_error": np.zeros((61, 9)), "constraint_error": np.zeros(61)}
    result = Result(assemble(wide, {"time": COORDS["time"], "closure": list("abcdefghi")}, {}))
    assert [curve.label for curve in sheet_of("constraint", result).panels[0].curves] == ["largest"]


def test_bodies_without_a_platform_have_a_sheet_each():
    position = np.repeat(ARRAYS["body_position"], 2, axis=1)
    result = Result(assemble({"body_position": position}, {"time": COORDS["time"], "body": ["crank", "rod"]}, {}))
    assert [sheet.name for sheet in ALL_GROUPS["motion"](result)] == ["motion-crank", "motion-rod"]


def test_elements_have_a_panel_per_cable_and_a_curve_per_element():
    (sheet,) = ALL_GROUPS["element"](RESULT)
    assert [len(panel.curves) for panel in sheet.panels] == [5, 5, 5, 5]
    np.testing.assert_array_equal(sheet.panels[1].curves[2].y, RESULT["cable_tension"][:, 1, 2])


def test_slack_elements_are_counted():
    (curve, *_) = sheet_of("slack").panels[0].curves
    np.testing.assert_array_equal(curve.y, RESULT["cable_slack"][:, 0].sum("element"))
    never = synthetic_result(samples=61, cable_slack=np.zeros_like(ARRAYS["cable_slack"]),
                             cable_tension=np.ones_like(ARRAYS["cable_tension"]))  # fmt: skip
    assert ALL_GROUPS["slack"](never) == []


def test_joints_of_bodies_are_drawn_and_those_of_cables_are_not():
    names = ["platform.x", "platform.y", "C1.1.bend", "C1.1.stretch"]
    arrays = {"joint_velocity": np.arange(61 * 4.0).reshape(61, 4), "cable_length": ARRAYS["cable_length"]}
    result = Result(assemble(arrays, {**COORDS, "column": names}, {}))
    (sheet,) = ALL_GROUPS["joint"](result)
    assert [curve.label for curve in sheet.panels[0].curves] == ["platform.x", "platform.y"]


def test_many_joints_are_spread_over_panels_and_sheets():
    names = [f"leg{k}.q" for k in range(40)]
    result = Result(assemble({"multiplier": np.zeros((61, 40))}, {"time": COORDS["time"], "row": names}, {}))
    sheets = ALL_GROUPS["multiplier"](result)
    assert [sheet.name for sheet in sheets] == ["multiplier", "multiplier-2"]
    assert sum(len(panel.curves) for sheet in sheets for panel in sheet.panels) == 40


def test_bodies_beside_the_platform_have_their_sheets():
    position = np.repeat(ARRAYS["body_position"], 2, axis=1)
    coords = {"time": COORDS["time"], "body": ["platform", "hook"]}
    assert [s.name for s in ALL_GROUPS["bodies"](Result(assemble({"body_position": position}, coords, {})))] == [
        "motion-hook"
    ]


def test_drives_and_controllers_have_their_sheets():
    time = np.linspace(0.0, 1.0, 5)
    arrays = {name: np.outer(time, [1.0, 2.0]) for name in ("drive_position", "drive_velocity", "drive_force")}
    arrays |= {"control_time": time[:3], "measurement_value": np.ones((3, 1)), "command_value": np.zeros((3, 2))}
    coords = {"time": time, "drive": ["lift", "turn"], "measurement": ["place"], "command": ["u1", "u2"]}
    result = Result(assemble(arrays, coords, {}))
    assert [len(panel.curves) for panel in sheet_of("drive", result).panels] == [2, 2, 2]
    told, commanded = ALL_GROUPS["control"](result)
    assert (told.name, commanded.name) == ("measurement", "command")
    assert [curve.label for curve in commanded.panels[0].curves] == ["u1", "u2"]
    np.testing.assert_allclose(commanded.panels[0].curves[0].x, time[:3])
