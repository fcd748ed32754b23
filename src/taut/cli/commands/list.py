"""`taut list`: the library's scenarios."""

import json

import typer

from taut.cli.options import Json


def list_scenarios(as_json: Json = False) -> None:
    """List the scenarios of the library."""
    from taut import library

    titles = {name: library.title(name) for name in library.names()}
    if as_json:
        typer.echo(json.dumps({"scenarios": titles}, indent=2))
        return
    width = max(map(len, titles))
    for name, title in titles.items():
        typer.echo(f"{name:{width}}  {title}")
