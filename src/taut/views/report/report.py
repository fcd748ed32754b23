"""A result as one HTML file that needs nothing else: no network, no server, no other file."""

from html import escape
from importlib.resources import files
from pathlib import Path

import xarray as xr

from taut.results.errors import ResultError
from taut.results.result import Result
from taut.results.store import write_whole
from taut.views.report.figures import report_figures
from taut.views.report.parts import (
    audit_html,
    events_html,
    figure_html,
    group_title,
    head_html,
    player_html,
    reproduce_html,
)
from taut.views.report.workspace_part import workspace_html
from taut.views.robots.shape import check_belongs
from taut.views.scene.machine import read_machine
from taut.views.scene.said import read_said

# the page may run its own script and show its own pictures, and reach nothing else
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def write_report(result: Result, output: str | Path, *, workspace: xr.Dataset | None = None) -> Path:
    """Write the report of a result, perhaps with the workspace of its robot; whole or not at all."""
    return write_whole(output, report_page(result, workspace=workspace).encode("utf-8"))


def report_page(result: Result, *, workspace: xr.Dataset | None = None) -> str:
    """The page: what was simulated, the machine in motion, key numbers, figures, audit, and how to do it again."""
    if not len(result.time):
        raise ResultError(result.path or "", "has no samples", "repeat the run")
    description = read_said(result).get("description", "")
    machine = read_machine(result)
    sections = [("motion-3d", "The machine", player_html(machine))]
    sections.append(("audit", "Audit", audit_html(result.audit)))
    if result.events:
        sections.append(("events", "Events", events_html(result.events)))
    for group, figures in report_figures(result):
        content = "".join(figure_html(figure) for figure in figures)
        sections.append((f"group-{group}", group_title(group), content))
    if workspace is not None:
        check_belongs(workspace, result)
        sections.append(("workspace", "Workspace", workspace_html(workspace, machine)))
    sections.append(("reproduce", "How to reproduce it", reproduce_html(result)))
    links = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title, _ in sections)
    body = "".join(f'<h2 id="{name}">{escape(title)}</h2>{content}' for name, title, content in sections)
    contents = f'<div class="contents-block"><ul class="contents">{links}</ul></div>'
    return page_of(result.title, head_html(result, str(description)) + contents + body)


def page_of(title: str, body: str) -> str:
    """A whole page with the style and the script of reports."""
    assets = files("taut.views.report") / "assets"
    style, script = ((assets / name).read_text(encoding="utf-8") for name in ("report.css", "player.js"))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title or "result")}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<style>{style}</style></head>\n<body>{body}\n<script>{script}</script></body></html>\n"
    )
