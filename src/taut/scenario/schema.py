"""The JSON schema of scenarios, for editors that complete and check YAML."""

from typing import Any

from .scenario import Scenario

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILLED = {"cable": "CableMrfe", "body": "Body", "joint": "Joint"}


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a scenario file, `defaults` included."""
    schema = Scenario.model_json_schema(mode="validation")
    parts = schema["$defs"]
    # defaults may fill any key, so none of the records they go into can insist on one
    for name in FILLED.values():
        parts[name].pop("required", None)
    sections = {section: {"$ref": f"#/$defs/{name}"} for section, name in FILLED.items()}
    schema["properties"]["defaults"] = {
        "type": "object",
        "description": "keys merged into every cable, body or joint that does not give them",
        "properties": sections,
        "additionalProperties": False,
    }
    return {"$schema": DIALECT, **schema, "title": "taut scenario"}
