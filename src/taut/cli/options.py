"""Arguments and options that several commands share."""

from typing import Annotated

import typer

File = Annotated[str, typer.Argument(metavar="FILE", help="YAML scenario, library scenario, or result.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key, e.g. run.duration=2.")]
