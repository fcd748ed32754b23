"""A workspace in the page: surfaces around the machine that one can see through, their legend, and a switch."""

from html import escape
from typing import Any

import numpy as np
import xarray as xr

from taut.results.errors import ResultError
from taut.results.result import Result
from taut.views.robots.shape import Shape, Sheet, around, check_belongs, read_shape
from taut.views.robots.workspace import margin_name, question_of, size_text
from taut.views.scene.machine import Machine

FOLDER = 5  # order of this folder in the panel: between Time and Show
OTHER = '<div class="taut-workspace" style="padding: 0 1em">hidden: the exits have changed, compute it again</div>'


class WorkspaceStage:
    """The surfaces of a workspace in the scene."""

    def __init__(self, server: Any, data: xr.Dataset) -> None:
        """Draw the surfaces, which do not move with the machine."""
        self.data, self.shape = data, read_shape(data)
        self.is_wanted, self.is_own = True, True
        self.legend: Any = None
        # draw the innermost sheet first, because transparent surfaces hide what is drawn after them
        self.sheets = self.shape.sheets[::-1]
        self.handles = [self._add(server.scene, sheet) for sheet in self.sheets]

    def around(self, machine: Machine) -> Machine:
        """The machine with room for the workspace; the workspace of another robot is hidden."""
        self.is_own = self._belongs_to(machine.frames.result)
        self._set_visible()
        if self.legend is not None:
            self.legend.content = legend_html(self.data, self.shape) if self.is_own else OTHER
        return around(machine, self.shape) if self.is_own else machine

    def add_controls(self, gui: Any) -> None:
        """A folder with the switch, the opacity and the legend."""
        with gui.add_folder("Workspace", order=FOLDER):
            self.shown = gui.add_checkbox("workspace", True)
            self.opacity = gui.add_slider("opacity", min=0.0, max=1.0, step=0.05, initial_value=0.5)
            self.legend = gui.add_html(legend_html(self.data, self.shape))
        self.shown.on_update(lambda _: self.show(self.shown.value))
        self.opacity.on_update(lambda _: self.set_opacity(2.0 * self.opacity.value))

    def show(self, is_wanted: bool) -> None:
        """Show or hide the workspace."""
        self.is_wanted = is_wanted
        self._set_visible()

    def set_opacity(self, factor: float) -> None:
        """Set the opacity of all surfaces, relative to that at first."""
        for handle, sheet in zip(self.handles, self.sheets, strict=True):
            handle.opacity = float(np.clip(factor * sheet.opacity, 0.0, 1.0))

    def _set_visible(self) -> None:
        for handle in self.handles:
            handle.visible = self.is_wanted and self.is_own

    def _belongs_to(self, result: Result) -> bool:
        try:
            check_belongs(self.data, result)
        except ResultError:
            return False
        return True

    def _add(self, scene: Any, sheet: Sheet) -> Any:
        vertices, faces = np.unique(sheet.corners.reshape(-1, 3).astype(np.float32), axis=0, return_inverse=True)
        # the page draws transparent meshes in the order of the middles of their boxes, and of their making where these
        # are the same: two more vertices give all sheets the same box
        vertices = np.concatenate([vertices, [self.shape.low, self.shape.high]]).astype(np.float32)
        red, green, blue = (round(255 * c) for c in sheet.colour)
        return scene.add_mesh_simple(
            f"/workspace/{sheet.name}", vertices, faces.reshape(-1, 3).astype(np.uint32), color=(red, green, blue),
            opacity=sheet.opacity, side="double", cast_shadow=False, receive_shadow=False,
        )  # fmt: skip


def legend_html(data: xr.Dataset, shape: Shape) -> str:
    """Bands of colour with their values, what is shown, how large it is, and the question."""
    steps = "".join(f'<span style="flex:1;background:rgb({_rgb(colour)})"></span>' for colour in shape.colours)

    ends = f"<span>{shape.levels[0]:g}</span><span>{shape.levels[-1]:g} {escape(shape.unit)}</span>"
    rows = "".join(f"<b>{escape(key)}</b>: {escape(text)}<br>" for key, text in question_of(data).items())
    return (
        f'<div class="taut-workspace" style="padding: 0 1em 0.6em; font-size: 0.85em">'
        f"{escape(margin_name(data))} [{escape(shape.unit)}]"
        f'<div style="display:flex;height:10px;margin-top:3px">{steps}</div>'
        f'<div style="display:flex;justify-content:space-between">{ends}</div>'
        f"{escape(shape.words)}<br><b>{escape(size_text(data))}</b>"
        f'<details style="margin-top:4px"><summary>what it answers</summary>{rows}</details></div>'
    )


def _rgb(colour: np.ndarray) -> str:
    return ", ".join(str(round(255 * c)) for c in colour)
