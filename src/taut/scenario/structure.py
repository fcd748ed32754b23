"""What a machine is made of, for those who only draw it: every body with its shape and joint, and the closures.

Cranes and drivers are a few words in a scenario; here they are the bodies that these words stand for.
"""

import json
from typing import Any

from taut.scenario.control.units import command_units, measurement_units
from taut.scenario.io.writing import to_plain

from .scenario import Scenario

BODY_KEYS = ("com", "box", "cylinder", "tube", "sphere", "rod", "massless")
JOINT_KEYS = ("kind", "parent", "origin", "axis")
CLOSURE_KEYS = ("bodies", "points")


def structure(scenario: Scenario) -> dict[str, Any]:
    """Return bodies by name, closures, and units of control, as plain data in the words of a scenario."""
    bodies = {
        name: _said(body, BODY_KEYS) | {"joint": _said(body.joint, JOINT_KEYS)}
        for name, body in scenario.all_bodies().items()
    }
    closures = [_said(closure, CLOSURE_KEYS) for closure in scenario.all_closures()]
    units = {"measurement": measurement_units(scenario), "command": command_units(scenario)}
    return {"bodies": bodies, "closures": closures, "units": units}


def structure_text(scenario: Scenario) -> str:
    """Return the structure of a scenario's machine as JSON."""
    return json.dumps(structure(scenario), separators=(",", ":"))


def _said(record: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    """Values of some keys of a record that differ from their defaults."""
    fields = type(record).model_fields
    values = {key: getattr(record, key) for key in keys}
    return {key: to_plain(value) for key, value in values.items() if key == "kind" or value != fields[key].default}
