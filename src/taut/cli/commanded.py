"""Commands that were at their limits, for the summary of a run: the actuator gave what it could, not what was asked."""

from typing import Any

import numpy as np


def saturated(result: Any, commands: dict[str, Any]) -> list[dict[str, Any]]:
    """How long each command with limits was at one of them [s], of those that were; in the order of the scenario."""
    if "command_value" not in result or not len(result["control_time"]):
        return []
    times = np.append(result["control_time"].values, max(result.time[-1], result["control_time"].values[-1]))
    values = result["command_value"].transpose("sample", "command")
    found = []
    for k, name in enumerate(map(str, values["command"].values)):
        limits = getattr(commands.get(name), "limits", None)
        if limits is None:
            continue
        held = (values.values[:, k] <= limits[0]) | (values.values[:, k] >= limits[1])
        seconds = float(np.sum(np.diff(times)[held]))
        if seconds > 0.0:
            found.append({"command": name, "seconds": seconds, "first": float(times[:-1][held][0])})
    return found
