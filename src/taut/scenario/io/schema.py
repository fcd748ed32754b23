"""The JSON schema of scenarios, for editors that complete and check YAML."""

from typing import Any

from taut.scenario.scenario import Scenario

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILLED = {"body": ("Body",), "joint": ("Joint",)}


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a scenario file, `defaults` included."""
    schema = Scenario.model_json_schema(mode="validation")
    parts = schema["$defs"]
    # `defaults` may fill any key, so no record that they fill may require one
    cables = tuple(name for name in parts if name.startswith("Cable") and not name.startswith("CableLaw"))
    filled = {"cable": cables, **FILLED}
    for name in (name for names in filled.values() for name in names):
        parts[name].pop("required", None)
    sections = {section: _one_of(names) for section, names in filled.items()}
    schema["properties"]["defaults"] = {
        "type": "object",
        "description": "keys merged into every cable, body or joint that does not give them",
        "properties": sections,
        "additionalProperties": False,
    }
    return {"$schema": DIALECT, **schema, "title": "taut scenario"}


def _one_of(names: tuple[str, ...]) -> dict[str, Any]:
    """Return the schema of a record that is one of several."""
    options = [{"$ref": f"#/$defs/{name}"} for name in names]
    return options[0] if len(options) == 1 else {"anyOf": options}
