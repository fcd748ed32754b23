"""Scenarios made in Python: the same records as in YAML, added one by one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from pydantic import BaseModel

from taut.scenario.io.reading import make_scenario
from taut.scenario.io.writing import to_plain

from .errors import Problem, ScenarioError
from .scenario import Scenario


class Machine:
    """Collects bodies, cables, drivers and the rest under the keys of the YAML format.

    Examples:
        >>> machine = Machine("swing")
        >>> _ = machine.body("bob", mass=1.0, com=[0, 0, -2], joint={"kind": "revolute", "axis": [0, 1, 0]})
        >>> machine.scenario().name
        'swing'
    """

    def __init__(self, name: str, *, folder: str | Path = ".", **settings: Any) -> None:
        """Begin a machine.

        Args:
            name: name of the scenario.
            folder: folder from which paths of tables count.
            settings: other keys at the top of a scenario, such as gravity, planar, description.
        """
        self._folder = folder
        self._data: dict[str, Any] = {"taut": 1, "name": name, **_plain(settings)}

    def platform(self, **keys: Any) -> Self:
        """Add the platform; keys as in `Body`."""
        return self._put(self._data, "platform", keys)

    def crane(self, **keys: Any) -> Self:
        """Add a crane; keys as in `Crane`."""
        return self._put(self._data, "crane", keys)

    def body(self, name: str, **keys: Any) -> Self:
        """Add a body; keys as in `Body`."""
        return self._put(self._group("bodies"), name, keys, "bodies.")

    def cable(self, name: str, **keys: Any) -> Self:
        """Add a cable; keys as in the record of its kind, `CableMrfe` if none is given."""
        return self._append("cables", {"name": name, **keys})

    def closure(self, name: str, **keys: Any) -> Self:
        """Add a loop closure; keys as in `Closure`."""
        return self._append("closures", {"name": name, **keys})

    def spring(self, name: str, **keys: Any) -> Self:
        """Add a spring and damper between points of two bodies; keys as in `Spring`."""
        return self._append("springs", {"name": name, **keys})

    def driver(self, name: str, *, kind: str = "trajectory", **keys: Any) -> Self:
        """Add a driver; keys as in `DriverTrajectory`."""
        return self._put(self._group("drivers"), name, {"kind": kind, **keys}, "drivers.")

    def signal(self, name: str, value: Any = None, **keys: Any) -> Self:
        """Add a named signal: a number, an expression, or the keys of a signal record."""
        return self._put(self._group("signals"), name, keys if value is None else value, "signals.")

    def force(self, body: str, **keys: Any) -> Self:
        """Add a force on a body; keys as in `Force`."""
        return self._append("forces", {"body": body, **keys})

    def ground(self, **keys: Any) -> Self:
        """Put a ground under a body; keys as in `Ground`."""
        self._group("ground").update(_plain(keys))
        return self

    def motion(self, body: str = "platform", **keys: Any) -> Self:
        """Set the motion that a body is to make, for inverse dynamics."""
        self._data["motion"] = _plain({"body": body, **keys})
        return self

    def event(self, name: str, **keys: Any) -> Self:
        """Watch for an event; keys as in `Event`."""
        return self._append("events", {"name": name, **keys})

    def measurement(self, name: str, **keys: Any) -> Self:
        """Add a measurement; keys as in `Measurement`."""
        return self._put(self._group("measurements"), name, keys, "measurements.")

    def controller(self, name: str, *, kind: str = "python", **keys: Any) -> Self:
        """Add a controller; keys as in `ControllerPython`, `ControllerPid` and so on."""
        return self._put(self._group("controllers"), name, {"kind": kind, **keys}, "controllers.")

    def failure(self, name: str, **keys: Any) -> Self:
        """Let something fail during the run; keys as in `Failure`."""
        return self._append("failures", {"name": name, **keys})

    def defaults(self, **sections: Any) -> Self:
        """Set defaults for every cable, body or joint, for example `defaults(cable={"elements": 5})`."""
        self._group("defaults").update(_plain(sections))
        return self

    def initial(self, **keys: Any) -> Self:
        """Say how the start state is found; keys as in `Initial`."""
        self._group("initial").update(_plain(keys))
        return self

    def run(self, **keys: Any) -> Self:
        """Set the run; keys as in `Run`."""
        self._group("run").update(_plain(keys))
        return self

    def scenario(self) -> Scenario:
        """Return the checked scenario, equal to the one read from the same YAML."""
        return make_scenario(self._data, folder=self._folder)

    def _group(self, key: str) -> dict[str, Any]:
        return self._data.setdefault(key, {})

    def _append(self, key: str, record: dict[str, Any]) -> Self:
        self._data.setdefault(key, []).append(_plain(record))
        return self

    def _put(self, group: dict[str, Any], name: str, value: Any, prefix: str = "") -> Self:
        if name in group:
            raise ScenarioError([Problem("given twice", f"{prefix}{name}", remedy="use another name")])
        group[name] = _plain(value)
        return self


def _plain(value: Any) -> Any:
    """Return records, numpy arrays and tuples as mappings, lists and numbers."""
    if isinstance(value, BaseModel):
        return to_plain(value)
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_plain(entry) for entry in value] if isinstance(value, list | tuple) else value
