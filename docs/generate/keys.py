"""The page docs/usage/keys.md, made from the JSON schema of scenarios.

Usage: python docs/generate/keys.py > docs/usage/keys.md
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from taut.scenario.io.schema import json_schema

INTRODUCTION = """# Keys of a scenario

Every key of the [scenario format](scenario.md), made from its JSON schema (`taut schema`) by
`python docs/generate/keys.py > docs/usage/keys.md`. SI units, radians, z up. A *name* has up to 64 letters, digits,
blanks, `-` and `_`. A *signal* is a number, an expression of `t`, the name of a signal, or one of the
[signal records](#constant-signal).
"""
# records of the schema in the order of the page, each with its heading
HEADINGS = {
    "Body": "Body",
    "Cylinder": "Cylinder",
    "Tube": "Tube",
    "Sphere": "Sphere",
    "Rod": "Rod",
    "Orientation": "Orientation",
    "Joint": "Joint",
    "LawLinear": "Linear joint law",
    "LawKelvinVoigt": "Kelvin-Voigt joint law",
    "LawBilinear": "Bilinear joint law",
    "LawPolynomial": "Polynomial joint law",
    "LawStandardLinearSolid": "Standard linear solid joint law",
    "LawBacklash": "Backlash joint law",
    "Friction": "Friction",
    "CableMrfe": "Cable mrfe",
    "CableRitz": "Cable ritz",
    "Excitation": "Excitation",
    "CableSpring": "Cable spring",
    "CableIdeal": "Cable ideal",
    "Crane": "Crane",
    "CraneCarrier": "Crane carrier",
    "CraneBacklash": "Crane backlash",
    "CraneLink": "Crane link",
    "CraneRope": "Crane rope",
    "CraneGripped": "Crane payload that is gripped",
    "CranePayload": "Crane payload",
    "ElementSprings": "Element springs",
    "Pulley": "Pulley",
    "Pinhole": "Pinhole",
    "Sheave": "Sheave",
    "Bearing": "Bearing",
    "Rope": "Rope",
    "CableLawLinear": "Linear cable law",
    "CableLawKelvinVoigt": "Kelvin-Voigt cable law",
    "CableLawBilinear": "Bilinear cable law",
    "CableLawPolynomial": "Polynomial cable law",
    "CableLawStandardLinearSolid": "Standard linear solid cable law",
    "Closure": "Closure",
    "Spring": "Spring",
    "DriverFixed": "Fixed driver",
    "DriverTrajectory": "Trajectory driver",
    "DriverWaypoints": "Driver waypoints",
    "DriverForce": "Force driver",
    "DriverQuadcopter": "Quadcopter driver",
    "DriverTrolley": "Trolley driver",
    "DriverGantry": "Gantry driver",
    "DriverMobile": "Mobile driver",
    "DriverDeck": "Deck driver",
    "DriverWinch": "Winch driver",
    "Drum": "Drum",
    "Gearbox": "Gearbox",
    "Motor": "Motor of a drum",
    "Layers": "Layers on a drum",
    "Robot": "Robot",
    "Servo": "Servo",
    "DrumMotor": "Motors of a robot",
    "TensionControl": "Tension control",
    "Force": "Force",
    "Ground": "Ground",
    "Event": "Event",
    "Motion": "Motion",
    "Failure": "Failure",
    "SignalConstant": "Constant signal",
    "SignalPolynomial": "Polynomial signal",
    "SignalWaypoints": "Waypoints signal",
    "SignalSine": "Sine signal",
    "SignalExpression": "Expression signal",
    "SignalTable": "Table signal",
    "SignalSum": "Sum signal",
    "SignalShaped": "Shaped signal",
    "SignalRopeLength": "Length of a rope along a path",
    "SignalCommand": "Command signal",
    "Measurement": "Measurement",
    "ControllerPython": "Python controller",
    "ControllerPid": "PID controller",
    "ControllerDrum": "Controller drum",
    "ControllerCableTension": "Cable-tension controller",
    "ControllerFeedforward": "Feedforward controller",
    "ControllerComputedTorque": "Computed-torque controller",
    "ComputedJoint": "Computed joint",
    "ControllerLqr": "LQR controller",
    "LqrJoint": "LQR joint",
    "ControllerEnergy": "Energy controller",
    "ControllerQuadcopter": "Quadcopter controller",
    "ControllerCableLength": "Cable-length controller",
    "TensionFeedforward": "Tensions ahead",
    "Carrier": "Carrier of guides",
    "DrumLoop": "Servo of led drums",
    "Initial": "Initial",
    "Run": "Run",
    "GeneralizedAlpha": "Generalized-alpha",
    "Explicit": "Explicit",
    "NonsmoothAlpha": "Nonsmooth-alpha",
    "MoreauJean": "Moreau-Jean",
}
TABLE_HEAD = "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n"
NO_DEFAULT: Any = ...
NAME_LENGTH = 64  # longer texts are for people
LIMITS = {"exclusiveMinimum": ">", "minimum": ">=", "exclusiveMaximum": "<", "maximum": "<="}


def page() -> str:
    """The whole page as Markdown."""
    schema = json_schema()
    records = schema["$defs"]
    parts = [INTRODUCTION, section("Top of the file", schema)]
    for name in records:
        if name.startswith("Signal"):
            # in a file a signal must say its kind
            del records[name]["properties"]["kind"]["default"]
    return "\n".join([*parts, *(section(heading, records[name]) for name, heading in headings(records).items())])


def headings(records: Iterable[str]) -> dict[str, str]:
    """The heading of every record in order; one that is not listed comes behind its family, with its own words."""
    found = dict(HEADINGS)
    for name in sorted(set(records) - set(HEADINGS)):
        words = re.findall("[A-Z][a-z0-9]*", name)
        family = [known for known in found if known.startswith(words[0])]
        at = list(found).index(family[-1]) + 1 if family else len(found)
        heading = " ".join([*words[1:], words[0]] if family and len(words) > 1 else words).capitalize()
        found = dict([*list(found.items())[:at], (name, heading), *list(found.items())[at:]])
    return found


def section(heading: str, record: dict[str, Any]) -> str:
    """Section of one record on the page."""
    head = f"## {heading}\n\n{record['description']}\n\n{TABLE_HEAD}"
    return head + "".join(key_line(key, entry) for key, entry in record["properties"].items())


def key_line(key: str, entry: dict[str, Any]) -> str:
    """One key as a row of a Markdown table."""
    unit = entry.get("unit", "")
    meaning = entry.get("description", "").removesuffix(f" [{unit}]")
    cells = [f"`{key}`", form(entry), unit, default(entry), meaning or "which record this is"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def default(entry: dict[str, Any]) -> str:
    """What holds when the key is left out."""
    value = entry.get("default", {} if "properties" in entry else NO_DEFAULT)
    if value is NO_DEFAULT:
        return "required"
    if value in (None, "", [], {}):
        return ""
    if isinstance(value, dict):
        return f"`{{law: {value['law']}}}`" if "law" in value else "see there"
    return f"`{plain(value)}`"


def plain(value: Any) -> str:
    """A default as the user would write it."""
    if isinstance(value, list):
        return "[" + ", ".join(map(plain, value)) + "]"
    return f"{value:g}" if isinstance(value, float) else value if isinstance(value, str) else json.dumps(value)


def form(entry: dict[str, Any]) -> str:
    """What may be written for a value, in words."""
    if "$ref" in entry:
        return link(entry["$ref"].rpartition("/")[2])
    if "const" in entry:
        return f"`{entry['const']}`"
    if "enum" in entry:
        return ", ".join(f"`{choice}`" for choice in entry["enum"])
    options = entry.get("anyOf") or entry.get("oneOf")
    if options:
        return either(options)
    return {"array": listing, "object": mapping, "string": text}.get(entry["type"], scalar)(entry)


def either(options: list[dict[str, Any]]) -> str:
    """Several forms; a family of records is named once, and null is left out."""
    if any("$ref" in option and option["$ref"].endswith("SignalSum") for option in options):
        return "signal"
    forms = [form(option) for option in options if option.get("type") != "null"]
    return " or ".join(dict.fromkeys(forms))


def link(name: str) -> str:
    """A record by its heading; a law by its family."""
    for start, family in (("Law", "Linear joint law"), ("CableLaw", "Linear cable law")):
        if name.startswith(start):
            return f"[{family.removeprefix('Linear ')}](#{anchor(family)})"
    if name not in HEADINGS:
        raise ValueError(
            f"the record {name} has no heading on the page: give it one in HEADINGS of docs/generate/keys.py"
        )
    return f"[{HEADINGS[name].lower()}](#{anchor(HEADINGS[name])})"


def anchor(heading: str) -> str:
    """The address of a heading inside the page."""
    return heading.lower().replace(" ", "-")


def listing(entry: dict[str, Any]) -> str:
    """What may be written for a list of fixed or free length."""
    if "prefixItems" in entry:
        return f"{len(entry['prefixItems'])} × {form(entry['prefixItems'][0])}"
    return f"list of {form(entry['items'])}"


def mapping(entry: dict[str, Any]) -> str:
    """Named records, or the sections of `defaults`."""
    if "patternProperties" in entry:
        return f"name: {form(next(iter(entry['patternProperties'].values())))}"
    if "properties" not in entry:
        return "mapping"
    return ", ".join(f"`{key}`: {form(value)}" for key, value in entry["properties"].items())


def text(entry: dict[str, Any]) -> str:
    """What may be written for a text or a name."""
    return "name" if "pattern" in entry and entry.get("maxLength", NAME_LENGTH + 1) <= NAME_LENGTH else "text"


def scalar(entry: dict[str, Any]) -> str:
    """A number with its limits, or a truth value."""
    words = {"number": "number", "integer": "whole number", "boolean": "`true`, `false`"}
    limits = [f"{sign} {entry[key]:g}" for key, sign in LIMITS.items() if key in entry]
    return " ".join([words[entry["type"]], " and ".join(limits)]).strip()


if __name__ == "__main__":
    print(page(), end="")
