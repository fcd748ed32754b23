"""`taut schema`: the JSON schema of scenarios."""

import json

import typer


def schema() -> None:
    """Print the JSON schema of scenario files, for editors that check and complete YAML.

    Example: taut schema > taut.schema.json
    """
    from taut.scenario import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))
