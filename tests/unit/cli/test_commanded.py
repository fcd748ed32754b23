"""The summary of a run tells which commands were at their limits."""

from types import SimpleNamespace

import numpy as np
import xarray as xr

from taut.cli.answers import outcome_lines
from taut.cli.commanded import saturated


class Run(dict):
    """What the summary reads of a result: control samples every 0.1 s until 1 s."""

    time = np.array([0.0, 1.0])
    title, status, status_text = "crane", "completed", ""


def run_with(values):
    times = 0.1 * np.arange(len(values))
    command = xr.DataArray(np.array(values)[:, None], {"command": ["push"]}, ("sample", "command"))
    return Run(command_value=command, control_time=xr.DataArray(times, dims="sample"))


def test_time_at_the_limits_is_counted():
    limits = {"push": SimpleNamespace(limits=(-300.0, 300.0))}
    found = saturated(run_with([0.0, 300.0, 300.0, 10.0, -300.0, *[0.0] * 5]), limits)
    assert [entry["command"] for entry in found] == ["push"] and found[0]["first"] == 0.1
    assert np.isclose(found[0]["seconds"], 0.3)
    # the last command holds until the end
    assert np.isclose(saturated(run_with([0.0] * 9 + [300.0]), limits)[0]["seconds"], 0.1)


def test_commands_within_or_without_limits_are_not_told():
    assert saturated(run_with([299.0] * 10), {"push": SimpleNamespace(limits=(-300.0, 300.0))}) == []
    assert saturated(run_with([1e9] * 10), {"push": SimpleNamespace(limits=None)}) == []
    assert saturated(Run(), {}) == []


def test_the_line_of_the_summary():
    answer = {"name": "crane", "status": "completed", "status_text": "", "end": 1.0, "samples": 2, "events": [],
              "saturated": [{"command": "push", "seconds": 4.2, "first": 1.0}], "audit": {}, "written": False,
              "output": "crane.nc", "resumed": False, "seconds": 1.0}  # fmt: skip
    assert "  command push: at its limit for 4.2 s, first at t = 1 s" in list(outcome_lines(None, answer))
