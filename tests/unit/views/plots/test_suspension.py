"""Sheets of platforms on ropes."""

import numpy as np

from taut.views.plots.frequency import frequency_sheet, plot_frequencies
from taut.views.plots.suspension import displacement_sheets, torque_sheets
from unit.results.synthetic import synthetic_arrays, synthetic_result

ARRAYS, COORDS = synthetic_arrays(samples=61)


def test_displacement_leaves_the_length_out():
    paid_out = 0.1 * COORDS["time"][:, None]
    position = ARRAYS["body_position"].copy()
    position[..., 2] = -paid_out
    result = synthetic_result(samples=61, cable_length=ARRAYS["cable_length"] + paid_out, body_position=position)
    moved, _ = displacement_sheets(result)[0].panels
    np.testing.assert_allclose(moved.curves[2].y, 0.0, atol=1e-12)


def test_torques_at_both_ends_of_what_twists():
    torque = np.full(ARRAYS["cable_nodes"].shape[:3], np.nan)
    torque[:, 1] = np.arange(torque.shape[2])
    at_exit, at_anchor = torque_sheets(synthetic_result(samples=61, cable_torque=torque))[0].panels
    assert [curve.label for curve in at_exit.curves] == [str(COORDS["cable"][1])]
    assert at_exit.curves[0].y[0] == 0.0 and at_anchor.curves[0].y[0] == torque.shape[2] - 1


def test_frequencies_have_a_panel_for_each_family(tmp_path):
    found = {"name": "rope", "times": [0.0, 1.0], "frequencies": [[1.0, 2.0], [0.9, 1.8]],
             "families": [["across", "along"], ["along", "across"]]}  # fmt: skip
    assert [len(panel.curves[0].x) for panel in frequency_sheet(found).panels] == [2, 2]
    assert plot_frequencies(found, tmp_path / "new")[0].exists()
