"""What the scenario inside a result says about shapes, as plain data; a key that is not understood is passed over."""

import json
from typing import Any

import numpy as np

from taut.results.result import Result

SHAPES = ("box", "cylinder", "tube", "sphere", "rod")
Points = dict[str, list[np.ndarray]]


def read_said(result: Result) -> dict[str, Any]:
    """The scenario as a mapping, with the bodies that cranes and drivers stand for; empty if it cannot be read."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        said = YAML(typ="safe", pure=True).load(result.scenario_text)
    except YAMLError:
        return {}
    said = said if isinstance(said, dict) else {}
    made = _made_of(result)
    return {**said, **made, "platform": None} if made else said


def _made_of(result: Result) -> dict[str, Any]:
    """Bodies and closures that the result lists; results of other programs may have none."""
    text = result.dataset.attrs.get("structure", "")
    try:
        made = json.loads(text) if text else {}
    except ValueError:
        return {}
    return made if isinstance(made, dict) and isinstance(made.get("bodies"), dict) else {}


def said_bodies(said: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The bodies by name, the platform among them."""
    bodies = dict(part(said, "bodies"))
    if isinstance(said.get("platform"), dict):
        bodies = {"platform": said["platform"], **bodies}
    return {str(name): body for name, body in bodies.items() if isinstance(body, dict)}


def said_cables(said: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The cables by name."""
    cables = said.get("cables")
    found = [cable for cable in cables if isinstance(cable, dict)] if isinstance(cables, list) else []
    return {str(cable.get("name")): cable for cable in found}


def joint_of(body: dict[str, Any]) -> dict[str, Any]:
    """The joint that a body hangs on."""
    return {"kind": "free", "parent": "world", **part(body, "joint")}


def has_shape(body: dict[str, Any]) -> bool:
    """Whether the scenario gives a body a shape."""
    return any(body.get(shape) for shape in SHAPES)


def attachments(said: dict[str, Any]) -> Points:
    """Points of every body, in its frame [m], where cables, joints and closures take hold."""
    points: Points = {}

    def note(body: Any, point: Any) -> None:
        if is_vector(point):
            points.setdefault(str(body), []).append(np.asarray(point, float))

    for cable in said_cables(said).values():
        note(cable.get("body", "platform"), cable.get("anchor"))
        if cable.get("exit_body"):
            note(cable["exit_body"], cable.get("exit"))
    for body, point in _guides(said):
        note(body, point)
    for name, body in said_bodies(said).items():
        joint = joint_of(body)
        if joint["kind"] != "free":
            note(name, (0.0, 0.0, 0.0))
            note(joint["parent"], joint.get("origin", (0.0, 0.0, 0.0)))
    for body, point in _joined(said):
        note(body, point)
    return points


def _guides(said: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Bodies and points of what ropes run over."""
    guides = [guide for cable in said_cables(said).values() for guide in entries(cable, "via")]
    return [(guide.get("body", "world"), guide.get("point", (0.0, 0.0, 0.0))) for guide in guides]


def _joined(said: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Bodies and points of closures."""
    known = [closure for closure in entries(said, "closures") if isinstance(closure.get("points"), list)]
    return [end for closure in known for end in zip(closure.get("bodies", ()), closure["points"], strict=False)]


def part(mapping: dict[str, Any], key: str) -> dict[str, Any]:
    """The mapping under a key; empty if there is none."""
    found = mapping.get(key)
    return found if isinstance(found, dict) else {}


def entries(mapping: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The mappings in the list under a key."""
    found = mapping.get(key)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def is_vector(value: Any) -> bool:
    """Whether a value is a list of three numbers."""
    return isinstance(value, list | tuple) and len(value) == 3 and all(isinstance(x, int | float) for x in value)
