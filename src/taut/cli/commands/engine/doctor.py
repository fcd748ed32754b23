"""`taut doctor`: whether everything is in place, and what to do where it is not."""

import json

import typer

from taut.cli.failures import FAILED
from taut.cli.options import Json


def doctor(as_json: Json = False) -> None:
    """Look at versions, computer, compiled code, browser and extras; a verdict and a remedy per line.

    `note` limits nothing that runs need, `warn` costs time or comfort, with `FAIL` runs do not work: exit code 1.

    Example: taut doctor --json
    """
    from taut.cli.doctor import examine

    findings = []
    for finding in examine():
        findings.append(finding)
        if not as_json:
            typer.echo("\n".join(finding.lines()))
    is_well = all(finding.verdict != "FAIL" for finding in findings)
    if as_json:
        typer.echo(json.dumps({"ok": is_well, "findings": [finding.as_dict() for finding in findings]}, indent=2))
    else:
        typer.echo("everything that a run needs is there" if is_well else "runs will not work: see FAIL above")
    if not is_well:
        raise typer.Exit(FAILED)
