"""The report of a workspace alone, without a run."""

from html import escape
from pathlib import Path

import xarray as xr

from taut.results.store import write_whole
from taut.views.report.report import page_of
from taut.views.report.workspace_part import workspace_html
from taut.views.scene.said import read_said


def write_workspace_report(data: xr.Dataset, output: str | Path) -> Path:
    """Write the report of a workspace; whole or not at all."""
    return write_whole(output, workspace_page(data).encode("utf-8"))


def workspace_page(data: xr.Dataset) -> str:
    """The page: the robot, the workspace, and the scenario it was computed from."""
    from taut.results.result import Result

    result = Result(data)
    robot, kind = str(data.attrs.get("robot", "")), str(data.attrs["kind"])
    about = str(read_said(result).get("description", ""))
    head = f'<h1>{escape(robot)}</h1><div class="soft"><p>{escape(kind)} workspace</p><p>{escape(about)}</p></div>'
    made = f"<p>taut {escape(str(data.attrs.get('taut_version', '')))}</p>"
    scenario = f"<h2>Scenario</h2>{made}<pre>{escape(result.scenario_text)}</pre>"
    return page_of(f"{robot}: workspace", f'{head}<h2 id="workspace">Workspace</h2>{workspace_html(data)}{scenario}')
