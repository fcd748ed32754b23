import numpy as np

from taut import library
from taut.results.channels import assemble
from taut.results.result import Result
from taut.scenario.structure import structure_text
from taut.views.plots.drive import control_sheets


def crane(structure):
    arrays = {"control_time": np.array([0.0, 1.0]), "measurement_value": np.zeros((2, 2)),
              "command_value": np.ones((2, 1))}  # fmt: skip
    coords = {"time": np.array([0.0, 1.0]), "measurement": ["x", "v"], "command": ["push"]}
    return Result(assemble(arrays, coords, {"structure": structure}))


def test_axes_have_the_units_of_what_is_measured_and_commanded():
    sheets = control_sheets(crane(structure_text(library.load("crane-2d"))))
    assert [[panel.label for panel in sheet.panels] for sheet in sheets] == [
        ["measured [m]", "measured [m/s]"],
        ["commanded [N]"],
    ]


def test_results_that_say_no_units():
    assert [panel.label for sheet in control_sheets(crane("")) for panel in sheet.panels] == ["measured", "commanded"]
