"""A workspace as a dataset: the grid, its boundary, the question, and the robot at its start to draw around it."""

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from taut.results.record import FORMAT_VERSION, WORKSPACE_FORMAT
from taut.robots.datasets import Variable, dataset
from taut.robots.workspaces.fields import UNITS
from taut.robots.workspaces.still import plain_scenario, still_channels

if TYPE_CHECKING:
    from taut.robots.workspaces.workspace import Workspace

LAID = ("spring", "ideal")  # kinds of cables whose drawn nodes start at the inlet of their pulley


def workspace_dataset(found: "Workspace") -> xr.Dataset:
    """Dataset of a workspace, complete for views and files."""
    from taut.robots.workspaces.workspace import fine_axis

    dims, unit = tuple(found.axes), UNITS[found.kind]
    finite = np.where(np.isfinite(found.values), found.values, np.nan)
    variables: dict[str, Variable] = {
        "margin": (dims, finite, unit, f"{found.kind}, smallest over the orientations"),
        "inside": (dims, found.inside, "1", "belongs to it at all orientations"),
        "reachable": (dims, found.reachable, "1", "belongs to it at one orientation at least"),
        "orientation": (("turn", "angle"), found.orientations, "rad", "orientations"),
        "inside_count": (("turn",), found.counts, "1", "points inside at an orientation"),
        "exit_point": (("cable", "xyz"), found.robot.exits, "m", "exits of the cables"),
        **_surfaces(found, unit),
        **{
            f"slice_{plane}": (
                tuple(f"fine_{name}" for name in plane),
                np.where(np.isfinite(values), values, np.nan),
                unit,
                f"{found.kind} in a plane",
            )
            for plane, values in found.slices.items()
        },  # fmt: skip
        **still_channels(found.robot, _from_wheel(found.scenario)),
    }
    names: dict[str, Any] = {
        "cable": found.robot.cables,
        "body": [found.body],
        "time": [0.0],
        "xyz": "xyz",
        "wxyz": "wxyz",
    }
    names |= {f"fine_{name}": fine_axis(found.axes, name) for name in found.axes}
    return dataset(f"workspace: {found.name}", {**found.axes, **names}, variables, **_attributes(found))


def _surfaces(found: "Workspace", unit: str) -> dict[str, Variable]:
    """The boundary, and the surfaces of equal margin inside as one mesh."""
    if found.surface is None:
        return {}
    hull, counts = found.surface, np.cumsum([0, *(len(shell.vertices) for shell in found.shells)])
    vertices = np.concatenate([np.zeros((0, 3)), *(shell.vertices for shell in found.shells)])
    triangles = [shell.triangles + first for shell, first in zip(found.shells, counts, strict=False)]
    values = np.concatenate([np.zeros(0), *(shell.values for shell in found.shells)])
    return {
        "surface_vertex": (("vertex", "xyz"), hull.vertices, "m", "corners of its boundary"),
        "surface_triangle": (("triangle", "corner"), hull.triangles, "1", "triangles of them"),
        "surface_margin": (("vertex",), hull.values, unit, "margin at these corners"),
        "shell_vertex": (("shell_vertices", "xyz"), vertices, "m", "corners of surfaces of equal margin"),
        "shell_triangle": (("shell_triangles", "corner"), np.concatenate([np.zeros((0, 3), int), *triangles]), "1",
                           "triangles of them"),
        "shell_margin": (("shell_vertices",), values, unit, "margin at these corners"),
    }  # fmt: skip


def _attributes(found: "Workspace") -> dict[str, Any]:
    from taut.scenario.io.writing import dumps

    said = json.dumps(plain_scenario(found.robot)) if found.scenario is None else dumps(found.scenario)
    extra = {} if found.volume is None else {"volume": found.volume.value, "uncertainty": found.volume.uncertainty}
    return {
        "format": WORKSPACE_FORMAT,
        "format_version": FORMAT_VERSION,
        "taut_version": import_module("taut").__version__,
        "kind": found.kind,
        "robot": found.name,
        "question": json.dumps(found.question, ensure_ascii=False),
        "scenario": said,
        **extra,
    }


def _from_wheel(scenario: Any) -> set[str]:
    """Cables of elements over pulleys: their first node is where they leave the wheel."""
    cables = [] if scenario is None else scenario.cables
    return {cable.name for cable in cables if cable.pulley and cable.kind not in LAID}
